import {
  type ArchivedType,
  type ManifestEntry,
  draftLines,
  manifestLine,
  readManifest,
} from '../../archive/manifest.js';
import type { ArchiveFile, ArchiveStorage, ArchiveWork } from '../../archive/storage.js';
import { version } from '../../domain/version.js';
import { formatUtc } from '../../domain/dates.js';
import type { Context } from '../../services/context.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import type { CloseKind } from '../../services/closing/gaps.js';
import type { GroupResult } from './close-compare.js';
import type { FamilyCoverage, IssuedCoverage } from '../../services/closing/coverage.js';
import { type Side, groupOf, isIssuedType, isReceivedType } from '../../services/closing/direction.js';
import { decidingClocks } from '../../services/closing/deciding-clocks.js';
import type { Month } from '../../services/closing/month.js';
import { MANIFEST, VERDICT, proofFolder } from '../../services/closing/proof-files.js';
import type {
  IssuedFacts,
  ProofClock,
  ProofFacts,
  Reason,
  Rules,
  VerdictWord,
} from '../../services/closing/proof-facts.js';
import { judge, rulesOf } from '../../services/closing/verdict.js';
import type { Direction } from '../../domain/direction.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { areEventsKnown } from '../../services/closing/issued-verdict.js';
import { factsOf, readProof } from '../../services/closing/read-proof.js';

/** The result of each family or model of one side. */
export type SideResults =
  | { readonly direction: 'received'; readonly results: readonly GroupResult<FamilyCoverage>[] }
  | { readonly direction: 'issued'; readonly results: readonly GroupResult<IssuedCoverage>[] };

/** `close.json`: the verdict with its time, program, manifest and facts. */
export interface Verdict {
  readonly month: string;
  /** Absent in proofs of received documents. */
  readonly direction?: 'issued';
  readonly company: string;
  readonly name?: string;
  readonly taxNumber?: string;
  readonly families: readonly ArchivedType[];
  /** The requested types; empty: those that are captured, or all that are issued. */
  readonly requested: readonly ArchivedType[];
  readonly complete: boolean;
  readonly verdict: VerdictWord;
  readonly reasons: readonly Reason[];
  readonly counts: VerdictCounts;
  /** How many gaps of each kind. */
  readonly gaps: ProofFacts['gaps'];
  readonly coverage: ProofFacts['coverage'];
  readonly allowInvalidSignatures: boolean;
  /** UTC ISO text, by the clock of this machine. */
  readonly closedAt: string;
  /** By which the month was over. */
  readonly clock: ProofClock;
  readonly rules: Rules;
  readonly version: string;
  readonly manifest: { readonly file: string; readonly sha256: string; readonly entries: number };
}

interface VerdictCounts {
  readonly listed: number;
  /** Full documents in the manifest. */
  readonly archived: number;
  /** Documents of which the manifest has a summary only. */
  readonly summaries: number;
  readonly events: number;
  readonly bytes: number;
  readonly unlisted: number;
  readonly problems: number;
  readonly signatures: AnyResult['signatures'];
}

interface Closing {
  readonly storage: ArchiveStorage;
  readonly work: ArchiveWork;
  readonly month: Month;
  readonly company: AccountCompany;
  readonly allowInvalidSignatures: boolean;
  readonly side: Side;
}

interface Proof {
  readonly verdict: Verdict;
  /** The proof that stands in the archive instead, because it covers more. */
  readonly kept: KeptProof | undefined;
  readonly results: SideResults;
  readonly path: string;
}

/**
 * Writes the manifest entry by entry, and the verdict with its hash. Both files are renamed together, so that
 * when two processes close the same month, one complete proof remains. A proof that covers more is kept, and nothing is written.
 * Returns the verdict, the path of the manifest and the result of each family.
 */
