import type { EventRows, SeenEvent } from '../documents.js';
import {
  eventColumns,
  eventFactColumns,
  type EventRecord,
  finishedEvent,
  toEvent,
} from '../event-columns.js';
import { type Connection, rowsOf, type Values } from './connection.js';
import { groupOf, inGroup } from './cursors.js';
import { recordOwed } from './owed.js';

/** The columns of `eventFactColumns`, for `json_to_recordset`. */
const factRecord = `code bigint, sequence bigint, "answerCode" text, "answerText" text, protocol text, author text,
  "substituteKey" text, registered smallint`;

const seenRecord = `"documentId" text, "eventKey" text, type text, description text, nsu text, "issuedOn" text,
  "createdOn" text, ${factRecord}`;

function seenRow({ facts, ...row }: SeenEvent): object {
  return { ...row, ...eventFactColumns(facts) };
}

export function createEventRows({ all, run, together }: Connection): EventRows {
  const events = async (where: string, values: Values) =>
    (await all<EventRecord>(`SELECT ${eventColumns} FROM fiscal.document_events WHERE ${where}`, values)).map(
      toEvent,
    );
  return {
    see: (group, seen, at) =>
      together(async (queries) => {
        const values = { ...groupOf(group), at, rows: rowsOf(seen.map(seenRow)) };
        // The first row of an event may have named less: an id alone.
        await queries.run(
          `UPDATE fiscal.document_events AS e SET type = coalesce(e.type, r.type),
             description = coalesce(e.description, r.description), nsu = coalesce(e.nsu, r.nsu),
             issued_on = coalesce(e.issued_on, r."issuedOn"), created_on = coalesce(e.created_on, r."createdOn"),
             code = r.code, sequence = r.sequence, substitute_key = r."substituteKey", registered = r.registered
           FROM json_to_recordset(@rows::json) AS r (${seenRecord})
           WHERE e.profile = @profile AND e.company_id = @companyId AND e.family = @family
             AND e.document_id = r."documentId" AND e.event_key = r."eventKey" AND e.code IS NULL AND r.code IS NOT NULL`,
          values,
        );
        return await queries.run(
          `INSERT INTO fiscal.document_events (profile, company_id, family, document_id, event_key, type, description, nsu,
           issued_on, created_on, state, due, first_seen_at, code, sequence, answer_code, answer_text, protocol, author,
           substitute_key, registered)
         SELECT @profile, @companyId, @family, "documentId", "eventKey", type, description, nsu, "issuedOn", "createdOn",
           'wanted', 1, @at::bigint, code, sequence, "answerCode", "answerText", protocol, author, "substituteKey", registered
         FROM ROWS FROM (json_to_recordset(@rows::json) AS (${seenRecord})) WITH ORDINALITY AS r
         WHERE NOT EXISTS (SELECT 1 FROM fiscal.document_events WHERE ${inGroup}
           AND document_id = "documentId" AND event_key = "eventKey")
         ORDER BY ordinality
         ON CONFLICT (profile, company_id, family, document_id, event_key) DO NOTHING`,
          values,
        );
      }),
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
             code = coalesce(r.code, e.code), sequence = coalesce(r.sequence, e.sequence),
             answer_code = coalesce(r."answerCode", e.answer_code), answer_text = coalesce(r."answerText", e.answer_text),
             protocol = coalesce(r.protocol, e.protocol), author = coalesce(r.author, e.author),
             substitute_key = coalesce(r."substituteKey", e.substitute_key), registered = coalesce(r.registered, e.registered),
             reason = CASE WHEN r."keepReason" = 1 THEN e.reason ELSE r.reason END
           FROM json_to_recordset(@rows::json) AS r (seq bigint, state text, due smallint, archive text, path text,
             sha256 text, bytes bigint, "archivedAt" bigint, "keepReason" smallint, reason text, ${factRecord})
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
    known: async (group, eventKeys) => {
      const rows = await all<{ readonly eventKey: string }>(
        `SELECT event_key AS "eventKey" FROM fiscal.document_events WHERE ${inGroup} AND event_key = ANY(@eventKeys::text[])`,
        { ...groupOf(group), eventKeys },
      );
      return new Set(rows.map(({ eventKey }) => eventKey));
    },
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
