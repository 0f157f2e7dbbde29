import { isRecord } from '../domain/record.js';
import type { InboundFamily } from '../contract/inbound.js';
import type { XmlFileKind } from '../domain/document-fact.js';
import type { SignatureVerdict } from './signature.js';

/** A file of the archive as it stood when the manifest was written. The path is relative to the archive, with `/`. */
export interface ManifestFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface ManifestEvent extends ManifestFile {
  readonly key: string;
}

/** One line of `manifest.jsonl`: a document with everything that belongs to it. */
export interface ManifestEntry extends ManifestFile {
  /** The access key; the service's id where a document has no key. */
  readonly key: string;
  readonly type: InboundFamily;
  /** The service's own word, as it came. */
  readonly status?: string;
  /** `full`, or `summary` where the full XML is still to come. Absent in manifests of before it was kept, as the next. */
  readonly xmlKind?: XmlFileKind;
  readonly signature?: SignatureVerdict;
  readonly pdf?: ManifestFile;
  readonly events: readonly ManifestEvent[];
}

/** All files of an entry, the document's own first. */
export function filesOf(entry: ManifestEntry): readonly ManifestFile[] {
  return [entry, ...(entry.pdf === undefined ? [] : [entry.pdf]), ...entry.events];
}

/** One line, its fields always in the same order. */
export function manifestLine(entry: ManifestEntry): string {
  const { key, type, status, xmlKind, signature, pdf } = entry;
  const events = [...entry.events]
    .sort((a, b) => compare(a.key, b.key))
    .map((event) => ({ key: event.key, ...fileFields(event) }));
  return `${JSON.stringify({ key, type, status, xmlKind, signature, ...fileFields(entry), pdf: pdf && fileFields(pdf), events })}\n`;
}

/** Reads one line. `undefined` for whatever is not exactly an entry with safe paths. */
export function parseManifestLine(text: string): ManifestEntry | undefined {
  const value = parsed(text);
  if (!isRecord(value) || typeof value['key'] !== 'string' || !isFamily(value['type'])) return undefined;
  const file = fileOf(value);
  const events = Array.isArray(value['events']) ? value['events'].map(eventOf) : [undefined];
  const pdf = value['pdf'] === undefined ? undefined : fileOf(value['pdf']);
  if (file === undefined || !events.every((event) => event !== undefined)) return undefined;
  if (value['pdf'] !== undefined && pdf === undefined) return undefined;
  const status = typeof value['status'] === 'string' ? { status: value['status'] } : {};
  const xmlKind = xmlKinds.find((kind) => kind === value['xmlKind']);
  const signature = signatures.find((verdict) => verdict === value['signature']);
  return {
    ...{ key: value['key'], type: value['type'], ...status },
    ...{ ...(xmlKind && { xmlKind }), ...(signature && { signature }), ...file, ...(pdf && { pdf }), events },
  };
}

const xmlKinds: readonly XmlFileKind[] = ['full', 'summary', 'event'];
const signatures: readonly SignatureVerdict[] = ['valid', 'invalid', 'absent', 'unverifiable'];

/** Whether a path stays inside the archive, whoever wrote the manifest. */
export function isInsidePath(path: string): boolean {
  const parts = path.split('/');
  return (
    !path.includes('\\') &&
    !path.includes('\0') &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

function fileFields({ path, sha256, bytes }: ManifestFile): ManifestFile {
  return { path, sha256, bytes };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
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

function isFamily(value: unknown): value is InboundFamily {
  return value === 'nfe' || value === 'cte' || value === 'nfse';
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
