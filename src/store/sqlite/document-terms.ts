import type { Relation } from '../contradictions.js';
import { termColumns, type TermRecord, toTermDocument } from '../document-columns.js';
import type { Days, DocumentRows, TermDocument } from '../documents.js';
import { among, type Db, given, type Sql, sql, t } from '../sql.js';

/** A confirmation, a disavowal, or an operation that did not take place, which the authority registered. */
function isFinal(event: string): string {
  return `coalesce(${event}registered = 1 AND ${event}code IN (210200, 210220, 210240), 0)`;
}

const settle = `DELETE FROM open_documents WHERE (profile, family, day, document) =
      (SELECT profile, family, term_day, seq FROM documents
        WHERE (profile, company_id, family, id) = (NEW.profile, NEW.company_id, NEW.family, NEW.document_id));`;

/**
 * They keep the table `open_documents`, whatever writes a document: those of which no conclusive event is listed, which alone can
 * have an open term. An event that is listed before its document leaves the document there, and its terms are then judged like those
 * of the others.
 */
export const openDocumentTriggers = `
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

/** The days lead through the table, and each of its rows to its document: what else is stored is not read. */
export const openDocumentsBetween = (
  { profile, companies }: Pick<Parameters<DocumentRows['open']>[0], 'profile' | 'companies'>,
  family: string,
  { from, to }: Days,
): Sql => sql`SELECT ${termColumns} FROM ${t.open_documents} AS o CROSS JOIN ${t.documents} AS d ON d.seq = o.document
  WHERE o.profile = ${profile} AND o.family = ${family} AND o.day BETWEEN ${from} AND ${to}
    ${given(companies, sql`AND d.company_id ${among(companies ?? [])}`)}`;

export function createOpenDocuments(db: Db): Pick<DocumentRows, 'open'> {
  return {
    async open({ families, days, ...of }) {
      const found: TermDocument[] = [];
      for (const family of families)
        for (const range of [...days, { from: '', to: '' }])
          found.push(
            ...(await db.all<TermRecord, TermDocument>(openDocumentsBetween(of, family, range), toTermDocument)),
          );
      return found;
    },
  };
}
