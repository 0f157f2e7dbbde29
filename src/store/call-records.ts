import type { Actor } from '../domain/actor.js';
import type { Deprecation } from '../domain/deprecation.js';
import { actorColumns, type ActorRecord, actorValues } from './actor-columns.js';
import { present } from '../domain/record.js';
import { fromJson, wholeMs } from './row.js';
import { all, alone, among, type Db, fieldsOf, get, given, limited, run, type Sql, sql, t, words } from './sql.js';
import type {
  CountedCalls,
  HistoryRow,
  HistoryRows,
  NewHistory,
  NewUsage,
  UsageCount,
  UsageRow,
  UsageRows,
} from './store.js';

const whoColumns = words(actorColumns);

type Optional = 'status' | 'requestId' | 'errorCode' | 'jobId' | 'itemId' | 'deprecation';

type HistoryRecord = Omit<HistoryRow, Optional | keyof ActorRecord> &
  ActorRecord & {
    readonly [Name in Exclude<Optional, 'deprecation'>]: Exclude<HistoryRow[Name], undefined> | null;
  } & {
    /** JSON. */
    readonly deprecation: string | null;
  };

const call = fieldsOf({
  ...({ at: 'int', profile: 'text', operation: 'text', method: 'text', url: 'text', attempt: 'int' } as const),
  ...({ durationMs: 'int', sent: 'text', status: 'int', requestId: 'text', errorCode: 'text' } as const),
  ...({ jobId: 'text', itemId: 'text', deprecation: 'text' } as const),
  ...({ machine: 'text', user: 'text', ciRun: 'text' } as const),
});

/** Stores calls in the request history. */
export const addCalls = (rows: readonly NewHistory[], actor: Actor): Sql =>
  sql`INSERT INTO ${t.history} (at, profile, operation, method, url, attempt, duration_ms, sent, status, request_id,
      error_code, job_id, item_id, deprecation, machine, os_user, ci_run)
    ${call.each} ${call.at}, ${call.profile}, ${call.operation}, ${call.method}, ${call.url}, ${call.attempt},
      ${call.durationMs}, ${call.sent}, ${call.status}, ${call.requestId}, ${call.errorCode}, ${call.jobId},
      ${call.itemId}, ${call.deprecation}, ${call.machine}, ${call.user}, ${call.ciRun} ${call.end}`.for(
    rows.map((row) => ({ ...historyRecord(row), ...actorValues(actor) })),
  );

/** The request history, already redacted. It is a record for people, so its writes do not wait for the disk. */
export function createHistoryRows(db: Db, actor: Actor): HistoryRows {
  return {
    add: async (...rows) => void (await db.run(addCalls(rows, actor), { durable: false })),
    list: ({ since = Number.MIN_SAFE_INTEGER, profile, operation, limit }) =>
      db.all(
        sql`SELECT at, profile, operation, method, url, attempt, duration_ms AS "durationMs", sent, status,
            request_id AS "requestId", error_code AS "errorCode", job_id AS "jobId", item_id AS "itemId", deprecation, ${whoColumns}
          FROM ${t.history} WHERE at >= ${since} ${given(profile, sql`AND profile = ${profile}`)}
            ${given(operation, sql`AND operation = ${operation}`)}
          ORDER BY at DESC, seq DESC ${limited(limit)}`,
        historyRow,
      ),
    prune: (before) => db.run(sql`DELETE FROM ${t.history} WHERE at < ${before}`),
  };
}

function historyRow(record: HistoryRecord): HistoryRow {
  const { deprecation, ...row } = present(record);
  // Only `historyRecord` writes this column.
  return deprecation === undefined ? row : { ...row, deprecation: fromJson(deprecation) as Deprecation };
}

function historyRecord({ deprecation, durationMs, ...row }: NewHistory): object {
  const announced = deprecation === undefined ? {} : { deprecation: JSON.stringify(deprecation) };
  return { ...row, ...announced, durationMs: wholeMs(durationMs) };
}

/** The midnight in Brasília (UTC-3) that begins the day of a call. */
const usageDay = words('(at - 10800000) / 86400000 * 86400000 + 10800000');

type UsageCountRecord = Omit<UsageCount, 'companyId' | 'machine' | 'user'> &
  Pick<ActorRecord, 'machine' | 'user'> & { readonly companyId: string | null };

type UsageRecord = Pick<UsageRow, 'at' | 'profile' | 'operation' | 'billed' | 'outcome'> &
  ActorRecord & {
    readonly [Name in 'companyId' | 'billedOnceFor' | 'jobId' | 'itemId' | 'requestId']: string | null;
  };

/** From an index alone. */
export function callsOfCompany({
  profile,
  companyId,
  since,
  until,
}: Pick<NewUsage, 'profile' | 'companyId'> & { readonly since: number; readonly until: number }): Sql {
  const ofCompany = companyId === undefined ? sql`company_id IS NULL` : sql`company_id = ${companyId}`;
  return sql`SELECT ${usageDay} AS at, operation, billed, outcome, count(*) AS calls FROM ${t.usage}
    WHERE profile = ${profile} AND ${ofCompany} AND at >= ${since} AND at < ${until} GROUP BY 1, 2, 3, 4`;
}

