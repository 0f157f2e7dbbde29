import { type DocumentRecord, documentColumns, issuedAtOf, toDocument } from '../document-columns.js';
import type { DocumentFilter, DocumentRows } from '../documents.js';
import type { Connection } from './connection.js';

/** One index lookup per company: DISTINCT would read every row. */
export const companiesOf = `WITH RECURSIVE found (company) AS (
    SELECT min(company_id) FROM fiscal.documents WHERE profile = @profile
    UNION ALL
    SELECT (SELECT min(company_id) FROM fiscal.documents WHERE profile = @profile AND company_id > company)
    FROM found WHERE company IS NOT NULL)
  SELECT company AS "companyId" FROM found WHERE company IS NOT NULL`;

/** The conditions that a filter may add, by its field. */
const conditions: Readonly<Partial<Record<keyof DocumentFilter, string>>> = {
  companies: 'company_id = ANY (@companies)',
  families: 'family = ANY (@families)',
  since: 'issued_at >= @since',
  until: 'issued_at < @until',
  seenSince: 'first_seen_at >= @seenSince',
  seenUntil: 'first_seen_at < @seenUntil',
  status: 'status = @status',
  webhookStatus: 'webhook_status = @webhookStatus',
  issuer: 'issuer = @issuer',
  accessKey: 'access_key = @accessKey',
  nsuAfter: 'nsu_number > @nsuAfter',
  states: 'state = ANY (@states)',
  summaries: "xml_kind IS DISTINCT FROM 'full' AND path IS NOT NULL AND xml_kind = 'summary'",
  after: `(company_id, family) >= (@afterCompany, @afterFamily) AND ((company_id, family) > (@afterCompany, @afterFamily)
    OR (issued_at, seq) < (@afterIssued, @afterSeq))`,
};

/** By company and family, the newest issue first, which is the order of an index. */
export function createDocumentList({ all }: Connection): Pick<DocumentRows, 'list' | 'companies'> {
  return {
    companies: async (profile) =>
      (await all<{ companyId: string }>(companiesOf, { profile })).map(({ companyId }) => companyId),
    list: async (filter) => {
      const { after } = filter;
      const given = Object.entries(conditions).filter(([name]) => name in filter);
      const records = await all<DocumentRecord>(
        `SELECT ${documentColumns('fiscal.')} FROM fiscal.documents
         WHERE ${['profile = @profile', ...given.map(([, sql]) => sql)].join(' AND ')}
         ORDER BY company_id, family, issued_at DESC, seq DESC LIMIT @limit`,
        {
          ...filter,
          afterCompany: after?.companyId,
          afterFamily: after?.family,
          afterIssued: after && issuedAtOf(after),
          afterSeq: after?.seq,
        },
      );
      return records.map(toDocument);
    },
  };
}
