import type { Family } from '../core/captures.js';
import type { SandboxDatabase } from '../core/database.js';

/** `incoming`: the company is the recipient or the taker; `outgoing`: it issued the document itself. */
export const directions = ['incoming', 'outgoing'] as const;
export type Direction = (typeof directions)[number];

/**
 * `hidden`: captured before the cut-off and not listed (§4). `uncaptured`: only at the national environment until a
 * fetch by key.
 */
const visibilities = ['listed', 'hidden', 'uncaptured'] as const;
type Visibility = (typeof visibilities)[number];

/** The simulated defect of an XML. */
export type Hostility = 'huge-body' | 'xml-bomb';

/** `summary`: the recipient sees only a summary of the NF-e until it manifests (facts §3). */
export const stages = ['summary', 'full'] as const;
export type Stage = (typeof stages)[number];

/** A captured document. Times are milliseconds since the epoch, amounts text. */
export interface StoredDocument {
  readonly family: Family;
  readonly id: string;
  readonly accessKey: string;
  readonly companyId: string;
  readonly issuerTaxNumber: string;
  readonly issuerName: string;
  readonly totalAmount: string;
  readonly issuedOn: number;
  readonly authorizedOn: number;
  readonly cancelled: boolean;
  readonly direction: Direction;
  readonly nsu: number | null;
  readonly status: string;
  readonly webhookStatus: string;
  readonly visibility: Visibility;
  readonly stage: Stage;
  /** Buyer or taker; null: the company or an invented customer; empty: the document names none. */
  readonly recipientTaxNumber: string | null;
  readonly recipientName: string | null;
  /** Only for an NFS-e with an intermediary. */
  readonly intermediaryTaxNumber: string | null;
  readonly intermediaryName: string | null;
  /** Of a document without a key; null: the number in the key. */
  readonly number: string | null;
  /** The time of the capture. */
  readonly createdOn: number;
  readonly modifiedOn: number;
  readonly hostile: Hostility | null;
}

/** The fields of a document in lists and announcements. */
export type ShownDocument = Omit<StoredDocument, 'family' | 'cancelled' | 'visibility' | 'hostile'>;

export interface Documents {
  /** Replaces a document with the same key and company. */
  put(document: StoredDocument): void;
  get(accessKey: string, companyId: string): StoredDocument | undefined;
  /** By the id of the document or by its key. */
  find(family: Family, companyId: string, idOrKey: string): StoredDocument | undefined;
  findByNsu(family: Family, companyId: string, nsu: number): StoredDocument | undefined;
  /** The documents of all companies that captured it, in order of capture. */
  withKey(accessKey: string): readonly StoredDocument[];
  /** A page in order of capture, after the position `after`. */
  page(after: number, limit: number): readonly (StoredDocument & { readonly position: number })[];
  count(): number;
  countHidden(companyId: string, family: Family): number;
  /** The highest NSU of a company. */
  lastNsu(companyId: string, family: Family): number;
  /** The stored signature of the XML; `undefined` before the first read. */
  signature(accessKey: string): string | undefined;
  keepSignature(accessKey: string, signature: string): void;
  removeHostile(): number;
  /** Sets the status by document id. Does not count as a change of the document. */
  setWebhookStatus(id: string, webhookStatus: string): void;
}

interface DocumentRow {
  position: number;
  family: Family;
  id: string;
  access_key: string;
  company_id: string;
  issuer_tax_number: string;
  issuer_name: string;
  total_amount: string;
  issued_on: number;
  authorized_on: number;
  cancelled: number;
  direction: Direction;
  nsu: number | null;
  status: string;
  webhook_status: string;
  visibility: Visibility;
  stage: Stage;
  recipient_tax_number: string | null;
  recipient_name: string | null;
  intermediary_tax_number: string | null;
  intermediary_name: string | null;
  number: string | null;
  created_on: number;
  modified_on: number;
  hostile: Hostility | null;
}

const columns = `family, id, access_key, company_id, issuer_tax_number, issuer_name, total_amount, issued_on,
  authorized_on, cancelled, direction, nsu, status, webhook_status, visibility, stage,
  recipient_tax_number, recipient_name, intermediary_tax_number, intermediary_name, number, created_on,
  modified_on, hostile`;

/** The columns of a `ShownDocument`, under its names, so that a row needs no conversion. */
export const shownColumns = `id, access_key AS accessKey, company_id AS companyId, issuer_tax_number AS issuerTaxNumber,
  issuer_name AS issuerName, total_amount AS totalAmount, issued_on AS issuedOn, authorized_on AS authorizedOn,
  direction, nsu, status, webhook_status AS webhookStatus, stage, recipient_tax_number AS recipientTaxNumber,
  recipient_name AS recipientName, intermediary_tax_number AS intermediaryTaxNumber,
  intermediary_name AS intermediaryName, number, created_on AS createdOn, modified_on AS modifiedOn`;

const replaced = columns
  .split(/,\s*/)
  .filter((name) => !['family', 'id', 'access_key', 'company_id'].includes(name))
  .map((name) => `${name} = excluded.${name}`)
  .join(', ');

/** The usual note: the company that captured it is the recipient, there is no intermediary, and the key has the number. */
export const usualNote = {
  recipientTaxNumber: null,
  recipientName: null,
  intermediaryTaxNumber: null,
  intermediaryName: null,
  number: null,
} as const;

