import {
  documentColumns,
  termColumns,
  toDocument,
  toTermDocument,
  type DocumentRecord,
  type TermRecord,
} from '../document-columns.js';
import type { DocumentFilter, DocumentRow, DocumentRows, TermDocument } from '../documents.js';
import { among, given, limited, nothing, sql, t, type Db, type Sql } from '../sql.js';
import { issuedAtOf } from '../document-dates.js';

/** Of all families and days at once, by an index of the documents. */
export const openDocuments = ({ profile, families, days, companies }: Parameters<DocumentRows['open']>[0]): Sql => {
  const from = [...days.map((range) => range.from), ''];
  const to = [...days.map((range) => range.to), ''];
  return sql`SELECT ${termColumns}
    FROM unnest(CAST(${families} AS text[])) WITH ORDINALITY AS f (wanted, family_order)
    CROSS JOIN unnest(CAST(${from} AS text[]), CAST(${to} AS text[])) WITH ORDINALITY AS r (first_day, last_day, range_order)
    JOIN ${t.documents} AS d ON d.profile = ${profile} AND d.family = wanted AND d.family <> 'cte'
      AND d.term_day >= first_day AND d.term_day <= last_day
      ${given(companies, sql`AND d.company_id ${among(companies ?? [])}`)}
    WHERE NOT EXISTS (SELECT 1 FROM ${t.document_events} AS e
      WHERE (e.profile, e.company_id, e.family, e.document_id) = (d.profile, d.company_id, d.family, d.id)
        AND e.is_conclusive)
    ORDER BY family_order, range_order, d.term_day, d.seq`;
};

export function createOpenDocuments(db: Db): Pick<DocumentRows, 'open'> {
  return { open: (filter) => db.all<TermRecord, TermDocument>(openDocuments(filter), toTermDocument) };
}

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
