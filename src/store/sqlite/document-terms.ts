import type { DocumentRows, TermDocument } from '../documents.js';
import type { Connection } from './connection.js';
import { present } from './row.js';

/** The day that the authorisation carries, or the issue where that is missing; empty when it carries none. */
const carriedDay = `CASE WHEN coalesce(authorized_on, issued_on) GLOB '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*'
  THEN substr(coalesce(authorized_on, issued_on), 1, 10) ELSE '' END`;

export const dayIndex = `
  CREATE INDEX documents_by_day ON documents (profile, family, (${carriedDay}));
`;

type Optional = Exclude<keyof TermDocument, 'companyId' | 'id' | 'data'>;

type TermRecord = Pick<TermDocument, 'companyId' | 'id'> & {
  readonly [Name in Optional]: Exclude<TermDocument[Name], undefined> | null;
} & { readonly holder: unknown; readonly operationType: unknown };

/** Terms count from one day, so the documents whose term ends within a week stand together in the index. */
export function createDatedDocuments({ statement, read }: Connection): Pick<DocumentRows, 'dated'> {
  const dated = statement<[Record<string, unknown>], TermRecord>(
    `SELECT company_id AS companyId, id, access_key AS accessKey, nsu, status, issuer, recipient, amount_text AS amountText,
       issued_on AS issuedOn, authorized_on AS authorizedOn, xml_kind AS xmlKind,
       data ->> '$.company.federalTaxNumber' AS holder, data ->> '$.operationType' AS operationType
     FROM documents INDEXED BY documents_by_day
     WHERE profile = @profile AND family = @family AND ${carriedDay} BETWEEN @from AND @to`,
  );
  return {
    dated: ({ profile, families, days }) =>
      read(() =>
        families.flatMap((family) =>
          [...days, { from: '', to: '' }].flatMap((range) =>
            dated()
              .all({ profile, family, ...range })
              .map(toTermDocument),
          ),
        ),
      ),
  };
}

function toTermDocument({ holder, operationType, ...row }: TermRecord): TermDocument {
  return { ...present(row), data: { company: { federalTaxNumber: holder }, operationType } };
}
