import type { Deprecation } from '../../domain/deprecation.js';
import { fromJson, presentColumns, wholeMs } from '../row.js';
import type { Actor } from '../../domain/actor.js';
import { actorColumns, type ActorRecord, actorValues } from '../actor-columns.js';
import {
  byCountedCalls,
  byUsageCount,
  countedCalls,
  type UsageCountRecord,
  usageCounts,
} from '../usage-counts.js';
import type {
  CountedCalls,
  HistoryRow,
  HistoryRows,
  NewHistory,
  NewUsage,
  UsageLimit,
  UsageRow,
  UsageRows,
} from '../store.js';
import { alone, type Connection, type Queries, rowsOf } from './connection.js';

type Optional = 'status' | 'requestId' | 'errorCode' | 'jobId' | 'itemId' | 'deprecation';

type HistoryRecord = Omit<HistoryRow, Optional | keyof ActorRecord> &
  ActorRecord & {
    readonly [Name in Exclude<Optional, 'deprecation'>]: Exclude<HistoryRow[Name], undefined> | null;
  } & {
    /** JSON. */
    readonly deprecation: string | null;
  };

/** The request history, already redacted. */
export function createHistoryRows({ all, run }: Connection, actor: Actor): HistoryRows {
  return {
    async add(...rows) {
      if (rows.length === 0) return;
      await run(
        `INSERT INTO fiscal.history (at, profile, operation, method, url, attempt, duration_ms, sent, status, request_id,
           error_code, job_id, item_id, deprecation, machine, os_user, ci_run)
         SELECT at, profile, operation, method, url, attempt, "durationMs", sent, status, "requestId",
           "errorCode", "jobId", "itemId", deprecation, @machine::text, @user::text, @ciRun::text
         FROM json_to_recordset(@rows::json) AS r (at bigint, profile text, operation text, method text, url text,
           attempt bigint, "durationMs" bigint, sent text, status bigint, "requestId" text, "errorCode" text,
           "jobId" text, "itemId" text, deprecation text)`,
        { rows: rowsOf(rows.map(historyRecord)), ...actorValues(actor) },
      );
    },
    list: async (filter) =>
      (
        await all<HistoryRecord>(
          `SELECT at, profile, operation, method, url, attempt, duration_ms AS "durationMs", sent, status,
             request_id AS "requestId", error_code AS "errorCode", job_id AS "jobId", item_id AS "itemId", deprecation, ${actorColumns}
           FROM fiscal.history WHERE at >= @since AND (@profile::text IS NULL OR profile = @profile)
             AND (@operation::text IS NULL OR operation = @operation)
           ORDER BY at DESC, seq DESC LIMIT @limit`,
          { since: Number.MIN_SAFE_INTEGER, ...filter },
        )
      ).map(historyRow),
    prune: (before) => run('DELETE FROM fiscal.history WHERE at < @before', { before }),
  };
}

function historyRow(record: HistoryRecord): HistoryRow {
  const { deprecation, ...row } = presentColumns(record);
  // Only `historyRecord` writes this column.
  return deprecation === undefined ? row : { ...row, deprecation: fromJson(deprecation) as Deprecation };
}

function historyRecord({ deprecation, durationMs, ...row }: NewHistory): object {
  const announced = deprecation === undefined ? {} : { deprecation: JSON.stringify(deprecation) };
  return { ...row, ...announced, durationMs: wholeMs(durationMs) };
}

type UsageRecord = Pick<UsageRow, 'at' | 'profile' | 'operation' | 'billed' | 'outcome'> &
  ActorRecord & {
    readonly [Name in 'companyId' | 'billedOnceFor' | 'jobId' | 'itemId' | 'requestId']: string | null;
  };

