import type { DocumentRows, TermDocument } from '../documents.js';
import type { Relation } from '../contradictions.js';
import type { Connection } from './connection.js';
import { decodedEvidence, type Encoded, evidenceColumns, type EvidenceRecord } from '../document-columns.js';
import { presentColumns } from '../row.js';

/** The day that the authorisation carries, or the issue where that is missing; empty when it carries none. `row`: with a point. */
const carriedDay = (row: string): string => {
  const at = `coalesce(${row}authorized_on, ${row}issued_on)`;
  return `CASE WHEN ${at} GLOB '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*' THEN substr(${at}, 1, 10) ELSE '' END`;
};

/** An earlier step; `openDocumentSchema` replaces it. */
export const dayIndex = `
  CREATE INDEX documents_by_day ON documents (profile, family, (${carriedDay('')}));
`;

const digits = '[0-9]'.repeat(6);
const keyEnd = '[0-9A-Z]'.repeat(44);
/** A key that contains a code, with a sequence of two or three digits. */
const isKey = (key: string, code: string): string =>
  `(${key} GLOB 'ID${code}${keyEnd}[0-9][0-9]' OR ${key} GLOB 'ID${code}${keyEnd}[0-9][0-9][0-9]')`;

/** As `codeOfListed` reads it: a confirmation, a disavowal, or an operation that did not take place. */
const isConclusive = (event: string): string => {
  const [key, type] = [`${event}event_key`, `${event}type`];
  return `CASE WHEN ${type} GLOB '${digits}'
    THEN ${type} GLOB '2102[024]0' AND (substr(${key}, 3, 6) = ${type} OR NOT ${isKey(key, digits)})
    ELSE ${isKey(key, '2102[024]0')} END`;
};

/**
 * The documents of which no conclusive event is listed: only they can have an open term. In the order of the day from which
 * terms count, so that those that end within a week stand together. Triggers keep the table whatever writes a document; an
 * event that is listed before its document leaves the document here, and its terms are then judged like those of the others.
 */
export const openDocumentSchema = `
  CREATE TABLE open_documents (
    profile TEXT NOT NULL,
    family TEXT NOT NULL,
    day TEXT NOT NULL,
    document INTEGER NOT NULL,
    PRIMARY KEY (profile, family, day, document)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO open_documents
    SELECT profile, family, ${carriedDay('d.')} AS day, seq FROM documents AS d
    WHERE family <> 'cte' AND NOT EXISTS (SELECT 1 FROM document_events AS e
      WHERE (e.profile, e.company_id, e.family, e.document_id) = (d.profile, d.company_id, d.family, d.id)
        AND ${isConclusive('e.')})
    ORDER BY profile, family, day, seq;
  CREATE TRIGGER open_document_added AFTER INSERT ON documents WHEN NEW.family <> 'cte' BEGIN
    INSERT INTO open_documents VALUES (NEW.profile, NEW.family, ${carriedDay('NEW.')}, NEW.seq);
  END;
  CREATE TRIGGER open_document_dated AFTER UPDATE OF authorized_on, issued_on ON documents
    WHEN ${carriedDay('OLD.')} <> ${carriedDay('NEW.')} BEGIN
    UPDATE open_documents SET day = ${carriedDay('NEW.')}
      WHERE (profile, family, day, document) = (OLD.profile, OLD.family, ${carriedDay('OLD.')}, OLD.seq);
  END;
  CREATE TRIGGER open_document_removed AFTER DELETE ON documents BEGIN
    DELETE FROM open_documents
      WHERE (profile, family, day, document) = (OLD.profile, OLD.family, ${carriedDay('OLD.')}, OLD.seq);
  END;
  CREATE TRIGGER open_document_settled AFTER INSERT ON document_events WHEN ${isConclusive('NEW.')} BEGIN
    DELETE FROM open_documents WHERE (profile, family, day, document) =
      (SELECT profile, family, ${carriedDay('')}, seq FROM documents
        WHERE (profile, company_id, family, id) = (NEW.profile, NEW.company_id, NEW.family, NEW.document_id));
  END;
  DROP INDEX documents_by_day;
`;

/** A confirmation, a disavowal, or an operation that did not take place, which the authority registered. */
function isFinal(event: string): string {
  return `coalesce(${event}registered = 1 AND ${event}code IN (210200, 210220, 210240), 0)`;
}

const settle = `DELETE FROM open_documents WHERE (profile, family, day, document) =
      (SELECT profile, family, term_day, seq FROM documents
        WHERE (profile, company_id, family, id) = (NEW.profile, NEW.company_id, NEW.family, NEW.document_id));`;

/**
 * What the XML of a document and of an event says, as columns: the day from which terms count is computed before it is written, and a
 * conclusive event is one with such a code that the authority registered.
 */
