import type { Reason } from '../errors/reasons.js';
import { reasonIn, reasonText } from './item-history.js';
import { inGroup } from './cursors.js';
import { type DocumentGroup, owedWaitsMs, type OwedFilter, type OwedRow, type OwedRows } from './documents.js';
import { present } from '../domain/record.js';

import {
  among,
  amongNumbers,
  type Db,
  fieldsOf,
  given,
  indexedBy,
  run,
  type Sql,
  sql,
  type Step,
  t,
  words,
} from './sql.js';

type Optional = 'eventKey' | 'triedAt' | 'writtenOffAt' | 'writtenOffReason';
type OwedRecord = Omit<OwedRow, Optional | 'reason'> & {
  readonly [Name in Optional]: Exclude<OwedRow[Name], undefined> | null;
} & { readonly reason: string | null };

const dueDocuments = indexedBy('documents_due');
const dueEvents = indexedBy('document_events_due');

/**
 * What failed, and what no run has reached yet. A summary requested again is neither: it waits for an event of the
 * recipient. Few rows are due, and only their own indexes know them: the planner would read every row of the profile.
 */
const everything = (where: Sql): Sql => sql`
  SELECT profile, company_id AS "companyId", family, document_id AS "documentId", nullif(event_key, '') AS "eventKey", reason,
    since, tries, tried_at AS "triedAt", next_at AS "nextAt", written_off_at AS "writtenOffAt",
    written_off_reason AS "writtenOffReason"
  FROM ${t.owed} WHERE ${where}
  UNION ALL
  SELECT profile, company_id, family, id, NULL, NULL, first_seen_at, 0, NULL, first_seen_at, NULL, NULL
  FROM ${t.documents} AS d ${dueDocuments} WHERE due = 1 AND xml_kind IS DISTINCT FROM 'summary' AND ${where}
    AND NOT EXISTS (SELECT 1 FROM ${t.owed} AS o
      WHERE (o.profile, o.company_id, o.family, o.document_id, o.event_key) = (d.profile, d.company_id, d.family, d.id, ''))
  UNION ALL
  SELECT profile, company_id, family, document_id, event_key, NULL, first_seen_at, 0, NULL, first_seen_at, NULL, NULL
  FROM ${t.document_events} AS e ${dueEvents} WHERE due = 1 AND ${where} AND NOT EXISTS (SELECT 1 FROM ${t.owed} AS o
    WHERE (o.profile, o.company_id, o.family, o.document_id, o.event_key)
      = (e.profile, e.company_id, e.family, e.document_id, e.event_key))`;

/** What is not written off, by company and family. */
export const outstandingGroups = (profile: string): Sql => sql`SELECT "companyId", family, count(*) AS count
  FROM (${everything(sql`profile = ${profile}`)}) AS found WHERE "writtenOffAt" IS NULL
  GROUP BY "companyId", family ORDER BY "companyId", family`;