export function createUsageRows({ all, get, together, repeatable }: Connection, actor: Actor): UsageRows {
  const store = async (queries: Pick<Queries, 'get'>, row: NewUsage): Promise<number | undefined> => {
    const { at, profile, operation, billed, companyId, billedOnceFor, jobId, itemId } = row;
    const stored = await queries.get<{ seq: number }>(
      `INSERT INTO fiscal.usage (at, profile, operation, billed, outcome, company_id, billed_once_for, job_id, item_id,
         machine, os_user, ci_run)
       VALUES (@at, @profile, @operation, @billed, 'unknown', @companyId, @billedOnceFor, @jobId, @itemId,
         @machine, @user, @ciRun) RETURNING seq`,
      {
        ...{ at, profile, operation, billed, companyId, billedOnceFor, jobId, itemId },
        ...actorValues(actor),
      },
    );
    return stored?.seq;
  };
  const settled = `UPDATE fiscal.usage SET outcome = @outcome, request_id = @requestId WHERE seq = @seq`;
  return {
    reserve: async (row, limit) =>
      limit === undefined
        ? await store({ get }, row)
        : await together(async (queries) =>
            (await isWithin(queries, row, limit)) ? await store(queries, row) : undefined,
          ),
    async settle(seq, { outcome, requestId }) {
      if (outcome === 'none') {
        await repeatable.run('DELETE FROM fiscal.usage WHERE seq = @seq', { seq });
        return outcome;
      }
      // Only of what is billed once must it be known whether it was billed before: then one statement is not enough.
      const mayRepeat = outcome === 'billed' ? ' AND billed_once_for IS NULL' : '';
      const values = { seq, outcome, requestId };
      if ((await repeatable.run(`${settled}${mayRepeat}`, values)) > 0) return outcome;
      return await repeatable.together(async (queries) => {
        const repeat = (await wasBilledBefore(queries, seq)) ? 'repeat' : outcome;
        await queries.run(settled, { ...values, outcome: repeat });
        return repeat;
      });
    },
    counts: async (filter) =>
      (
        await all<UsageCountRecord>(
          `${usageCounts('fiscal.usage')} WHERE at >= @since AND at < @until AND (@profile::text IS NULL OR profile = @profile)
             AND (@companyIds::text[] IS NULL OR company_id = ANY (@companyIds))
           ${byUsageCount}`,
          { until: Number.MAX_SAFE_INTEGER, ...filter },
        )
      ).map(presentColumns),
    list: async (filter) =>
      (
        await all<UsageRecord>(
          `SELECT at, profile, operation, billed, outcome, company_id AS "companyId", billed_once_for AS "billedOnceFor",
             job_id AS "jobId", item_id AS "itemId", request_id AS "requestId", ${actorColumns}
           FROM fiscal.usage WHERE at >= @since AND (@profile::text IS NULL OR profile = @profile)
             AND (@companyIds::text[] IS NULL OR company_id = ANY (@companyIds))
           ORDER BY at DESC, seq DESC LIMIT @limit`,
          { since: Number.MIN_SAFE_INTEGER, ...filter },
        )
      ).map(presentColumns),
  };
}

/** Whoever makes a call of the company waits for the others to be counted. */
async function isWithin(
  queries: Queries,
  { profile, companyId }: NewUsage,
  { since, until, allows }: UsageLimit,
): Promise<boolean> {
  await alone(queries, 'usage', profile, companyId ?? '');
  const counts = await queries.all<CountedCalls>(
    `${countedCalls('fiscal.usage')} WHERE profile = @profile AND at >= @since AND at < @until
       AND ${companyId === undefined ? 'company_id IS NULL' : 'company_id = @companyId'}
     ${byCountedCalls}`,
    { profile, companyId, since, until },
  );
  return allows(counts);
}

/** Whether the service billed the same before, of what it bills once. */
async function wasBilledBefore(queries: Queries, seq: number): Promise<boolean> {
  const row = await queries.get<Pick<UsageRow, 'profile' | 'operation'> & { billedOnceFor: string | null }>(
    'SELECT profile, operation, billed_once_for AS "billedOnceFor" FROM fiscal.usage WHERE seq = @seq',
    { seq },
  );
  if (row === undefined || row.billedOnceFor === null) return false;
  await alone(queries, 'usage', row.profile, row.operation, row.billedOnceFor);
  const before = await queries.get(
    `SELECT 1 FROM fiscal.usage AS one JOIN fiscal.usage AS earlier
         ON earlier.profile = one.profile AND earlier.operation = one.operation
         AND earlier.company_id IS NOT DISTINCT FROM one.company_id
         AND earlier.billed_once_for = one.billed_once_for AND earlier.outcome = 'billed'
         AND earlier.seq <> one.seq
     WHERE one.seq = @seq LIMIT 1`,
    { seq },
  );
  return before !== undefined;
}
