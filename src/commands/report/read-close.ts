import { safeName } from '../../archive/layout.js';
import { type ManifestEntry, readManifest } from '../../archive/manifest.js';
import { type ArchiveStorage, notFollowed } from '../../archive/storage.js';
import { parseUtc } from '../../domain/dates.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { CloseFacts, CoverageFacts, ReportDocument, ReportVerdict } from '../../report/facts.js';
import type { FamilyCoverage } from '../../services/closing/coverage.js';
import type { Month } from '../../services/closing/month.js';
import { MANIFEST, PROOFS, VERDICT } from '../../services/closing/proof-files.js';
import { contradictions, factsOf, ManifestSums, readProof } from '../../services/closing/read-proof.js';
import { judge, type ProofFacts, rules } from '../../services/closing/verdict.js';
import { gapFacts, type GapCommands } from './gap-words.js';

/** What the close of a company and month says, checked against its manifest and itself. */
export interface FoundClose {
  readonly verdict: ReportVerdict;
  readonly closedAt?: string;
  /** Of a proof that holds. */
  readonly facts?: ProofFacts;
  readonly sha256?: string;
  /** The status of each document of the manifest, by type and key. */
  readonly entries: ReadonlyMap<string, string | undefined>;
  /** A folder on the way is a symbolic link, and was not followed. */
  readonly isBehindLink?: true;
  /** Of the manifest, relative to the archive. */
  readonly path: string;
}

export interface ProofPlace {
  readonly storage: ArchiveStorage;
  readonly month: Month;
  readonly companyId: string;
}

/** Reads the close of all types. A close that is replaced meanwhile is read again. Errors: `input.unreadable`. */
export async function readClose(place: ProofPlace): Promise<FoundClose> {
  const found = await readOnce(place);
  return found.verdict === 'contradictory' ? await readOnce(place) : found;
}

async function readOnce({ storage, month, companyId }: ProofPlace): Promise<FoundClose> {
  const folder = [PROOFS, month.name, safeName(companyId)].join('/');
  const [path, verdictPath] = [`${folder}/${MANIFEST}`, `${folder}/${VERDICT}`];
  const none = { entries: new Map<string, string | undefined>(), path };
  if ((await storage.linkOnTheWay(path)) !== undefined)
    return { ...none, verdict: 'not-closed', isBehindLink: true };
  const proof = await readProof({ storage, path: verdictPath });
  if (proof === undefined) {
    const isThere = (await storage.exists(verdictPath)) || (await storage.exists(path));
    return { ...none, verdict: isThere ? 'contradictory' : 'not-closed' };
  }
  const { content } = proof;
  const closedAt = fieldOf(content, 'closedAt');
  const at = typeof closedAt === 'string' && parseUtc(closedAt) !== undefined ? { closedAt } : {};
  const isOfOther = fieldOf(content, 'company') !== companyId || fieldOf(content, 'month') !== month.name;
  const digest = await storage.digest(path);
  const sha256 = proof.sha256;
  const read = await entriesOf(storage, path);
  if (isOfOther || sha256 === undefined || digest?.sha256 !== sha256 || read === undefined)
    return { ...none, ...at, verdict: 'contradictory' };
  const known = { ...none, ...at, sha256, entries: read.entries };
  if (proof.isOlder || fieldOf(fieldOf(content, 'rules'), 'version') !== rules.version)
    return { ...known, verdict: 'older' };
  const facts = factsOf(content);
  if (facts === undefined || contradictions(proof, read.sums).length > 0)
    return { ...known, verdict: 'contradictory' };
  return { ...known, facts, verdict: judge(facts).verdict };
}

/** `undefined`: the manifest cannot be read. */
async function entriesOf(storage: ArchiveStorage, path: string) {
  const sums = new ManifestSums();
  const entries = new Map<string, string | undefined>();
  try {
    for await (const entry of readManifest({ storage, path })) {
      sums.add(entry);
      entries.set(entryName(entry), entry.status);
    }
    return { sums, entries };
  } catch (error) {
    if (error instanceof FiscalError && unreadable.has(error.code)) return undefined;
    throw error;
  }
}

const unreadable: ReadonlySet<string> = new Set(['inbound.manifest_unreadable', 'input.not_found']);

/** How `entries` names a document. */
export function entryName({ type, key }: Pick<ManifestEntry, 'type' | 'key'>): string {
  return `${type} ${key}`;
}

/** A document of the report, with the status that the service reports. */
export interface StoredDocument {
  readonly document: ReportDocument;
  readonly status: string | undefined;
}

/** What the report says of a close. */
export function closeFacts(
  found: FoundClose,
  stored: readonly StoredDocument[],
  commands: GapCommands,
): CloseFacts {
  const { verdict, closedAt, facts, sha256, entries, path } = found;
  const known = new Set<string>();
  let [added, changed] = [0, 0];
  for (const { document, status } of stored) {
    const name = entryName({ type: document.family, key: document.key });
    known.add(name);
    if (!entries.has(name)) added += 1;
    else if (entries.get(name) !== status) changed += 1;
  }
  const unknown = [...entries.keys()].filter((name) => !known.has(name)).length;
  const link = found.isBehindLink === true ? [behindLink] : [];
  return {
    verdict,
    ...(closedAt === undefined ? {} : { closedAt }),
    reasons: [...link, ...(facts === undefined ? [] : judge(facts).reasons.map(({ message }) => message))],
    gaps: facts === undefined ? [] : gapFacts(facts.gaps, commands),
    coverage: facts?.coverage.map(coverageFacts) ?? [],
    assumptions: facts === undefined ? [] : rules.assumptions,
    ...(sha256 === undefined ? {} : { manifest: { path, sha256, entries: entries.size } }),
    since: { added, changed, unknown },
  };
}

const behindLink = {
  en: notFollowed,
  pt: 'a pasta é um link simbólico e não foi seguida: --follow-links a lê',
};

function coverageFacts({ family, capture, enabledSince, list, events, xml }: FamilyCoverage): CoverageFacts {
  return {
    ...{ family, capture, enabledSince, listReadAt: list.readAt, listed: list.documents },
    ...{ archived: xml.full, summaries: xml.summary },
    events: events === null && family === 'nfse' ? 'none' : eventFacts(events),
  };
}

function eventFacts(events: FamilyCoverage['events']) {
  return events === null ? { readAt: null, count: 0 } : { readAt: events.readAt, count: events.events };
}
