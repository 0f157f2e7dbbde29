import { type ArchivedType, manifestLine, type ManifestEntry, draftLines } from '../../archive/manifest.js';
import type { ArchiveStorage, ArchiveWork } from '../../archive/storage.js';
import { version } from '../../domain/version.js';
import { formatUtc } from '../../domain/dates.js';
import type { Context } from '../../services/context.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import type { CloseKind } from '../../services/closing/gaps.js';
import type { GroupResult } from './close-compare.js';
import type { FamilyCoverage, IssuedCoverage } from '../../services/closing/coverage.js';
import { isIssuedType, isReceivedType, type Side } from '../../services/closing/direction.js';
import { decidingClocks } from '../../services/closing/deciding-clocks.js';
import { keptReason, type KeptProof, nameOf, provenBefore } from './close-earlier.js';
import type { Month } from '../../services/closing/month.js';
import { MANIFEST, proofFolder, VERDICT } from '../../services/closing/proof-files.js';
import type {
  ProofClock,
  ProofFacts,
  Reason,
  Rules,
  VerdictWord,
} from '../../services/closing/proof-facts.js';
import { judge, rulesOf } from '../../services/closing/verdict.js';

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

export interface VerdictCounts {
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

export interface Closing {
  readonly storage: ArchiveStorage;
  readonly work: ArchiveWork;
  readonly month: Month;
  readonly company: AccountCompany;
  readonly allowInvalidSignatures: boolean;
  readonly side: Side;
}

export interface Proof {
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
  const evidence = {
    storage,
    month,
    companyId: company.id,
    named,
    ...coverageOf(results),
  };
  try {
    return await work.exclusively(folder.replaceAll('/', '~'), async () => {
      const [before, verdictBefore] = [await storage.digest(manifestPath), await storage.digest(verdictPath)];
      const kept = await provenBefore(context, { manifest: manifestPath, verdict: verdictPath }, evidence);
      const moment = { now: context.clock.now(), profile };
      if (kept !== undefined) {
        const given = verdictOf(closing, { results, sha256: kept.sha256, ...moment });
        return {
          verdict: withoutProof(
            given,
            keptReason(kept, { direction: side.direction, folder: storage.nameOf(folder) }),
          ),
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

async function* linesOf(
  compared: AsyncGenerator<ManifestEntry, SideResults>,
  ended: Ended,
): AsyncGenerator<string> {
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
  for (const { kind, count = 1 } of results.flatMap(({ problems }) => problems))
    gaps[kind] = (gaps[kind] ?? 0) + count;
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
