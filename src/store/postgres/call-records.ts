import type { Deprecation } from '../../domain/deprecation.js';
import { fromJson, present, wholeMs } from '../row.js';
import type { Actor } from '../../domain/actor.js';
import { actorColumns, type ActorRecord, actorValues } from '../actor-columns.js';
import { type UsageCountRecord, usageDay } from '../usage-day.js';
import type { HistoryRow, HistoryRows, NewHistory, UsageRow, UsageRows } from '../store.js';
import { alone, type Connection, rowsOf } from './connection.js';

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
  const { deprecation, ...row } = present(record);
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

export function createUsageRows({ all, together }: Connection, actor: Actor): UsageRows {
  return {
    add: (row) =>
      together(async (queries) => {
        const outcome = await outcomeOf(row);
        await queries.run(
          `INSERT INTO fiscal.usage (at, profile, operation, billed, outcome, company_id, billed_once_for, job_id,
             item_id, request_id, machine, os_user, ci_run)
           VALUES (@at, @profile, @operation, @billed, @outcome, @companyId, @billedOnceFor, @jobId, @itemId, @requestId,
             @machine, @user, @ciRun)`,
          { ...row, ...actorValues(actor), outcome },
        );
        return outcome;

        async function outcomeOf({ outcome: told, billedOnceFor }: typeof row): Promise<UsageRow['outcome']> {
          if (told !== 'billed' || billedOnceFor === undefined) return told;
          await alone(queries, 'usage', row.profile, row.operation, billedOnceFor);
          const before = await queries.get(
            `SELECT 1 FROM fiscal.usage WHERE profile = @profile AND operation = @operation
               AND company_id IS NOT DISTINCT FROM @companyId::text AND billed_once_for = @billedOnceFor
               AND outcome = 'billed' LIMIT 1`,
            { ...row },
          );
          return before === undefined ? told : 'repeat';
        }
      }),
    counts: async (filter) =>
      (
        await all<UsageCountRecord>(
          `SELECT ${usageDay} AS at, profile, operation, billed, outcome, company_id AS "companyId", machine, os_user AS "user",
             count(*) AS calls
           FROM fiscal.usage WHERE at >= @since AND at < @until AND (@profile::text IS NULL OR profile = @profile)
             AND (@companyIds::text[] IS NULL OR company_id = ANY (@companyIds))
           GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
          { until: Number.MAX_SAFE_INTEGER, ...filter },
        )
      ).map(present),
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
      ).map(present),
  };
}