export const factSchema = `
  ALTER TABLE documents ADD COLUMN xml_facts TEXT CHECK (xml_facts IS NULL OR json_valid(xml_facts));
  ALTER TABLE documents ADD COLUMN term_day TEXT NOT NULL DEFAULT '';
  ALTER TABLE document_events ADD COLUMN code INTEGER;
  ALTER TABLE document_events ADD COLUMN sequence INTEGER;
  ALTER TABLE document_events ADD COLUMN answer_code TEXT;
  ALTER TABLE document_events ADD COLUMN answer_text TEXT;
  ALTER TABLE document_events ADD COLUMN protocol TEXT;
  ALTER TABLE document_events ADD COLUMN author TEXT;
  ALTER TABLE document_events ADD COLUMN substitute_key TEXT;
  ALTER TABLE document_events ADD COLUMN registered INTEGER CHECK (registered IN (0, 1));
  DROP TRIGGER open_document_added;
  DROP TRIGGER open_document_dated;
  DROP TRIGGER open_document_removed;
  DROP TRIGGER open_document_settled;
  UPDATE documents SET term_day = ${carriedDay('')};
  UPDATE document_events SET state = 'wanted', due = 1;
  CREATE TRIGGER open_document_added AFTER INSERT ON documents WHEN NEW.family <> 'cte' BEGIN
    INSERT INTO open_documents VALUES (NEW.profile, NEW.family, NEW.term_day, NEW.seq);
  END;
  CREATE TRIGGER open_document_dated AFTER UPDATE OF term_day ON documents WHEN OLD.term_day <> NEW.term_day BEGIN
    UPDATE open_documents SET day = NEW.term_day
      WHERE (profile, family, day, document) = (OLD.profile, OLD.family, OLD.term_day, OLD.seq);
  END;
  CREATE TRIGGER open_document_removed AFTER DELETE ON documents BEGIN
    DELETE FROM open_documents
      WHERE (profile, family, day, document) = (OLD.profile, OLD.family, OLD.term_day, OLD.seq);
  END;
  CREATE TRIGGER open_document_settled AFTER INSERT ON document_events WHEN ${isFinal('NEW.')} BEGIN
    ${settle}
  END;
  CREATE TRIGGER open_document_settled_later AFTER UPDATE OF code, registered ON document_events WHEN ${isFinal('NEW.')} BEGIN
    ${settle}
  END;
  CREATE TRIGGER open_document_reopened AFTER UPDATE OF code, registered ON document_events
    WHEN ${isFinal('OLD.')} AND NOT ${isFinal('NEW.')} BEGIN
    INSERT OR IGNORE INTO open_documents SELECT profile, family, term_day, seq FROM documents AS d
      WHERE (profile, company_id, family, id) = (NEW.profile, NEW.company_id, NEW.family, NEW.document_id)
        AND family <> 'cte' AND NOT EXISTS (SELECT 1 FROM document_events AS e
          WHERE (e.profile, e.company_id, e.family, e.document_id) = (d.profile, d.company_id, d.family, d.id)
            AND ${isFinal('e.')});
  END;
`;

const openKey = ['profile', 'family', 'day', 'document'];

/** What the triggers keep true. */
export const openDocumentRelations: readonly Relation[] = [
  {
    table: 'documents',
    key: ['seq', 'id'],
    column: 'seq',
    reason: {
      en: 'no conclusive event of the document is listed, and its terms would not be shown',
      pt: 'nenhum evento conclusivo do documento está listado, e os prazos dele não seriam mostrados',
    },
    where: () =>
      `r.family <> 'cte' AND NOT EXISTS (SELECT 1 FROM open_documents AS o
           WHERE (o.profile, o.family, o.day, o.document) = (r.profile, r.family, r.term_day, r.seq))
         AND NOT EXISTS (SELECT 1 FROM document_events AS e
           WHERE (e.profile, e.company_id, e.family, e.document_id) = (r.profile, r.company_id, r.family, r.id)
             AND ${isFinal('e.')})`,
  },
  {
    table: 'open_documents',
    key: openKey,
    column: 'document',
    reason: {
      en: 'there is no document with this number, profile, family and day',
      pt: 'não há documento com este número, perfil, família e dia',
    },
    where: () =>
      `NOT EXISTS (SELECT 1 FROM documents AS d WHERE d.seq = r.document AND d.profile = r.profile
         AND d.family = r.family AND d.term_day = r.day)`,
  },
];

type RequiredTerm = 'companyId' | 'family' | 'id';

type Optional = Exclude<keyof TermDocument, RequiredTerm | Encoded>;

type TermRecord = Pick<TermDocument, RequiredTerm> & {
  readonly [Name in Optional]: Exclude<TermDocument[Name], undefined> | null;
} & EvidenceRecord & {
    readonly holder: unknown;
    readonly operationType: unknown;
    readonly substituteAccessKey: unknown;
  };

/** The days lead through the table, and each of its rows to its document: what else is stored is not read. */
export const openDocumentQuery = `SELECT company_id AS companyId, d.family, id, access_key AS accessKey, nsu, status, issuer, recipient, amount_text AS amountText,
       issued_on AS issuedOn, authorized_on AS authorizedOn, xml_kind AS xmlKind, o.day AS termDay,
       data ->> '$.company.federalTaxNumber' AS holder, data ->> '$.operationType' AS operationType,
       data ->> '$.substituteAccessKey' AS substituteAccessKey, ${evidenceColumns('', 'd')}
     FROM open_documents AS o CROSS JOIN documents AS d ON d.seq = o.document
     WHERE o.profile = @profile AND o.family = @family AND o.day BETWEEN @from AND @to
       AND (@companies IS NULL OR d.company_id IN (SELECT value FROM json_each(@companies)))`;

export function createOpenDocuments({ statement, read }: Connection): Pick<DocumentRows, 'open'> {
  const open = statement<[Record<string, unknown>], TermRecord>(openDocumentQuery);
  return {
    open: ({ profile, families, days, companies }) =>
      read(() => {
        const ids = companies === undefined ? null : JSON.stringify(companies);
        return families.flatMap((family) =>
          [...days, { from: '', to: '' }].flatMap((range) =>
            open()
              .all({ profile, family, ...range, companies: ids })
              .map(toTermDocument),
          ),
        );
      }),
  };
}

function toTermDocument({
  holder,
  operationType,
  substituteAccessKey,
  facts,
  eventCodes,
  refused,
  ...row
}: TermRecord): TermDocument {
  const data = { company: { federalTaxNumber: holder }, operationType, substituteAccessKey };
  return { ...presentColumns(row), ...decodedEvidence({ facts, eventCodes, refused }), data };
}
