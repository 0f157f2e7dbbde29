import { termColumns, type TermRecord, toTermDocument } from '../document-columns.js';
import type { DocumentRows, TermDocument } from '../documents.js';
import { among, type Db, given, type Sql, sql, t } from '../sql.js';

/** Of all families and days at once, by an index of the documents. */
export const openDocuments = ({
  profile,
  families,
  days,
  companies,
}: Parameters<DocumentRows['open']>[0]): Sql => {
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
