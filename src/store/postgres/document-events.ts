import type { EventRows } from '../documents.js';
import { eventColumns, type EventRecord, finishedEvent } from '../event-columns.js';
import { present } from '../row.js';
import { type Connection, rowsOf, type Values } from './connection.js';
import { groupOf, inGroup } from './cursors.js';
import { recordOwed } from './owed.js';

export function createEventRows({ all, run, together }: Connection): EventRows {
  const events = async (where: string, values: Values) =>
    (await all<EventRecord>(`SELECT ${eventColumns} FROM fiscal.document_events WHERE ${where}`, values)).map(
      (row) => present(row),
    );
  return {
    see: (group, seen, at) =>
      run(
        `INSERT INTO fiscal.document_events (profile, company_id, family, document_id, event_key, type, description, nsu,
           issued_on, created_on, state, due, first_seen_at)
         SELECT @profile, @companyId, @family, "documentId", "eventKey", type, description, nsu, "issuedOn", "createdOn",
           'wanted', 1, @at::bigint
         FROM ROWS FROM (json_to_recordset(@rows::json) AS ("documentId" text, "eventKey" text, type text,
           description text, nsu text, "issuedOn" text, "createdOn" text)) WITH ORDINALITY AS r
         WHERE NOT EXISTS (SELECT 1 FROM fiscal.document_events WHERE ${inGroup}
           AND document_id = "documentId" AND event_key = "eventKey")
         ORDER BY ordinality
         ON CONFLICT (profile, company_id, family, document_id, event_key) DO NOTHING`,
        { ...groupOf(group), at, rows: rowsOf(seen) },
      ),
    due: (group, page) =>
      events(`${inGroup} AND due = 1 AND seq > @afterSeq ORDER BY seq LIMIT @limit`, {
        ...groupOf(group),
        ...page,
      }),
    finish: (ends) =>
      together(async (queries) => {
        await queries.run(
          `UPDATE fiscal.document_events AS e SET state = r.state, due = r.due, archive = coalesce(r.archive, e.archive),
             path = coalesce(r.path, e.path), sha256 = coalesce(r.sha256, e.sha256), bytes = coalesce(r.bytes, e.bytes),
             archived_at = coalesce(r."archivedAt", e.archived_at),
             reason = CASE WHEN r."keepReason" = 1 THEN e.reason ELSE r.reason END
           FROM json_to_recordset(@rows::json) AS r (seq bigint, state text, due smallint, archive text, path text,
             sha256 text, bytes bigint, "archivedAt" bigint, "keepReason" smallint, reason text)
           WHERE e.seq = r.seq`,
          { rows: rowsOf(ends.map(({ seq, patch }) => ({ ...finishedEvent(patch), seq }))) },
        );
        const ended = ends.filter(({ patch }) => !patch.due);
        await recordOwed(
          queries,
          'document_events',
          ended.map(({ seq, patch, at }) => ({ seq, at, reason: patch.owed })),
        );
      }),
    wantNotIn: (group, archive) =>
      run(
        `UPDATE fiscal.document_events SET state = 'wanted', due = 1
         WHERE ${inGroup} AND state = 'archived' AND archive IS DISTINCT FROM @archive`,
        { ...groupOf(group), archive },
      ),
    of: (group, documentId) =>
      events(`${inGroup} AND document_id = @documentId ORDER BY issued_on NULLS FIRST, seq`, {
        ...groupOf(group),
        documentId,
      }),
    ofDocuments: ({ profile, family, documents }) =>
      events(
        `profile = @profile AND family = @family AND (company_id, document_id) IN
           (SELECT * FROM unnest(@companies::text[], @documents::text[])) ORDER BY issued_on NULLS FIRST, seq`,
        {
          ...{ profile, family },
          companies: documents.map(([companyId]) => companyId),
          documents: documents.map(([, documentId]) => documentId),
        },
      ),
  };
}
