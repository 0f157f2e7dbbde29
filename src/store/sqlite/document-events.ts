import type { EventRows } from '../documents.js';
import {
  eventColumns,
  eventFactColumns,
  type EventRecord,
  finishedEvent,
  toEvent,
} from '../event-columns.js';
import type { Connection } from './connection.js';
import { groupOf, readAgain } from './cursors.js';
import { createOwing } from './owed.js';

const inGroup = 'profile = @profile AND company_id = @companyId AND family = @family';

function statements({ statement }: Connection) {
  const insert = statement<[Record<string, unknown>]>(
    `INSERT INTO document_events (profile, company_id, family, document_id, event_key, type, description, nsu, issued_on,
       created_on, state, due, first_seen_at, code, sequence, answer_code, answer_text, protocol, author, substitute_key,
       registered)
     VALUES (@profile, @companyId, @family, @documentId, @eventKey, @type, @description, @nsu, @issuedOn,
       @createdOn, 'wanted', 1, @at, @code, @sequence, @answerCode, @answerText, @protocol, @author, @substituteKey,
       @registered)
     ON CONFLICT DO NOTHING`,
  );
  // The first row of an event may have named less: an id alone.
  const learn = statement<[Record<string, unknown>]>(
    `UPDATE document_events SET type = coalesce(type, @type), description = coalesce(description, @description),
       nsu = coalesce(nsu, @nsu), issued_on = coalesce(issued_on, @issuedOn), created_on = coalesce(created_on, @createdOn),
       code = @code, sequence = @sequence, substitute_key = @substituteKey, registered = @registered
     WHERE ${inGroup} AND document_id = @documentId AND event_key = @eventKey AND code IS NULL AND @code IS NOT NULL`,
  );
  const work = statement<[Record<string, unknown>], EventRecord>(
    `SELECT ${eventColumns} FROM document_events WHERE ${inGroup} AND due = 1 AND seq > @afterSeq ORDER BY seq LIMIT +@limit`,
  );
  const finish = statement<[Record<string, unknown>]>(
    `UPDATE document_events SET state = @state, due = @due, archive = coalesce(@archive, archive), path = coalesce(@path, path),
       sha256 = coalesce(@sha256, sha256), bytes = coalesce(@bytes, bytes), archived_at = coalesce(@archivedAt, archived_at),
       code = coalesce(@code, code), sequence = coalesce(@sequence, sequence),
       answer_code = coalesce(@answerCode, answer_code), answer_text = coalesce(@answerText, answer_text),
       protocol = coalesce(@protocol, protocol), author = coalesce(@author, author),
       substitute_key = coalesce(@substituteKey, substitute_key), registered = coalesce(@registered, registered),
       reason = iif(@keepReason, reason, @reason)
     WHERE seq = @seq`,
  );
  const wantAgain = statement<[Record<string, unknown>]>(
    `UPDATE document_events SET state = 'wanted', due = 1
     WHERE ${inGroup} AND state = 'archived' AND archive IS NOT @archive`,
  );
  const ofDocument = statement<[Record<string, unknown>], EventRecord>(
    `SELECT ${eventColumns} FROM document_events WHERE ${inGroup} AND document_id = @documentId ORDER BY issued_on, seq`,
  );
  // The documents lead: the planner would read every event of the family first.
  const ofDocuments = statement<[Record<string, unknown>], EventRecord>(
    `SELECT ${eventColumns} FROM (SELECT value AS wanted FROM json_each(@documents)) CROSS JOIN document_events
     WHERE profile = @profile AND company_id = wanted ->> 0 AND family = @family
       AND document_id = wanted ->> 1
     ORDER BY issued_on, seq`,
  );
  const known = statement<[Record<string, unknown>], { readonly eventKey: string }>(
    `SELECT event_key AS "eventKey" FROM document_events
     WHERE ${inGroup} AND event_key IN (SELECT value FROM json_each(@eventKeys))`,
  );
  return { insert, learn, work, finish, wantAgain, known, ofDocument, ofDocuments };
}

export function createEventRows(connection: Connection): EventRows {
  const { read, write } = connection;
  const owing = createOwing(connection, 'document_events');
  const { insert, learn, work, finish, wantAgain, known, ofDocument, ofDocuments } = statements(connection);
  return {
    see: (group, events, at) =>
      write(() => {
        let added = 0;
        for (const { documentId, eventKey, facts, ...fields } of events) {
          const { type = null, description = null, nsu = null, issuedOn = null, createdOn = null } = fields;
          const row = { type, description, nsu, issuedOn, createdOn, documentId, eventKey, at };
          const values = { ...groupOf(group), ...row, ...eventFactColumns(facts) };
          const { changes } = insert().run(values);
          if (changes === 0) learn().run(values);
          added += changes;
        }
        return added;
      }, readAgain),
    due: (group, page) =>
      read(() =>
        work()
          .all({ ...groupOf(group), ...page })
          .map(toEvent),
      ),
    finish: (ends) =>
      write(() => {
        for (const { seq, patch, at } of ends) {
          finish().run({ seq, ...finishedEvent(patch) });
          if (!patch.due) owing(seq, patch.owed, at);
        }
      }, readAgain),
    wantNotIn: (group, archive) => write(() => wantAgain().run({ ...groupOf(group), archive }).changes),
    known: (group, eventKeys) =>
      read(() => {
        const rows = known().all({ ...groupOf(group), eventKeys: JSON.stringify(eventKeys) });
        return new Set(rows.map(({ eventKey }) => eventKey));
      }),
    of: (group, documentId) =>
      read(() =>
        ofDocument()
          .all({ ...groupOf(group), documentId })
          .map(toEvent),
      ),
    ofDocuments: ({ profile, family, documents }) =>
      read(() =>
        ofDocuments()
          .all({ profile, family, documents: JSON.stringify(documents) })
          .map(toEvent),
      ),
  };
}
