import { type ManifestEntry, readManifest } from '../../archive/manifest.js';
import type { ArchiveFile, ArchiveStorage } from '../../archive/storage.js';
import type { Direction } from '../../domain/direction.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import type { Month } from '../../services/closing/month.js';
import type { FamilyCoverage, IssuedCoverage } from '../../services/closing/coverage.js';
import { groupOf } from '../../services/closing/direction.js';
import { areEventsKnown } from '../../services/closing/issued-verdict.js';
import type { IssuedFacts, Reason, VerdictWord } from '../../services/closing/proof-facts.js';
import { factsOf, readProof } from '../../services/closing/read-proof.js';

/** What a new proof knows, to compare with the one that it would replace. */
export type NewEvidence = Evidence &
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
export interface KeptProof {
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
export function nameOf({ type, key }: ManifestEntry, event?: string): string {
  return event === undefined ? `${type} ${key}` : `${type} ${key} ${event}`;
}

/**
 * The proof that stands there, if it covers more than the new one: documents or events that this machine never archived,
 * observations of the capture that it did not make, or what another store knows of issued invoices. A machine with an empty store knows nothing of them, so its proof replaces
 * none. What this machine did archive and now misses or has changed is newer evidence. `undefined`: there is no proof, its files do
 * not belong together, or it covers no more. Errors: `input.unreadable`.
 */
export async function provenBefore(
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
  const issued =
    facts?.direction === 'issued' ? issuedBefore(facts, evidence) : { numbers: 0, events: false };
  const isMore = counted.unknown > 0 || observedSince !== null || issued.numbers > 0 || issued.events;
  if (!isMore) return undefined;
  const closedAt = fieldOf(proof.content, 'closedAt');
  return {
    ...{ closedAt: typeof closedAt === 'string' ? closedAt : null, verdict: proof.verdict ?? null },
    ...{ sha256: proof.sha256, ...counted, observedSince, ...issued },
  };
}

/** Why the proof in the archive stays, with what to do. */
export function keptReason(
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
  const archived = new Set(
    events.filter((event) => event.archive === archive).map(({ eventKey }) => eventKey),
  );
  return (
    (isLost && row?.archive !== archive ? 1 : 0) + lostEvents.filter(({ key }) => !archived.has(key)).length
  );
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
