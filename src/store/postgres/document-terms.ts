import { isRecord } from '../../domain/record.js';
import { exactJson } from '../../domain/json-numbers.js';
import type { DocumentRows, TermDocument } from '../documents.js';
import { decodedEvidence, type Encoded, evidenceColumns, type EvidenceRecord } from '../document-columns.js';
import { fromJson, presentColumns } from '../row.js';
import type { Connection } from './connection.js';

/** What of the metadata decides about terms, as its own column: the rest would dominate the cost of reading it. */
export function termDataOf(data: unknown): string {
  const { company, operationType = null, substituteAccessKey = null } = isRecord(data) ? data : {};
  const { federalTaxNumber = null } = isRecord(company) ? company : {};
  return exactJson({ company: { federalTaxNumber }, operationType, substituteAccessKey });
}

type RequiredTerm = 'companyId' | 'family' | 'id';

type Optional = Exclude<keyof TermDocument, RequiredTerm | Encoded>;

type TermRecord = Pick<TermDocument, RequiredTerm> & {
  readonly [Name in Optional]: Exclude<TermDocument[Name], undefined> | null;
} & { readonly data: string } & EvidenceRecord;

export function createOpenDocuments({ all }: Connection): Pick<DocumentRows, 'open'> {
  return {
    open: async ({ profile, families, days, companies }) =>
      (
        await all<TermRecord>(
          `SELECT company_id AS "companyId", d.family, id, access_key AS "accessKey", nsu, status, issuer, recipient,
             amount_text AS "amountText", issued_on AS "issuedOn", authorized_on AS "authorizedOn", xml_kind AS "xmlKind",
             term_day AS "termDay", term_data AS data, ${evidenceColumns('fiscal.', 'd')}
           FROM unnest(@families::text[]) WITH ORDINALITY AS f (wanted, family_order)
           CROSS JOIN unnest(@from::text[], @to::text[]) WITH ORDINALITY AS r (first_day, last_day, range_order)
           JOIN fiscal.documents AS d ON d.profile = @profile AND d.family = wanted AND d.family <> 'cte'
             AND d.term_day >= first_day AND d.term_day <= last_day
             AND (@companies::text[] IS NULL OR d.company_id = ANY (@companies))
           WHERE NOT EXISTS (SELECT 1 FROM fiscal.document_events AS e
             WHERE (e.profile, e.company_id, e.family, e.document_id) = (d.profile, d.company_id, d.family, d.id)
               AND e.is_conclusive)
           ORDER BY family_order, range_order, d.term_day, d.seq`,
          {
            ...{ profile, families, companies },
            from: [...days.map(({ from }) => from), ''],
            to: [...days.map(({ to }) => to), ''],
          },
        )
      ).map(({ facts, eventCodes, refused, data, ...columns }) => ({
        ...presentColumns(columns),
        ...decodedEvidence({ facts, eventCodes, refused }),
        data: fromJson(data),
      })),
  };
}
