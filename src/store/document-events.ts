import { reasonIn, reasonText } from './item-history.js';
import { type EventFacts, isRegistered } from '../domain/document-fact.js';
import { inGroup, readAgain } from './cursors.js';
import type { EventPatch, EventRow, EventRows, SeenEvent } from './documents.js';
import { recordOwed } from './owed.js';
import { present } from '../domain/record.js';

import { among, type Db, fieldsOf, limited, Part, run, type Sql, sql, t, words } from './sql.js';

type Optional = Exclude<
  keyof EventRow,
  'seq' | 'profile' | 'companyId' | 'family' | 'documentId' | 'eventKey' | 'state' | 'facts' | 'reason'
>;

/** An event as an engine returns it: null for absent fields. */
type EventRecord = Omit<EventRow, Optional | 'facts' | 'reason'> & {
  readonly [Name in Optional]: Exclude<EventRow[Name], undefined> | null;
} & { readonly reason: string | null } & FactColumns;

interface FactColumns {
  readonly code: number | null;
  readonly sequence: number | null;
  readonly answerCode: string | null;
  readonly answerText: string | null;
  readonly protocol: string | null;
  readonly author: string | null;
  readonly substituteKey: string | null;
}

function toEvent(record: EventRecord): EventRow {
  const { code, sequence, answerCode, answerText, protocol, author, substituteKey, ...row } = record;
  const facts =
    code === null
      ? {}
      : {
          facts: {
            ...{ code, sequence: sequence ?? 1 },
            ...present({ answerCode, answerText, protocol, author, substituteKey }),
          },
        };
  return { ...present({ ...row, reason: reasonIn(row.reason) }), ...facts };
}

/** The columns of what is known of an event. `registered`: as `isRegistered` says. */
function eventFactColumns(facts: EventFacts | undefined) {
  const { code, sequence, answerCode, answerText, protocol, author, substituteKey } =
    facts ?? ({} as Partial<EventFacts>);
  return {
    ...{ code: code ?? null, sequence: sequence ?? null, answerCode: answerCode ?? null },
    ...{ answerText: answerText ?? null, protocol: protocol ?? null, author: author ?? null },
    substituteKey: substituteKey ?? null,
    registered: facts === undefined ? null : Number(isRegistered(facts)),
  };
}

const columns =
  words(`seq, profile, company_id AS "companyId", family, document_id AS "documentId", event_key AS "eventKey", type,
  description, nsu, issued_on AS "issuedOn", created_on AS "createdOn", state, archive, path, sha256, bytes,
  archived_at AS "archivedAt", reason, code, sequence, answer_code AS "answerCode", answer_text AS "answerText", protocol, author,
  substitute_key AS "substituteKey"`);

/** The columns that the work on an event changes. */
function finishedEvent({ file, ...patch }: EventPatch) {
  return {
    state: patch.state,
    due: patch.due ? 1 : 0,
    archive: patch.archive ?? null,
    path: file?.path ?? null,
    sha256: file?.sha256 ?? null,
    bytes: file?.bytes ?? null,
    archivedAt: patch.archivedAt ?? null,
    keepReason: patch.reason === undefined ? 1 : 0,
    reason: reasonText(patch.reason ?? null),
    ...eventFactColumns(patch.facts),
  };
}

const facts = {
  ...({
    code: 'int',
    sequence: 'int',
    answerCode: 'text',
    answerText: 'text',
    protocol: 'text',
    author: 'text',
  } as const),
  ...({ substituteKey: 'text', registered: 'int' } as const),
};

const seen = fieldsOf({
  ...({ documentId: 'text', eventKey: 'text', type: 'text', description: 'text', nsu: 'text' } as const),
  ...({ issuedOn: 'text', createdOn: 'text' } as const),
  ...facts,
});

const ended = fieldsOf({
  ...({ seq: 'int', state: 'text', due: 'int', archive: 'text', path: 'text', sha256: 'text', bytes: 'int' } as const),
  ...({ archivedAt: 'int', keepReason: 'int', reason: 'text' } as const),
  ...facts,
});

function seenRow({ facts, ...row }: SeenEvent): object {
  return { ...row, ...eventFactColumns(facts) };
}

/** Pairs of a company and a document: they lead, because the planner would read every event of the family first. */
const pairs = {
  begin: new Part(
    '(SELECT value ->> 0 AS of_company, value ->> 1 AS of_document FROM json_each(',
    '(SELECT value ->> 0 AS of_company, value ->> 1 AS of_document FROM json_array_elements(CAST(',
  ),
  end: new Part(')) AS pairs', ' AS json))) AS pairs'),
};

export const eventsOfDocuments = ({
  profile,
  family,
  documents,
}: Parameters<EventRows['ofDocuments']>[0]): Sql => sql`SELECT ${columns}
  FROM ${pairs.begin}${JSON.stringify(documents)}${pairs.end} CROSS JOIN ${t.document_events}
  WHERE profile = ${profile} AND company_id = of_company AND family = ${family} AND document_id = of_document
  ORDER BY issued_on NULLS FIRST, seq`;