export async function writeProof(
  context: Context,
  closing: Closing,
  compared: AsyncGenerator<ManifestEntry, SideResults>,
): Promise<Proof> {
  const { storage, work, month, company, side } = closing;
  const folder = proofFolder({ ...side, month: month.name, companyId: company.id });
  const [manifestPath, verdictPath] = [`${folder}/${MANIFEST}`, `${folder}/${VERDICT}`];
  const path = storage.nameOf(manifestPath);
  await storage.refuseLink(manifestPath);
  const { profile } = await context.settings();
  const ended: Ended = { named: new Set() };
  const manifest = await draftLines(work, linesOf(compared, ended));
  const { results, named } = ended;
  if (results === undefined) throw new Error('the comparison of a close has no result');
  const evidence = { storage, month, companyId: company.id, named, ...coverageOf(results) };
  try {
    return await work.exclusively(folder.replaceAll('/', '~'), async () => {
      const [before, verdictBefore] = [await storage.digest(manifestPath), await storage.digest(verdictPath)];
      const kept = await provenBefore(context, { manifest: manifestPath, verdict: verdictPath }, evidence);
      const moment = { now: context.clock.now(), profile };
      if (kept !== undefined) {
        const given = verdictOf(closing, { results, sha256: kept.sha256, ...moment });
        return {
          verdict: withoutProof(given, keptReason(kept, { direction: side.direction, folder: storage.nameOf(folder) })),
          kept,
          results,
          path,
        };
      }
      const { sha256 } = await manifest.commit(manifestPath, before?.sha256);
      const verdict = verdictOf(closing, { results, sha256, ...moment });
      const draft = await draftLines(work, [`${JSON.stringify(verdict, null, 2)}\n`]);
      await draft.commit(verdictPath, verdictBefore?.sha256);
      return { verdict, kept, results, path };
    });
  } finally {
    await manifest.discard();
  }
}

/** What this run found, which is no proof: the one in the archive stays. */
function withoutProof(verdict: Verdict, reason: Reason): Verdict {
  const word = verdict.complete ? 'not-provable' : verdict.verdict;
  return { ...verdict, complete: false, verdict: word, reasons: [...verdict.reasons, reason] };
}

/** When this run judges, by the clock of the machine, and which profile it judges. */
interface Moment {
  readonly now: number;
  readonly profile: string | undefined;
}

interface Compared extends Moment {
  readonly results: SideResults;
  /** Of the manifest. */
  readonly sha256: string;
}

function verdictOf(closing: Closing, { results, sha256, ...moment }: Compared): Verdict {
  const { month, company, allowInvalidSignatures } = closing;
  const counts = countsOf(results.results);
  const facts = factsFrom(closing, results, moment);
  const judgement = judge(facts);
  const { id, name, taxNumber } = company;
  return {
    ...{
      month: month.name,
      ...(facts.direction === 'issued' && { direction: facts.direction }),
      company: id,
      ...(name && { name }),
      ...(taxNumber && { taxNumber }),
    },
    families: coveredTypes(facts),
    requested: facts.requested,
    complete: judgement.verdict === 'complete',
    ...judgement,
    counts,
    gaps: facts.gaps,
    coverage: facts.coverage,
    allowInvalidSignatures,
    closedAt: formatUtc(moment.now),
    clock: facts.clock,
    rules: rulesOf[facts.direction],
    version,
    manifest: { file: MANIFEST, sha256, entries: counts.archived + counts.summaries },
  };
}

type AnyResult = SideResults['results'][number];

function factsFrom({ month, side }: Closing, results: SideResults, moment: Moment): ProofFacts {
  const common = { month, clock: clockOf(results.results, moment), gaps: gapsOf(results.results) };
  const covered = coverageOf(results);
  return covered.direction === 'received'
    ? { ...common, ...covered, requested: side.narrowedTo.filter(isReceivedType) }
    : { ...common, ...covered, requested: side.narrowedTo.filter(isIssuedType) };
}

function coverageOf(side: SideResults) {
  return side.direction === 'received'
    ? { direction: side.direction, coverage: side.results.map(({ coverage }) => coverage) }
    : { direction: side.direction, coverage: side.results.map(({ coverage }) => coverage) };
}

/** Received: what is captured. Issued: what the company has ever issued. */
function coveredTypes(facts: ProofFacts): readonly ArchivedType[] {
  return facts.direction === 'received'
    ? facts.coverage.filter(({ capture }) => capture !== 'off').map(({ family }) => family)
    : facts.coverage.filter(({ listedEver }) => listedEver > 0).map(({ family }) => family);
}

interface Ended {
  results?: SideResults;
  /** The documents and events of the manifest. */
  readonly named: Set<string>;
}

async function* linesOf(compared: AsyncGenerator<ManifestEntry, SideResults>, ended: Ended): AsyncGenerator<string> {
  for (;;) {
    const { done, value } = await compared.next();
    if (done === true) {
      ended.results = value;
      return;
    }
    if (value.file !== undefined) ended.named.add(nameOf(value));
    for (const event of value.events) ended.named.add(nameOf(value, event.key));
    yield manifestLine(value);
  }
}

/** The deciding clock that is behind. That of the service counts at its earliest response: the lists are no newer. */
function clockOf(results: readonly AnyResult[], { now, profile }: Moment): ProofClock {
  const served = results.flatMap(({ servedAt }) => (servedAt === undefined ? [] : [servedAt]));
  const servedAt = served.length === 0 ? undefined : Math.min(...served);
  const clocks = decidingClocks(profile, servedAt);
  return servedAt !== undefined && (servedAt < now || !clocks.includes('at'))
    ? { source: 'service', now: formatUtc(servedAt) }
    : { source: 'machine', now: formatUtc(now) };
}

