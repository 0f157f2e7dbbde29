import { createHash } from 'node:crypto';
import { type ArchiveStorage, notFollowed, readWhole } from '../../archive/storage.js';
import { xmlLimits, XmlRefused } from '../../archive/xml-read.js';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { DocumentRow } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import type { Known, TableRow } from './table-column.js';
import type { Remarks, TableRows } from './table-rows.js';

/**
 * `summary`: only the summary is archived · `missing`, `changed`: the file is not there, or is not the one that was stored ·
 * `other-archive`: it is in another archive than the one that is read · `other-document`: the file is something else.
 */
export type XmlState =
  | 'read'
  | 'summary'
  | 'missing'
  | 'changed'
  | 'other-archive'
  | 'behind-link'
  | 'unreadable'
  | 'unknown-layout'
  | 'other-document';

/** The rows of a document, or why its XML gives none. */
export type ReadRows =
  | { readonly xml: 'read'; readonly rows: readonly TableRow[]; readonly remarks: Remarks }
  | { readonly xml: Exclude<XmlState, 'read'>; readonly reason?: string | Text };

export interface XmlSources {
  readonly store: Pick<Store, 'documents'>;
  readonly storage: ArchiveStorage;
  /** Of the storage, as rows of the store name it. */
  readonly identity: string;
}

type Bytes = { readonly bytes: Uint8Array } | Exclude<ReadRows, { xml: 'read' }>;

/** The bytes of the XML, if they are those that were stored. Errors: those of the storage. */
export async function readBytes(row: DocumentRow, sources: XmlSources): Promise<Bytes> {
  const found = await readOnce(row, sources);
  if ('bytes' in found || !(found.xml === 'changed' || found.xml === 'missing')) return found;
  // A sync writes the file first, and the row of it a moment later.
  const now = await sources.store.documents.get(row, row.id);
  const isNew = now !== undefined && (now.sha256 !== row.sha256 || now.path !== row.path);
  return isNew ? await readOnce(now, sources) : found;
}

async function readOnce(row: DocumentRow, { storage, identity }: XmlSources): Promise<Bytes> {
  const { path, sha256, archive } = row;
  if (path === undefined || sha256 === undefined)
    return { xml: 'missing', ...(row.reason === undefined ? {} : { reason: row.reason }) };
  if (archive !== identity) return { xml: 'other-archive' };
  if ((await storage.linkOnTheWay(path)) !== undefined) return { xml: 'behind-link', reason: notFollowed };
  try {
    const bytes = await readWhole({ storage, path }, { mostBytes: xmlLimits.bytes });
    const isStored = createHash('sha256').update(bytes).digest('hex') === sha256;
    return isStored ? { bytes } : { xml: 'changed' };
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    if (error.code === 'input.not_found') return { xml: 'missing' };
    if (error.code === 'input.unreadable') return { xml: 'unreadable' };
    throw error;
  }
}

/** The rows of a table that an XML gives. */
export function rowsOf(bytes: Uint8Array, row: DocumentRow, table: TableRows, known: Known): ReadRows {
  try {
    const read = table.read(bytes);
    if (read.kind === 'unknown') return { xml: 'unknown-layout' };
    if (read.kind === 'nfe-summary') return { xml: 'summary' };
    if (read.kind !== row.family) return { xml: 'other-document' };
    const rows = [...table.of(row.family, read, { ...known, xml: 'read' })];
    return { xml: 'read', rows, remarks: table.remarks(row.family, read, known) };
  } catch (error) {
    if (error instanceof XmlRefused) return { xml: 'unreadable', reason: error.problem.message };
    throw error;
  }
}