export function createEventRows(db: Db): EventRows {
  return {
    see: (group, events, at) =>
      db.together(function* () {
        const { profile, companyId, family } = group;
        const rows = events.map(seenRow);
        const added = yield* run(
          sql`INSERT INTO ${t.document_events} (profile, company_id, family, document_id, event_key, type, description, nsu,
              issued_on, created_on, state, due, first_seen_at, code, sequence, answer_code, answer_text, protocol, author,
              substitute_key, registered)
            ${seen.each} ${profile}, ${companyId}, ${family}, ${seen.documentId}, ${seen.eventKey}, ${seen.type},
              ${seen.description}, ${seen.nsu}, ${seen.issuedOn}, ${seen.createdOn}, 'wanted', 1, CAST(${at} AS bigint),
              ${seen.code}, ${seen.sequence}, ${seen.answerCode}, ${seen.answerText}, ${seen.protocol}, ${seen.author},
              ${seen.substituteKey}, ${seen.registered} ${seen.end}
            ON CONFLICT (profile, company_id, family, document_id, event_key) DO NOTHING`.for(rows),
        );
        // The first row of an event may have named less: an id alone.
        const telling = events.flatMap(({ facts }, index) => (facts === undefined ? [] : [rows[index] ?? {}]));
        if (added < events.length && telling.length > 0)
          yield* run(
            sql`UPDATE ${t.document_events} AS e SET type = coalesce(e.type, ${seen.type}),
                description = coalesce(e.description, ${seen.description}), nsu = coalesce(e.nsu, ${seen.nsu}),
                issued_on = coalesce(e.issued_on, ${seen.issuedOn}), created_on = coalesce(e.created_on, ${seen.createdOn}),
                code = ${seen.code}, sequence = ${seen.sequence}, substitute_key = ${seen.substituteKey},
                registered = ${seen.registered}
              ${seen.from}
              WHERE e.profile = ${profile} AND e.company_id = ${companyId} AND e.family = ${family}
                AND e.document_id = ${seen.documentId} AND e.event_key = ${seen.eventKey} AND e.code IS NULL`.for(
              telling,
            ),
          );
        return added;
      }, readAgain),
    due: (group, { afterSeq, limit }) =>
      db.all(
        sql`SELECT ${columns} FROM ${t.document_events}
          WHERE ${inGroup(group)} AND due = 1 AND seq > ${afterSeq} ORDER BY seq ${limited(limit)}`,
        toEvent,
      ),
    finish: (ends) =>
      db.together(function* () {
        yield* run(
          sql`UPDATE ${t.document_events} AS e SET state = ${ended.state}, due = ${ended.due},
              archive = coalesce(${ended.archive}, e.archive), path = coalesce(${ended.path}, e.path),
              sha256 = coalesce(${ended.sha256}, e.sha256), bytes = coalesce(${ended.bytes}, e.bytes),
              archived_at = coalesce(${ended.archivedAt}, e.archived_at),
              code = coalesce(${ended.code}, e.code), sequence = coalesce(${ended.sequence}, e.sequence),
              answer_code = coalesce(${ended.answerCode}, e.answer_code), answer_text = coalesce(${ended.answerText}, e.answer_text),
              protocol = coalesce(${ended.protocol}, e.protocol), author = coalesce(${ended.author}, e.author),
              substitute_key = coalesce(${ended.substituteKey}, e.substitute_key),
              registered = coalesce(${ended.registered}, e.registered),
              reason = CASE WHEN ${ended.keepReason} = 1 THEN e.reason ELSE ${ended.reason} END
            ${ended.from} WHERE e.seq = ${ended.seq}`.for(
            ends.map(({ seq, patch }) => ({ ...finishedEvent(patch), seq })),
          ),
        );
        yield* recordOwed(
          'document_events',
          ends.filter(({ patch }) => !patch.due).map(({ seq, patch, at }) => ({ seq, at, reason: patch.owed })),
        );
      }, readAgain),
    wantNotIn: (group, archive) =>
      db.run(
        sql`UPDATE ${t.document_events} SET state = 'wanted', due = 1
          WHERE ${inGroup(group)} AND state = 'archived' AND archive IS DISTINCT FROM ${archive}`,
      ),
    known: async (group, eventKeys) =>
      new Set(
        await db.all(
          sql`SELECT event_key AS "eventKey" FROM ${t.document_events} WHERE ${inGroup(group)} AND event_key ${among(eventKeys)}`,
          ({ eventKey }: { readonly eventKey: string }) => eventKey,
        ),
      ),
    of: (group, documentId) =>
      db.all(
        sql`SELECT ${columns} FROM ${t.document_events} WHERE ${inGroup(group)} AND document_id = ${documentId}
          ORDER BY issued_on NULLS FIRST, seq`,
        toEvent,
      ),
    ofDocuments: (of) => db.all(eventsOfDocuments(of), toEvent),
  };
}
