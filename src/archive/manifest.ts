import { parseForeignJson } from '../domain/json-numbers.js';
import { isRecord } from '../domain/record.js';
import type { InboundFamily } from '../contract/inbound.js';
import type { XmlFileKind } from '../domain/document-fact.js';
import type { SignatureVerdict } from './signature.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { isInsidePath } from '../domain/inside-path.js';
import type { Prose } from '../domain/prose.js';
import { type ArchiveFile, type ArchiveStorage, missingReason, notFollowed } from './storage.js';
import type { ArchiveWriter, Draft } from './writer.js';
import { posix } from 'node:path';

/** A file of the archive when the manifest was written. The path is relative to the archive, with `/`. */
export interface ManifestFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface ManifestEvent extends ManifestFile {
  readonly key: string;
}

/** The documents of an archive: received NF-e, CT-e and NFS-e, and issued NF-e, NFC-e and NFS-e. */
export type ArchivedType = InboundFamily | 'nfce';

/** One line of `manifest.jsonl`: a document with everything that belongs to it. */
export interface ManifestEntry {
  /** The access key, or the service's id for a document without a key. */
  readonly key: string;
  /** The service's id of an issued document, where the key is another one. */
  readonly id?: string;
  readonly type: ArchivedType;
  /** As the service returned it. */
  readonly status?: string;
  /** `full`, or `summary` until the full XML arrives. Absent: an NFS-e in the layout of a city. */
  readonly xmlKind?: XmlFileKind;
  readonly signature?: SignatureVerdict;
  /** Of the document itself; its path, sha256 and bytes stand in the line. Absent: only events of it are in the archive. */
  readonly file?: ManifestFile;
  readonly pdf?: ManifestFile;
  readonly events: readonly ManifestEvent[];
}

/** All files of an entry, the document's own first. */
export function filesOf({ file, pdf, events }: ManifestEntry): readonly ManifestFile[] {
  return [file, pdf, ...events].filter((each) => each !== undefined);
}

/** One line, with a fixed order of fields. */
export function manifestLine(entry: ManifestEntry): string {
  const { key, id, type, status, xmlKind, signature, file, pdf } = entry;
  const events = [...entry.events]
    .sort((a, b) => compare(a.key, b.key))
    .map((event) => ({ key: event.key, ...fileFields(event) }));
  return `${JSON.stringify({ key, id, type, status, xmlKind, signature, ...(file && fileFields(file)), pdf: pdf && fileFields(pdf), events })}\n`;
}

/** Parses one line. `undefined` for anything but an entry with safe paths. */
function parseManifestLine(text: string): ManifestEntry | undefined {
  const value = parsed(text);
  if (!isRecord(value) || typeof value['key'] !== 'string' || !isType(value['type'])) return undefined;
  const file = value['path'] === undefined ? undefined : fileOf(value);
  const events = Array.isArray(value['events']) ? value['events'].map(eventOf) : [undefined];
  const pdf = value['pdf'] === undefined ? undefined : fileOf(value['pdf']);
  if (!events.every((event) => event !== undefined)) return undefined;
  if (file === undefined && (value['path'] !== undefined || events.length === 0)) return undefined;
  if (value['pdf'] !== undefined && pdf === undefined) return undefined;
  const id = typeof value['id'] === 'string' ? { id: value['id'] } : {};
  const status = typeof value['status'] === 'string' ? { status: value['status'] } : {};
  const xmlKind = xmlKinds.find((kind) => kind === value['xmlKind']);
  const signature = signatures.find((verdict) => verdict === value['signature']);
  return {
    ...{ key: value['key'], ...id, type: value['type'], ...status },
    ...{ ...(xmlKind && { xmlKind }), ...(signature && { signature }), ...(file && { file }) },
    ...{ ...(pdf && { pdf }), events },
  };
}

const xmlKinds: readonly XmlFileKind[] = ['full', 'summary', 'event'];
const signatures: readonly SignatureVerdict[] = ['valid', 'invalid', 'absent', 'unverifiable'];