export function createOwedRows(db: Db): OwedRows {
  const isDue = (group: DocumentGroup, until: number): Sql =>
    sql`${inGroup(group)} AND written_off_at IS NULL AND next_at <= ${until}`;
  return {
    list: ({ profile, companies, families }: OwedFilter) =>
      db.all(
        sql`${everything(sql`profile = ${profile} ${given(companies, sql`AND company_id ${among(companies ?? [])}`)}
            ${given(families, sql`AND family ${among(families ?? [])}`)}`)}
          ORDER BY "companyId", family, since, "documentId", "eventKey" NULLS FIRST`,
        (row: OwedRecord): OwedRow => present({ ...row, reason: reasonIn(row.reason) }),
      ),
    count: async (group) =>
      (await db.get<{ outstanding: number; writtenOff: number }>(
        sql`SELECT count(*) - count("writtenOffAt") AS outstanding, count("writtenOffAt") AS "writtenOff"
          FROM (${everything(inGroup(group))}) AS found`,
      )) ?? { outstanding: 0, writtenOff: 0 },
    want: (group, until) =>
      db.together(function* () {
        const documents = yield* run(
          sql`UPDATE ${t.documents} SET due = 1 WHERE ${inGroup(group)} AND due = 0
            AND id IN (SELECT document_id FROM ${t.owed} WHERE ${isDue(group, until)} AND event_key = '')`,
        );
        const events = yield* run(
          sql`UPDATE ${t.document_events} SET due = 1 WHERE ${inGroup(group)} AND due = 0
            AND (document_id, event_key) IN (SELECT document_id, event_key FROM ${t.owed} WHERE ${isDue(group, until)})`,
        );
        return documents + events;
      }),
    writeOff: (row, { reason, at }) =>
      db.together(function* () {
        const { profile, companyId, family, documentId, eventKey = '', since } = row;
        const offAt = reason === undefined ? undefined : at;
        yield* run(
          sql`INSERT INTO ${t.owed} (profile, company_id, family, document_id, event_key, reason, since, tries, next_at,
              written_off_at, written_off_reason)
            VALUES (${profile}, ${companyId}, ${family}, ${documentId}, ${eventKey}, NULL, ${since}, 0, ${since}, ${offAt}, ${reason})
            ON CONFLICT (profile, company_id, family, document_id, event_key)
              DO UPDATE SET written_off_at = excluded.written_off_at, written_off_reason = excluded.written_off_reason`,
        );
        const due = reason === undefined ? 1 : 0;
        if (eventKey === '')
          yield* run(sql`UPDATE ${t.documents} SET due = ${due} WHERE ${inGroup(row)} AND id = ${documentId}`);
        else
          yield* run(
            sql`UPDATE ${t.document_events} SET due = ${due}
              WHERE ${inGroup(row)} AND document_id = ${documentId} AND event_key = ${eventKey}`,
          );
      }),
  };
}

/** The end of one attempt. With a reason the row is outstanding. */
interface Attempt {
  readonly seq: number;
  readonly at: number;
  readonly reason: Reason | undefined;
}

const failed = fieldsOf({ seq: 'int', at: 'int', reason: 'text' });

/** The wait after so many attempts, counted from one; beyond the list, its last. */
const waitAfter = (tries: string): string =>
  `CASE ${owedWaitsMs.map((ms, index) => `WHEN ${tries} <= ${index + 1} THEN ${ms}`).join(' ')} ELSE ${owedWaitsMs.at(-1)} END`;
const firstWait = words(waitAfter('1'));
const nextWait = words(waitAfter('(o.tries + 1)'));

const key = words('profile, company_id, family, document_id, event_key');
const ofTable = {
  documents: { rows: t.documents, names: words("d.id, ''") },
  document_events: { rows: t.document_events, names: words('d.document_id, d.event_key') },
};

/** Records at the end of attempts whether their rows are outstanding, within the attempts' transaction. */
export function* recordOwed(table: keyof typeof ofTable, attempts: readonly Attempt[]): Step<void> {
  const { rows, names } = ofTable[table];
  const paid = attempts.filter(({ reason }) => reason === undefined).map(({ seq }) => seq);
  if (paid.length > 0)
    yield* run(
      sql`DELETE FROM ${t.owed} WHERE (${key}) IN
        (SELECT d.profile, d.company_id, d.family, ${names} FROM ${rows} AS d WHERE seq ${amongNumbers(paid)})`,
    );
  const owing = attempts.filter(({ reason }) => reason !== undefined);
  if (owing.length === 0) return;
  yield* run(
    sql`INSERT INTO ${t.owed} AS o (${key}, reason, since, tries, tried_at, next_at)
      SELECT d.profile, d.company_id, d.family, ${names}, ${failed.reason}, ${failed.at}, 1, ${failed.at}, ${failed.at} + ${firstWait}
      FROM ${rows} AS d ${failed.and} WHERE d.seq = ${failed.seq}
      ON CONFLICT (${key}) DO UPDATE SET reason = excluded.reason, tries = o.tries + 1, tried_at = excluded.tried_at,
        next_at = excluded.tried_at + ${nextWait}`.for(
      owing.map((attempt) => ({ ...attempt, reason: reasonText(attempt.reason) })),
    ),
  );
}
