import { type DocumentRecord, documentColumns, toDocument } from '../document-columns.js';
import { issuedAtOf } from '../document-dates.js';
import type { DocumentFilter, DocumentRow, DocumentRows } from '../documents.js';
import { among, type Db, given, limited, nothing, type Sql, sql, t } from '../sql.js';

/** By company and family, the newest issue first, which is the order of an index. */
export function createDocumentList(db: Db): Pick<DocumentRows, 'list'> {
  return { list: (filter) => db.all<DocumentRecord, DocumentRow>(listed(filter), toDocument) };
}

function listed(filter: DocumentFilter): Sql {
  const { profile, companies, families, since, until, seenSince, seenUntil, after } = filter;
  const { status, webhookStatus, issuer, accessKey, nsuAfter, states, summaries, limit } = filter;
  return sql`SELECT ${documentColumns} FROM ${t.documents} WHERE profile = ${profile}
      ${given(companies, sql`AND company_id ${among(companies ?? [])}`)}
      ${given(families, sql`AND family ${among(families ?? [])}`)}
      ${given(since, sql`AND issued_at >= ${since}`)} ${given(until, sql`AND issued_at < ${until}`)}
      ${given(seenSince, sql`AND first_seen_at >= ${seenSince}`)} ${given(seenUntil, sql`AND first_seen_at < ${seenUntil}`)}
      ${given(status, sql`AND status = ${status}`)} ${given(webhookStatus, sql`AND webhook_status = ${webhookStatus}`)}
      ${given(issuer, sql`AND issuer = ${issuer}`)} ${given(accessKey, sql`AND access_key = ${accessKey}`)}
      ${given(nsuAfter, sql`AND nsu_number > ${nsuAfter}`)}
      ${given(states, sql`AND state ${among(states ?? [])}`)}
      ${given(summaries, sql`AND xml_kind IS DISTINCT FROM 'full' AND path IS NOT NULL AND xml_kind = 'summary'`)}
      ${after === undefined ? nothing : isAfter(after)}
    ORDER BY company_id, family, issued_at DESC, seq DESC ${limited(limit)}`;
}

function isAfter(after: DocumentRow): Sql {
  const { companyId, family, seq } = after;
  return sql`AND (company_id, family) >= (${companyId}, ${family}) AND ((company_id, family) > (${companyId}, ${family})
    OR (issued_at, seq) < (${issuedAtOf(after)}, ${seq}))`;
}