function fileFields({ path, sha256, bytes }: ManifestFile): ManifestFile {
  return { path, sha256, bytes };
}

function parsed(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch {
    return undefined;
  }
}

function fileOf(value: unknown): ManifestFile | undefined {
  if (!isRecord(value)) return undefined;
  const { path, sha256, bytes } = value;
  if (typeof path !== 'string' || !isInsidePath(path)) return undefined;
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  return typeof bytes === 'number' && Number.isSafeInteger(bytes) ? { path, sha256, bytes } : undefined;
}

function eventOf(value: unknown): ManifestEvent | undefined {
  const file = fileOf(value);
  if (file === undefined || !isRecord(value) || typeof value['key'] !== 'string') return undefined;
  return { key: value['key'], ...file };
}

function isType(value: unknown): value is ArchivedType {
  return value === 'nfe' || value === 'cte' || value === 'nfse' || value === 'nfce';
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const PIECE = 64 * 1024;

/** Writes the lines to a draft, which the caller commits or discards. Errors: `store.unwritable`, `store.full`. */
export async function draftLines(
  writer: ArchiveWriter,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<Draft> {
  const file = writer.draft();
  try {
    await file.restart();
    for await (const piece of pieces(lines)) await file.write(piece);
    return file;
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/**
 * The entries of a manifest, one after another.
 * Errors: `input.not_found`, `input.unreadable`, `inbound.manifest_unreadable` for a line that is no entry.
 */
export async function* readManifest({ storage, path }: ArchiveFile): AsyncIterable<ManifestEntry> {
  let line = 0;
  for await (const text of boundedLines(storage.read(path))) {
    line += 1;
    const entry = text === undefined ? undefined : parseManifestLine(text);
    if (entry === undefined) throw new FiscalError('inbound.manifest_unreadable', { path: storage.nameOf(path), line });
    yield entry;
  }
}

/** An entry with ten thousand events has half of it. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** The lines of a text; `undefined` for one that is too long, which is then the last. */
export async function* boundedLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.replace(/\r$/, '');
    if (rest.length > LONGEST_LINE) return yield undefined;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

async function* pieces(all: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Buffer> {
  let text = '';
  for await (const line of all) {
    text += line;
    if (text.length < PIECE) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

/**
 * `changed`: the bytes differ from the manifest · `missing`: the file does not exist · `extra`: nothing lists the file ·
 * `swapped`: two files have each other's bytes · `xml-kind`: the file is of another kind than the manifest says · `proof`: the
 * verdict belongs to another manifest · `verdict`: the verdict does not follow from the figures it comes with · `proof-older`:
 * the verdict follows no rules or those of another version, and proves no month · `link`: a folder that is a link, which was not followed.
 */
export interface VerifyFinding {
  readonly kind:
    | 'changed'
    | 'missing'
    | 'extra'
    | 'swapped'
    | 'xml-kind'
    | 'proof'
    | 'verdict'
    | 'proof-older'
    | 'link';
  /** Relative to the archive, with `/`. */
  readonly path: string;
  readonly key?: string;
  /** The other file of a swapped pair. */
  readonly with?: string;
  readonly expected?: string;
  readonly found?: string;
  readonly reason?: string | Prose;
  /** The files behind a link that were not read. */
  readonly count?: number;
}

interface VerifyRequest {
  /** What the paths of the manifest are relative to. */
  readonly storage: ArchiveStorage;
  readonly manifest: ArchiveFile;
  /** Whether a file that this manifest does not list belongs to the archive: later arrivals, other months. */
  isKnown(path: string): Promise<boolean>;
  /** Called for every entry before its files are read. */
  onEntry?(entry: ManifestEntry): void;
  /** Called after every file, for the progress. */
  onFile?(done: number): void;
  readonly signal?: AbortSignal;
}

interface VerifyResult {
  readonly documents: number;
  /** The files that were read or are missing. */
  readonly files: number;
  readonly findings: readonly VerifyFinding[];
}

interface Wrong extends ManifestFile {
  readonly key: string;
  readonly found: string;
}

/** Reads every file, compares it with the manifest, and then looks for files that nothing lists. Offline. */
export async function verifyManifest(request: VerifyRequest): Promise<VerifyResult> {
  const named = new Set<string>();
  const missing: VerifyFinding[] = [];
  const wrong: Wrong[] = [];
  const kinds: VerifyFinding[] = [];
  const { storage } = request;
  const behindLinks = new Map<string, number>();
  let documents = 0;
  for await (const entry of readManifest(request.manifest)) {
    if (entry.file !== undefined) documents += 1;
    request.onEntry?.(entry);
    for (const file of filesOf(entry)) {
      request.signal?.throwIfAborted();
      const link = await storage.linkOnTheWay(file.path);
      if (link !== undefined) {
        behindLinks.set(link, (behindLinks.get(link) ?? 0) + 1);
        continue;
      }
      named.add(file.path);
      const found = await storage.digest(file.path);
      if (found === undefined)
        missing.push({
          ...{ kind: 'missing', path: file.path, key: entry.key },
          ...(await missingReason(storage, file.path)),
        });
      else if (found.sha256 !== file.sha256) wrong.push({ ...file, key: entry.key, found: found.sha256 });
      else kinds.push(...kindFinding(entry, file, found.xmlKind));
      request.onFile?.(named.size);
    }
  }
  const findings = [
    ...[...behindLinks].map(([path, count]) => linkFinding(path, count)),
    ...[...wrongFindings(wrong), ...missing, ...kinds, ...(await extras(request, named))],
  ];
  return { documents, files: named.size, findings };
}

/** A folder that was not followed, with the number of files behind it. Nothing is known of them. */
export function linkFinding(path: string, count?: number): VerifyFinding {
  return { kind: 'link', path, ...(count !== undefined && { count }), reason: notFollowed };
}

/** The layout of a city has no kind. */
function kindFinding(
  entry: ManifestEntry,
  file: ManifestFile,
  found: XmlFileKind | undefined,
): readonly VerifyFinding[] {
  if (entry.xmlKind === undefined || file === entry.pdf) return [];
  const expected = file === entry.file ? entry.xmlKind : 'event';
  if (found === expected) return [];
  return [{ kind: 'xml-kind', path: file.path, key: entry.key, expected, ...(found && { found }) }];
}

/** Two files with each other's bytes are one finding; every other difference is one of its own. */
function wrongFindings(wrong: readonly Wrong[]): readonly VerifyFinding[] {
  const byExpected = new Map(wrong.map((file) => [file.sha256, file]));
  const reported = new Set<string>();
  const findings: VerifyFinding[] = [];
  for (const file of wrong) {
    if (reported.has(file.path)) continue;
    reported.add(file.path);
    const counterpart = byExpected.get(file.found);
    if (counterpart?.found === file.sha256 && !reported.has(counterpart.path)) {
      reported.add(counterpart.path);
      findings.push({ kind: 'swapped', path: file.path, key: file.key, with: counterpart.path });
    } else {
      const { path, key, sha256, found } = file;
      findings.push({ kind: 'changed', path, key, expected: sha256, found });
    }
  }
  return findings;
}

/** Only in the folders with files of the manifest: the archive may share its folder with other files. */
async function extras(request: VerifyRequest, named: ReadonlySet<string>): Promise<readonly VerifyFinding[]> {
  const folders = new Set([...named].map((path) => posix.dirname(path)));
  const findings: VerifyFinding[] = [];
  for (const folder of [...folders].sort()) {
    for (const name of await request.storage.filesIn(folder)) {
      const path = folder === '.' ? name : `${folder}/${name}`;
      if (named.has(path) || (await request.isKnown(path))) continue;
      findings.push({ kind: 'extra', path });
    }
  }
  return findings;
}
