import type { DocumentGroup, DocumentRow, DueDocument, SeenDocument } from './documents.js';
import { fromJson, present } from './row.js';
import { exactJson } from '../domain/json-numbers.js';

type Optional = Exclude<
  keyof DocumentRow,
  'seq' | 'version' | 'state' | 'id' | 'data' | 'firstSeenAt' | 'updatedAt' | keyof DocumentGroup
>;

/** A row as an engine returns it: null for absent fields, metadata as text. */
export type DocumentRecord = Omit<DocumentRow, Optional | 'data'> & {
  readonly [Name in Optional]: Exclude<DocumentRow[Name], undefined> | null;
} & { readonly data: string };

export const documentColumns = `seq, profile, company_id AS "companyId", family, id, access_key AS "accessKey", nsu, status,
  webhook_status AS "webhookStatus", type, issuer, issuer_name AS "issuerName", recipient, amount_text AS "amountText",
  issued_on AS "issuedOn", authorized_on AS "authorizedOn", created_on AS "createdOn", modified_on AS "modifiedOn", data, version,
  state, archive, path, sha256, bytes, xml_kind AS "xmlKind", archived_at AS "archivedAt", pdf_state AS "pdfState", pdf_path AS "pdfPath",
  pdf_sha256 AS "pdfSha256", pdf_bytes AS "pdfBytes", signature, reason, first_seen_at AS "firstSeenAt", updated_at AS "updatedAt"`;

export function toDocument(record: DocumentRecord): DocumentRow {
  return present({ ...record, data: fromJson(record.data) });
}

/** A document with work to do, as an engine returns it. */
export type DueRecord = Pick<DocumentRecord, keyof DueDocument>;

export const dueColumns =
  'seq, version, id, access_key AS "accessKey", issuer, issued_on AS "issuedOn", status, state, archive, path, xml_kind AS "xmlKind", pdf_state AS "pdfState"';

type Value = string | number | null;

/** The columns filled from a list row. */
const seenColumns: Readonly<Record<string, (seen: SeenDocument) => Value>> = {
  access_key: ({ accessKey = null }) => accessKey,
  nsu: ({ nsu = null }) => nsu,
  nsu_number: ({ nsu }) => nsuNumberOf(nsu),
  status: ({ status = null }) => status,
  webhook_status: ({ webhookStatus = null }) => webhookStatus,
  type: ({ type = null }) => type,
  issuer: ({ issuer = null }) => issuer,
  issuer_name: ({ issuerName = null }) => issuerName,
  recipient: ({ recipient = null }) => recipient,
  amount_text: ({ amountText = null }) => amountText,
  issued_on: ({ issuedOn = null }) => issuedOn,
  issued_at: ({ issuedOn }) => issuedAtOf(issuedOn),
  authorized_on: ({ authorizedOn = null }) => authorizedOn,
  created_on: ({ createdOn = null }) => createdOn,
  modified_on: ({ modifiedOn = null }) => modifiedOn,
  data: ({ data }) => dataText(data),
};

export const seenNames = Object.keys(seenColumns);
const seenReaders = Object.values(seenColumns);

/** In the order of `seenNames`: binding twenty values by name would cost more than inserting them. */
export function seenValues(seen: SeenDocument): Value[] {
  return seenReaders.map((read) => read(seen));
}

/** Larger metadata, in characters, is not stored. */
const MAX_DATA = 64 * 1024;

function dataText(data: unknown): string {
  const text = exactJson(data);
  return text.length > MAX_DATA ? JSON.stringify({ tooLarge: text.length }) : text;
}

/** Documents without a readable time sort as the oldest. */
export function issuedAtOf(issuedOn: string | undefined): number {
  const at = Date.parse(issuedOn ?? '');
  return Number.isNaN(at) ? 0 : at;
}

/** Up to 15 digits; anything else is stored only as text. */
export function nsuNumberOf(nsu: string | undefined): number | null {
  return nsu !== undefined && /^\d{1,15}$/.test(nsu) ? Number(nsu) : null;
}