function gapsOf(results: readonly AnyResult[]): ProofFacts['gaps'] {
  const gaps: Partial<Record<CloseKind, number>> = {};
  for (const { kind, count = 1 } of results.flatMap(({ problems }) => problems)) gaps[kind] = (gaps[kind] ?? 0) + count;
  return gaps;
}

function countsOf(results: readonly AnyResult[]): VerdictCounts {
  const sum = (count: (result: AnyResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  return {
    listed: sum(({ listed }) => listed),
    archived: sum(({ archived }) => archived),
    summaries: sum(({ summaries }) => summaries),
    events: sum(({ events }) => events),
    bytes: sum(({ bytes }) => bytes),
    unlisted: sum(({ unlisted }) => unlisted),
    problems: sum(({ problems }) => problems.reduce((all, { count = 1 }) => all + count, 0)),
    signatures: {
      valid: sum(({ signatures }) => signatures.valid),
      invalid: sum(({ signatures }) => signatures.invalid),
      absent: sum(({ signatures }) => signatures.absent),
      unverifiable: sum(({ signatures }) => signatures.unverifiable),
    },
  };
}

/** What a new proof knows, to compare with the one that it would replace. */
type NewEvidence = Evidence &
  (
    | { readonly direction: 'received'; readonly coverage: readonly FamilyCoverage[] }
    | { readonly direction: 'issued'; readonly coverage: readonly IssuedCoverage[] }
  );

interface Evidence {
  readonly storage: ArchiveStorage;
  readonly month: Month;
  readonly companyId: string;
  /** What its manifest names, by `nameOf`. */
  readonly named: ReadonlySet<string>;
}

/** A proof that stays, because the new one would know less. */
interface KeptProof {
  readonly closedAt: string | null;
  readonly verdict: VerdictWord | null;
  readonly sha256: string;
  readonly entries: number;
  /** Documents and events of its manifest that this machine never archived. */
  readonly unknown: number;
  /** Since when the capture was observed; null: this machine has seen it for as long. */
  readonly observedSince: string | null;
  /** Numbers of issued invoices that it knew to be disabled and that are missing to this machine. */
  readonly numbers: number;
  /** It rests on a look at the events of issued invoices, after the month, that this machine did not make. */
  readonly events: boolean;
}

/** The name of a document or of one of its events among those of a manifest. */
function nameOf({ type, key }: ManifestEntry, event?: string): string {
  return event === undefined ? `${type} ${key}` : `${type} ${key} ${event}`;
}

/**
 * The proof that stands there, if it covers more than the new one: documents or events that this machine never archived,
 * observations of the capture that it did not make, or what another store knows of issued invoices. A machine with an empty store knows nothing of them, so its proof replaces
 * none. What this machine did archive and now misses or has changed is newer evidence. `undefined`: there is no proof, its files do
 * not belong together, or it covers no more. Errors: `input.unreadable`.
 */
async function provenBefore(
  context: Context,
  { manifest, verdict }: { readonly manifest: string; readonly verdict: string },
  evidence: NewEvidence,
): Promise<KeptProof | undefined> {
  const { storage } = evidence;
  const [proof, digest] = [await readProof({ storage, path: verdict }), await storage.digest(manifest)];
  if (proof?.sha256 === undefined || proof.sha256 !== digest?.sha256) return undefined;
  const facts = factsOf(proof.content);
  const counted = await unknownIn(context, { storage, path: manifest }, evidence);
  if (counted === undefined) return undefined;
  const observedSince = facts?.direction === 'received' ? observedBefore(facts.coverage, evidence) : null;
  const issued = facts?.direction === 'issued' ? issuedBefore(facts, evidence) : { numbers: 0, events: false };
  const isMore = counted.unknown > 0 || observedSince !== null || issued.numbers > 0 || issued.events;
  if (!isMore) return undefined;
  const closedAt = fieldOf(proof.content, 'closedAt');
  return {
    ...{ closedAt: typeof closedAt === 'string' ? closedAt : null, verdict: proof.verdict ?? null },
    ...{ sha256: proof.sha256, ...counted, observedSince, ...issued },
  };
}

/** Why the proof in the archive stays, with what to do. */
function keptReason(
  kept: KeptProof,
  { direction, folder }: { readonly direction: Direction; readonly folder: string },
): Reason {
  const sync = direction === 'issued' ? 'invoice sync' : 'inbound sync';
  const { closedAt, verdict, unknown, observedSince, numbers, events } = kept;
  const [word, at] = [verdict ?? '-', closedAt ?? '-'];
  const en = [
    ...(unknown > 0 ? [`${unknown} documents or events that this machine never archived`] : []),
    ...(observedSince === null ? [] : [`observations of the capture since ${observedSince}`]),
    ...(numbers > 0 ? [`${numbers} numbers that it knows to be disabled`] : []),
    ...(events ? ['the events of the issued invoices after the month'] : []),
  ];
  const pt = [
    ...(unknown > 0 ? [`${unknown} documentos ou eventos que esta máquina nunca guardou`] : []),
    ...(observedSince === null ? [] : [`observações da captura desde ${observedSince}`]),
    ...(numbers > 0 ? [`${numbers} números que ela sabe inutilizados`] : []),
    ...(events ? ['os eventos das notas emitidas depois do fim do mês'] : []),
  ];
  return {
    code: 'earlier-proof-covers-more',
    message: {
      en: `the proof in the archive (${word}, closed at ${at}) was kept and this one was not written, because the earlier one covers ${en.join(' and ')}: close on the machine that wrote it, or run "${sync}" here first; to replace it anyway, move ${folder} away`,
      pt: `a prova que está na pasta de documentos (${word}, fechada em ${at}) foi mantida e esta não foi gravada, porque a anterior cobre ${pt.join(' e ')}: feche na máquina que a gravou ou rode antes "${sync}" aqui; para substituí-la mesmo assim, mova ${folder} para outro lugar`,
    },
  };
}

/** How much of a manifest this machine never archived. `undefined`: it cannot be read. */
async function unknownIn(
  context: Context,
  manifest: ArchiveFile,
  evidence: NewEvidence,
): Promise<{ readonly entries: number; readonly unknown: number } | undefined> {
  const count = { entries: 0, unknown: 0 };
  try {
    for await (const entry of readManifest(manifest)) {
      context.interruption.throwIfAborted();
      count.entries += 1;
      count.unknown += await unknownOf(context, entry, evidence);
    }
    return count;
  } catch (error) {
    if (error instanceof FiscalError && error.code === 'inbound.manifest_unreadable') return undefined;
    throw error;
  }
}

async function unknownOf(
  context: Context,
  entry: ManifestEntry,
  { storage, companyId, named, direction }: NewEvidence,
): Promise<number> {
  const lostEvents = entry.events.filter(({ key }) => !named.has(nameOf(entry, key)));
  const isLost = entry.file !== undefined && !named.has(nameOf(entry));
  if (!isLost && lostEvents.length === 0) return 0;
  const store = await context.store();
  const { storeNamespace: profile } = await context.settings();
  const group = groupOf(direction, { profile, companyId }, entry.type);
  const id = entry.id ?? entry.key;
  const row = isLost ? await store.documents.get(group, id) : undefined;
  const events = await store.events.of(group, id);
  const archive = await storage.identity();
  const archived = new Set(events.filter((event) => event.archive === archive).map(({ eventKey }) => eventKey));
  return (isLost && row?.archive !== archive ? 1 : 0) + lostEvents.filter(({ key }) => !archived.has(key)).length;
}

/** What an earlier proof of issued invoices knew that this machine does not. Numbers that a person declared do not count: the next run may take them back. */
function issuedBefore(earlier: IssuedFacts, evidence: NewEvidence): Pick<KeptProof, 'numbers' | 'events'> {
  if (evidence.direction !== 'issued') return { numbers: 0, events: false };
  let [numbers, events] = [0, false];
  for (const before of earlier.coverage) {
    const now = evidence.coverage.find(({ family }) => family === before.family);
    if (now === undefined) continue;
    for (const { serie, disabled } of before.numbering) {
      const same = now.numbering.find((one) => one.serie === serie);
      if (same !== undefined) numbers += Math.min(same.missing, Math.max(0, disabled - same.disabled));
    }
    events ||= areEventsKnown(before, evidence.month) && !areEventsKnown(now, evidence.month);
  }
  return { numbers, events };
}

/** Since when the earlier proof observed the capture, if that is before the end of the month and before this machine did. */
function observedBefore(earlier: readonly FamilyCoverage[], evidence: NewEvidence): string | null {
  if (evidence.direction !== 'received') return null;
  const { coverage, month } = evidence;
  for (const { family, history } of earlier) {
    const since = firstSeen(history);
    if (since === undefined || Date.parse(since) >= month.until) continue;
    const own = firstSeen(coverage.find((one) => one.family === family)?.history ?? []);
    if (own === undefined || Date.parse(own) > Date.parse(since)) return since;
  }
  return null;
}

function firstSeen(history: FamilyCoverage['history']): string | undefined {
  return history.map(({ firstSeenAt }) => firstSeenAt).toSorted()[0];
}
