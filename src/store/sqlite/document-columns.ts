import type { DocumentGroup, DocumentRow, SeenDocument } from '../documents.js';
import { fromJson, present } from './row.js';

type Optional = Exclude<
  keyof DocumentRow,
  'seq' | 'version' | 'state' | 'id' | 'data' | 'firstSeenAt' | 'updatedAt' | keyof DocumentGroup
>;

/** A row as SQLite gives it: null where a field is absent, the metadata still text. */
export type DocumentRecord = Omit<DocumentRow, Optional | 'data'> & {
  readonly [Name in Optional]: Exclude<DocumentRow[Name], undefined> | null;
} & { readonly data: string };

export const documentColumns = `seq, profile, company_id AS companyId, family, id, access_key AS accessKey, nsu, status,
  webhook_status AS webhookStatus, type, issuer, issuer_name AS issuerName, recipient, amount_text AS amountText,
  issued_on AS issuedOn, authorized_on AS authorizedOn, created_on AS createdOn, modified_on AS modifiedOn, data, version,
  state, archive, path, sha256, bytes, archived_at AS archivedAt, pdf_state AS pdfState, pdf_path AS pdfPath,
  pdf_sha256 AS pdfSha256, pdf_bytes AS pdfBytes, signature, reason, first_seen_at AS firstSeenAt, updated_at AS updatedAt`;

export function toDocument(record: DocumentRecord): DocumentRow {
  return present({ ...record, data: fromJson(record.data) });
}

/** What a list said, as parameters. */
export function seenParameters(seen: SeenDocument) {
  return {
    id: seen.id,
    accessKey: seen.accessKey ?? null,
    nsu: seen.nsu ?? null,
    nsuNumber: nsuNumberOf(seen.nsu),
    status: seen.status ?? null,
    webhookStatus: seen.webhookStatus ?? null,
    type: seen.type ?? null,
    issuer: seen.issuer ?? null,
    issuerName: seen.issuerName ?? null,
    recipient: seen.recipient ?? null,
    amountText: seen.amountText ?? null,
    issuedOn: seen.issuedOn ?? null,
    issuedAt: issuedAtOf(seen.issuedOn),
    authorizedOn: seen.authorizedOn ?? null,
    createdOn: seen.createdOn ?? null,
    modifiedOn: seen.modifiedOn ?? null,
    data: JSON.stringify(seen.data ?? null),
  };
}

/** What has no readable time sorts as the oldest. */
export function issuedAtOf(issuedOn: string | undefined): number {
  const at = Date.parse(issuedOn ?? '');
  return Number.isNaN(at) ? 0 : at;
}

/** Up to 15 digits; anything else stays text only. */
function nsuNumberOf(nsu: string | undefined): number | null {
  return nsu !== undefined && /^\d{1,15}$/.test(nsu) ? Number(nsu) : null;
}
