import { owedWaitsMs, type OwedRow, type OwedRows } from '../documents.js';
import { presentColumns } from '../row.js';
import { type Connection, type Queries, rowsOf } from './connection.js';
import { groupOf, inGroup } from './cursors.js';

type Optional = 'eventKey' | 'reason' | 'triedAt' | 'writtenOffAt' | 'writtenOffReason';
type OwedRecord = Omit<OwedRow, Optional> & {
  readonly [Name in Optional]: Exclude<OwedRow[Name], undefined> | null;
};

/**
 * What failed, and what no run has reached yet. A summary requested again is neither: it waits for an event of the
 * recipient.
 */
const everything = (where: string) => `
  SELECT profile, company_id AS "companyId", family, document_id AS "documentId", nullif(event_key, '') AS "eventKey", reason,
    since, tries, tried_at AS "triedAt", next_at AS "nextAt", written_off_at AS "writtenOffAt",
    written_off_reason AS "writtenOffReason"
  FROM fiscal.owed WHERE ${where}
  UNION ALL
  SELECT profile, company_id, family, id, NULL, NULL, first_seen_at, 0, NULL, first_seen_at, NULL, NULL
  FROM fiscal.documents AS d WHERE due = 1 AND xml_kind IS DISTINCT FROM 'summary' AND ${where}
    AND NOT EXISTS (SELECT 1 FROM fiscal.owed AS o
      WHERE (o.profile, o.company_id, o.family, o.document_id, o.event_key) = (d.profile, d.company_id, d.family, d.id, ''))
  UNION ALL
  SELECT profile, company_id, family, document_id, event_key, NULL, first_seen_at, 0, NULL, first_seen_at, NULL, NULL
  FROM fiscal.document_events AS e WHERE due = 1 AND ${where} AND NOT EXISTS (SELECT 1 FROM fiscal.owed AS o
    WHERE (o.profile, o.company_id, o.family, o.document_id, o.event_key)
      = (e.profile, e.company_id, e.family, e.document_id, e.event_key))`;

/** What is not written off, by company and family. */
export const outstandingGroups = `SELECT "companyId", family, count(*) AS count
  FROM (${everything('profile = @profile')}) AS found WHERE "writtenOffAt" IS NULL
  GROUP BY "companyId", family ORDER BY "companyId", family`;

export function createOwedRows({ all, get, together }: Connection): OwedRows {
  const due = `${inGroup} AND written_off_at IS NULL AND next_at <= @until`;
  return {
    list: async (filter) =>
      (
        await all<OwedRecord>(
          `${everything(`profile = @profile AND (@companies::text[] IS NULL OR company_id = ANY (@companies))
             AND (@families::text[] IS NULL OR family = ANY (@families))`)}
           ORDER BY "companyId", family, since, "documentId", "eventKey" NULLS FIRST`,
          { ...filter },
        )
      ).map((row) => presentColumns(row)),
    count: async (group) =>
      (await get<{ outstanding: number; writtenOff: number }>(
        `SELECT count(*) - count("writtenOffAt") AS outstanding, count("writtenOffAt") AS "writtenOff"
         FROM (${everything(inGroup)}) AS found`,
        groupOf(group),
      )) ?? { outstanding: 0, writtenOff: 0 },
    want: (group, until) =>
      together(async ({ run }) => {
        const values = { ...groupOf(group), until };
        const documents = await run(
          `UPDATE fiscal.documents SET due = 1 WHERE ${inGroup} AND due = 0
             AND id IN (SELECT document_id FROM fiscal.owed WHERE ${due} AND event_key = '')`,
          values,
        );
        const events = await run(
          `UPDATE fiscal.document_events SET due = 1 WHERE ${inGroup} AND due = 0
             AND (document_id, event_key) IN (SELECT document_id, event_key FROM fiscal.owed WHERE ${due})`,
          values,
        );
        return documents + events;
      }),
    writeOff: (row, { reason, at }) =>
      together(async ({ run }) => {
        const { documentId, eventKey = '', since } = row;
        const off = reason === undefined ? { at: null, reason: null } : { at, reason };
        const values = { ...groupOf(row), documentId, eventKey };
        await run(
          `INSERT INTO fiscal.owed (profile, company_id, family, document_id, event_key, reason, since, tries, next_at,
             written_off_at, written_off_reason)
           VALUES (@profile, @companyId, @family, @documentId, @eventKey, NULL, @since, 0, @since, @at, @reason)
           ON CONFLICT (profile, company_id, family, document_id, event_key)
             DO UPDATE SET written_off_at = excluded.written_off_at, written_off_reason = excluded.written_off_reason`,
          { ...values, since, ...off },
        );
        const due = reason === undefined ? 1 : 0;
        if (eventKey === '')
          await run(`UPDATE fiscal.documents SET due = @due WHERE ${inGroup} AND id = @documentId`, {
            ...values,
            due,
          });
        else
          await run(
            `UPDATE fiscal.document_events SET due = @due
             WHERE ${inGroup} AND document_id = @documentId AND event_key = @eventKey`,
            { ...values, due },
          );
      }),
  };
}

/** The end of one attempt. With a reason the row is outstanding. */
interface Attempt {
  readonly seq: number;
  readonly at: number;
  readonly reason: string | undefined;
}

/** Records at the end of attempts whether their rows are outstanding, within the attempts' transaction. */
export async function recordOwed(
  { run }: Queries,
  table: 'documents' | 'document_events',
  attempts: readonly Attempt[],
): Promise<void> {
  const names = table === 'documents' ? "d.id, ''" : 'd.document_id, d.event_key';
  const key = 'profile, company_id, family, document_id, event_key';
  const paid = attempts.filter(({ reason }) => reason === undefined).map(({ seq }) => seq);
  if (paid.length > 0)
    await run(
      `DELETE FROM fiscal.owed WHERE (${key}) IN
         (SELECT d.profile, d.company_id, d.family, ${names} FROM fiscal.${table} AS d WHERE seq = ANY (@paid::bigint[]))`,
      { paid },
    );
  const failed = attempts.filter(({ reason }) => reason !== undefined);
  if (failed.length === 0) return;
  // The wait after this many attempts, counted from one; beyond the list, its last.
  const wait = (tries: string): string => `(@waits::bigint[])[least(${tries}, ${owedWaitsMs.length})]`;
  await run(
    `INSERT INTO fiscal.owed AS o (${key}, reason, since, tries, tried_at, next_at)
     SELECT d.profile, d.company_id, d.family, ${names}, r.reason, r.at, 1, r.at, r.at + ${wait('1')}
     FROM json_to_recordset(@rows::json) AS r (seq bigint, at bigint, reason text)
     JOIN fiscal.${table} AS d ON d.seq = r.seq
     ON CONFLICT (${key}) DO UPDATE SET reason = excluded.reason, tries = o.tries + 1, tried_at = excluded.tried_at,
       next_at = excluded.tried_at + ${wait('o.tries + 1')}`,
    { rows: rowsOf(failed), waits: owedWaitsMs },
  );
}
