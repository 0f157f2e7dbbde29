import { type ManifestEntry, readManifest } from '../../archive/manifest.js';
import type { ArchiveStorage } from '../../archive/storage.js';
import { parseUtc } from '../../domain/dates.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Direction } from '../../domain/direction.js';
import type { Month } from './month.js';
import { MANIFEST, proofFolder, VERDICT } from './proof-files.js';
import type { ProofFacts, VerdictWord } from './proof-facts.js';
import { contradictions, factsOf, ManifestSums, readProof, type ReadProof } from './read-proof.js';
import { judge } from './verdict.js';

/**
 * `complete`, `incomplete`, `not-provable`: what the close says · `not-closed`: there is no close · `older`: it follows the rules of
 * another version · `contradictory`: its manifest is another one, or the verdict does not follow from its facts.
 */
export type CloseVerdict = VerdictWord | 'not-closed' | 'older' | 'contradictory';

/** What the close of a company and month says, checked against its manifest and itself. */
export interface FoundClose {
  readonly verdict: CloseVerdict;
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
  readonly direction: Direction;
}

/** Reads the close of all types. A close that is replaced meanwhile is read again. Errors: `input.unreadable`. */
export async function readClose(place: ProofPlace): Promise<FoundClose> {
  const found = await readOnce(place);
  return found.verdict === 'contradictory' ? await readOnce(place) : found;
}

async function readOnce(place: ProofPlace): Promise<FoundClose> {
  const head = await readHead(place);
  if ('verdict' in head) return head;
  const { proof, none, at, sha256 } = head;
  const read = await entriesOf(place.storage, none.path);
  if (read === undefined) return { ...none, ...at, verdict: 'contradictory' };
  const known = { ...none, ...at, sha256, entries: read.entries };
  const facts = factsOf(proof.content);
  if (proof.olderBecause !== undefined) return { ...known, verdict: 'older' };
  if (facts === undefined || contradictions(proof, read.sums).length > 0) return { ...known, verdict: 'contradictory' };
  return { ...known, facts, verdict: judge(facts).verdict };
}

/**
 * What a close says, without a look at the documents of its manifest: they are not compared with its counts. Errors:
 * `input.unreadable`.
 */
export async function glanceAtClose(place: ProofPlace): Promise<Pick<FoundClose, 'verdict' | 'closedAt'>> {
  const head = await readHead(place);
  if ('verdict' in head) return head;
  const { proof, at } = head;
  const facts = factsOf(proof.content);
  if (proof.olderBecause !== undefined) return { ...at, verdict: 'older' };
  return { ...at, verdict: facts === undefined ? 'contradictory' : judge(facts).verdict };
}

interface ProofHead {
  readonly proof: ReadProof;
  readonly sha256: string;
  readonly at: Pick<FoundClose, 'closedAt'>;
  /** Of a close without entries. */
  readonly none: Pick<FoundClose, 'entries' | 'path'>;
}

/** The proof, where it is of this company and month and its manifest is the one that it was given for. */
async function readHead({ storage, month, companyId, direction }: ProofPlace): Promise<FoundClose | ProofHead> {
  const folder = proofFolder({ month: month.name, companyId, direction });
  const [path, verdictPath] = [`${folder}/${MANIFEST}`, `${folder}/${VERDICT}`];
  const none = { entries: new Map<string, string | undefined>(), path };
  if ((await storage.linkOnTheWay(path)) !== undefined) return { ...none, verdict: 'not-closed', isBehindLink: true };
  const proof = await readProof({ storage, path: verdictPath });
  if (proof === undefined) {
    const isThere = (await storage.exists(verdictPath)) || (await storage.exists(path));
    return { ...none, verdict: isThere ? 'contradictory' : 'not-closed' };
  }
  const { content, sha256 } = proof;
  const closedAt = fieldOf(content, 'closedAt');
  const at = typeof closedAt === 'string' && parseUtc(closedAt) !== undefined ? { closedAt } : {};
  const isOfOther =
    fieldOf(content, 'company') !== companyId ||
    fieldOf(content, 'month') !== month.name ||
    (fieldOf(content, 'direction') ?? 'received') !== direction;
  const digest = await storage.digest(path);
  if (isOfOther || sha256 === undefined || digest?.sha256 !== sha256)
    return { ...none, ...at, verdict: 'contradictory' };
  return { proof, none, at, sha256 };
}

/** `undefined`: the manifest cannot be read. */
async function entriesOf(storage: ArchiveStorage, path: string) {
  const sums = new ManifestSums();
  const entries = new Map<string, string | undefined>();
  try {
    for await (const entry of readManifest({ storage, path })) {
      sums.add(entry);
      if (entry.file !== undefined) entries.set(entryName(entry), entry.status);
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