export function openDocuments(database: SandboxDatabase): Documents {
  const put = database.prepare(
    `INSERT INTO documents (${columns})
     VALUES (@family, @id, @accessKey, @companyId, @issuerTaxNumber, @issuerName, @totalAmount, @issuedOn,
       @authorizedOn, @cancelled, @direction, @nsu, @status, @webhookStatus, @visibility, @stage, @recipientTaxNumber,
       @recipientName, @intermediaryTaxNumber, @intermediaryName, @number, @createdOn, @modifiedOn, @hostile)
     ON CONFLICT (access_key, company_id) DO UPDATE SET ${replaced}, signature = NULL`,
  );
  const remove = database.prepare("DELETE FROM documents WHERE hostile IS NOT NULL OR id LIKE 'hostile-%'");
  const setWebhookStatus = database.prepare('UPDATE documents SET webhook_status = ? WHERE id = ?');
  return {
    setWebhookStatus: (id, webhookStatus) => void setWebhookStatus.run(webhookStatus, id),
    put: (document) => void put.run({ ...document, cancelled: document.cancelled ? 1 : 0 }),
    removeHostile: () => remove.run().changes,
    ...openReads(database),
    ...openCounts(database),
    ...openSignatures(database),
  };
}

function openReads(
  database: SandboxDatabase,
): Pick<Documents, 'get' | 'find' | 'findByNsu' | 'withKey' | 'page'> {
  const get = database.prepare<[string, string], DocumentRow>(
    'SELECT * FROM documents WHERE access_key = ? AND company_id = ?',
  );
  const byId = database.prepare<[string, string], DocumentRow>(
    'SELECT * FROM documents WHERE id = ? AND company_id = ?',
  );
  const byNsu = database.prepare<[string, string, number], DocumentRow>(
    "SELECT * FROM documents WHERE company_id = ? AND family = ? AND +visibility = 'listed' AND nsu = ?",
  );
  const withKey = database.prepare<[string], DocumentRow>(
    'SELECT * FROM documents WHERE access_key = ? ORDER BY position',
  );
  const page = database.prepare<[number, number], DocumentRow>(
    'SELECT * FROM documents WHERE position > ? ORDER BY position LIMIT +?',
  );
  const shown = (row: DocumentRow | undefined) => row && toDocument(row);
  return {
    get: (accessKey, companyId) => shown(get.get(accessKey, companyId)),
    find(family, companyId, idOrKey) {
      const row = get.get(idOrKey, companyId) ?? byId.get(idOrKey, companyId);
      return row?.family === family ? toDocument(row) : undefined;
    },
    findByNsu: (family, companyId, nsu) => shown(byNsu.get(companyId, family, nsu)),
    withKey: (accessKey) => withKey.all(accessKey).map(toDocument),
    page: (after, limit) =>
      page.all(after, limit).map((row) => ({ position: row.position, ...toDocument(row) })),
  };
}

function openCounts(database: SandboxDatabase): Pick<Documents, 'count' | 'countHidden' | 'lastNsu'> {
  const count = database.prepare<[], { count: number }>('SELECT count(*) AS count FROM documents');
  const hidden = database.prepare<[string, string], { count: number }>(
    "SELECT count(*) AS count FROM documents WHERE company_id = ? AND family = ? AND visibility = 'hidden'",
  );
  const last = database.prepare<[string, string], { last: number | null }>(
    'SELECT max(nsu) AS last FROM documents WHERE company_id = ? AND family = ?',
  );
  return {
    count: () => count.get()?.count ?? 0,
    countHidden: (companyId, family) => hidden.get(companyId, family)?.count ?? 0,
    lastNsu: (companyId, family) => last.get(companyId, family)?.last ?? 0,
  };
}

function openSignatures(database: SandboxDatabase): Pick<Documents, 'signature' | 'keepSignature'> {
  const find = database.prepare<[string], { signature: string | null }>(
    'SELECT signature FROM documents WHERE access_key = ? AND signature IS NOT NULL LIMIT 1',
  );
  const keep = database.prepare('UPDATE documents SET signature = ? WHERE access_key = ?');
  return {
    signature: (accessKey) => find.get(accessKey)?.signature ?? undefined,
    keepSignature: (accessKey, signature) => void keep.run(signature, accessKey),
  };
}

function toDocument(row: DocumentRow): StoredDocument {
  return {
    family: row.family,
    id: row.id,
    accessKey: row.access_key,
    companyId: row.company_id,
    issuerTaxNumber: row.issuer_tax_number,
    issuerName: row.issuer_name,
    totalAmount: row.total_amount,
    issuedOn: row.issued_on,
    authorizedOn: row.authorized_on,
    cancelled: row.cancelled === 1,
    direction: row.direction,
    nsu: row.nsu,
    status: row.status,
    webhookStatus: row.webhook_status,
    visibility: row.visibility,
    stage: row.stage,
    recipientTaxNumber: row.recipient_tax_number,
    recipientName: row.recipient_name,
    intermediaryTaxNumber: row.intermediary_tax_number,
    intermediaryName: row.intermediary_name,
    number: row.number,
    createdOn: row.created_on,
    modifiedOn: row.modified_on,
    hostile: row.hostile,
  };
}