/** Whether the service billed the same before, of what it bills once. */
export const billedBefore = (seq: number): Sql =>
  sql`SELECT 1 FROM ${t.usage} AS one JOIN ${t.usage} AS earlier
      ON earlier.profile = one.profile AND earlier.operation = one.operation
      AND earlier.company_id IS NOT DISTINCT FROM one.company_id
      AND earlier.billed_once_for = one.billed_once_for AND earlier.outcome = 'billed' AND earlier.seq <> one.seq
    WHERE one.seq = ${seq} LIMIT 1`;

export function createUsageRows(db: Db, actor: Actor): UsageRows {
  const { machine, user, ciRun } = actorValues(actor);
  const insert = ({ at, profile, operation, billed, companyId, billedOnceFor, jobId, itemId }: NewUsage): Sql =>
    sql`INSERT INTO ${t.usage} (at, profile, operation, billed, outcome, company_id, billed_once_for, job_id, item_id,
        machine, os_user, ci_run)
      VALUES (${at}, ${profile}, ${operation}, ${billed}, 'unknown', ${companyId}, ${billedOnceFor}, ${jobId}, ${itemId},
        ${machine}, ${user}, ${ciRun}) RETURNING seq`;
  const ofCompanies = (ids: readonly string[] | undefined): Sql =>
    ids === undefined ? sql`` : sql`AND company_id ${among(ids)}`;
  return {
    async reserve(row, limit) {
      if (limit === undefined) return (await db.change<{ seq: number }>(insert(row)))[0]?.seq;
      const { profile, companyId } = row;
      return await db.together(function* () {
        // Whoever makes a call of the company waits for the others to be counted.
        yield* alone('usage', profile, companyId ?? '');
        const counts = yield* all<CountedCalls>(
          callsOfCompany({ ...limit, profile, ...(companyId !== undefined && { companyId }) }),
        );
        return limit.allows(counts) ? (yield* get<{ seq: number }>(insert(row)))?.seq : undefined;
      });
    },
    async settle(seq, { outcome, requestId }) {
      if (outcome === 'none') {
        await db.run(sql`DELETE FROM ${t.usage} WHERE seq = ${seq}`, { repeatable: true });
        return outcome;
      }
      const end = (settled: string, onlyIf: Sql): Sql =>
        sql`UPDATE ${t.usage} SET outcome = ${settled}, request_id = ${requestId} WHERE seq = ${seq} ${onlyIf}`;
      // Only of what is billed once must it be known whether it was billed before: then one statement is not enough.
      const unlessOnce = outcome === 'billed' ? sql`AND billed_once_for IS NULL` : sql``;
      if ((await db.run(end(outcome, unlessOnce), { repeatable: true })) > 0) return outcome;
      return await db.together(
        function* () {
          const repeat = (yield* wasBilledBefore(seq)) ? 'repeat' : outcome;
          yield* run(end(repeat, sql``));
          return repeat;
        },
        { repeatable: true },
      );
    },
    counts: ({ since, until = Number.MAX_SAFE_INTEGER, profile, companyIds }) =>
      db.all(
        sql`SELECT ${usageDay} AS at, profile, operation, billed, outcome, company_id AS "companyId", machine,
            os_user AS "user", count(*) AS calls
          FROM ${t.usage} WHERE at >= ${since} AND at < ${until} ${given(profile, sql`AND profile = ${profile}`)}
            ${ofCompanies(companyIds)}
          GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
        (row: UsageCountRecord): UsageCount => present(row),
      ),
    list: ({ since = Number.MIN_SAFE_INTEGER, profile, companyIds, limit }) =>
      db.all(
        sql`SELECT at, profile, operation, billed, outcome, company_id AS "companyId", billed_once_for AS "billedOnceFor",
            job_id AS "jobId", item_id AS "itemId", request_id AS "requestId", ${whoColumns}
          FROM ${t.usage} WHERE at >= ${since} ${given(profile, sql`AND profile = ${profile}`)} ${ofCompanies(companyIds)}
          ORDER BY at DESC, seq DESC ${limited(limit)}`,
        (row: UsageRecord): UsageRow => present(row),
      ),
  };
}

function* wasBilledBefore(seq: number) {
  const row = yield* get<Pick<UsageRow, 'profile' | 'operation'> & { readonly billedOnceFor: string | null }>(
    sql`SELECT profile, operation, billed_once_for AS "billedOnceFor" FROM ${t.usage} WHERE seq = ${seq}`,
  );
  if (row === undefined || row.billedOnceFor === null) return false;
  yield* alone('usage', row.profile, row.operation, row.billedOnceFor);
  return (yield* get(billedBefore(seq))) !== undefined;
}
