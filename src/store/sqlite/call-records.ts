import type { Billed } from '../../domain/billing.js';
import type { Deprecation } from '../../domain/deprecation.js';
import type { Actor } from '../../domain/actor.js';
import { actorColumns, type ActorRecord, actorValues } from '../actor-columns.js';
import {
  byCountedCalls,
  byUsageCount,
  countedCalls,
  type UsageCountRecord,
  usageCounts,
} from '../usage-counts.js';
import type { CountedCalls, HistoryRow, HistoryRows, NewHistory, UsageRow, UsageRows } from '../store.js';
import type { Connection } from './connection.js';
import { fromJson, presentColumns, wholeMs } from '../row.js';

type Optional = 'status' | 'requestId' | 'errorCode' | 'jobId' | 'itemId' | 'deprecation';

type HistoryRecord = Omit<HistoryRow, Optional | keyof ActorRecord> &
  ActorRecord & {
    readonly status: number | null;
    readonly requestId: string | null;
    readonly errorCode: string | null;
    readonly jobId: string | null;
    readonly itemId: string | null;
    /** JSON. */
    readonly deprecation: string | null;
  };

/** The request history, already redacted. It is a record for people, so its writes do not wait for the disk. */
export function createHistoryRows({ statement, read, write }: Connection, actor: Actor): HistoryRows {
  const insert = statement(
    `INSERT INTO history (at, profile, operation, method, url, attempt, duration_ms, sent, status, request_id,
       error_code, job_id, item_id, deprecation, machine, os_user, ci_run)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const filtered = statement<[Record<string, unknown>], HistoryRecord>(
    `SELECT at, profile, operation, method, url, attempt, duration_ms AS durationMs, sent, status,
       request_id AS requestId, error_code AS errorCode, job_id AS jobId, item_id AS itemId, deprecation, ${actorColumns}
     FROM history WHERE at >= @since AND (@profile IS NULL OR profile = @profile)
       AND (@operation IS NULL OR operation = @operation)
     ORDER BY at DESC, seq DESC LIMIT +@limit`,
  );
  const remove = statement<[number]>('DELETE FROM history WHERE at < ?');

  return {
    add: (...rows) =>
      write(
        () => {
          for (const row of rows) insert().run(...valuesOf(row), ...Object.values(actorValues(actor)));
        },
        { durable: false },
      ),
    list: (filter) =>
      read(() =>
        filtered()
          .all({
            since: filter.since ?? Number.MIN_SAFE_INTEGER,
            profile: filter.profile ?? null,
            operation: filter.operation ?? null,
            limit: filter.limit ?? -1,
          })
          .map(historyRow),
      ),
    prune: (before) => write(() => remove().run(before).changes),
  };
}

function historyRow(record: HistoryRecord): HistoryRow {
  const { deprecation, ...row } = presentColumns(record);
  // Only `valuesOf` writes this column.
  return deprecation === undefined ? row : { ...row, deprecation: fromJson(deprecation) as Deprecation };
}

function valuesOf(row: NewHistory): readonly unknown[] {
  return [
    ...[row.at, row.profile, row.operation, row.method, row.url, row.attempt, wholeMs(row.durationMs)],
    ...[row.sent, row.status, row.requestId, row.errorCode, row.jobId, row.itemId],
    row.deprecation === undefined ? undefined : JSON.stringify(row.deprecation),
  ];
}

/** SQLite cannot change a CHECK constraint, so the table is created again, with the company of each call. */
export const usageOfCompanies = `
  ALTER TABLE usage RENAME TO usage_before;
  CREATE TABLE usage (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    profile TEXT NOT NULL,
    operation TEXT NOT NULL,
    billed TEXT NOT NULL CHECK (billed IN ('engine', 'history', 'doc-by-key')),
    outcome TEXT NOT NULL CHECK (outcome IN ('billed', 'unknown', 'repeat')),
    company_id TEXT,
    billed_once_for TEXT,
    job_id TEXT,
    item_id TEXT,
    request_id TEXT
  ) STRICT;
  INSERT INTO usage (seq, at, profile, operation, billed, outcome, job_id, item_id, request_id)
    SELECT seq, at, profile, operation, billed, outcome, job_id, item_id, request_id FROM usage_before;
  DROP TABLE usage_before;
  CREATE INDEX usage_by_time ON usage (at);
  CREATE INDEX usage_billed_once ON usage (profile, operation, company_id, billed_once_for)
    WHERE billed_once_for IS NOT NULL;
`;

type UsageRecord = Pick<UsageRow, 'at' | 'profile' | 'operation' | 'billed' | 'outcome'> &
  ActorRecord & {
    readonly companyId: string | null;
    readonly billedOnceFor: string | null;
    readonly jobId: string | null;
    readonly itemId: string | null;
    readonly requestId: string | null;
  };

export function createUsageRows({ statement, read, write }: Connection, actor: Actor): UsageRows {
  const insert = statement<[Omit<UsageRecord, 'outcome' | 'requestId'>]>(
    `INSERT INTO usage (at, profile, operation, billed, outcome, company_id, billed_once_for, job_id, item_id,
       machine, os_user, ci_run)
     VALUES (@at, @profile, @operation, @billed, 'unknown', @companyId, @billedOnceFor, @jobId, @itemId,
       @machine, @user, @ciRun)`,
  );
  const end = statement<
    [{ readonly seq: number; readonly outcome: Billed; readonly requestId: string | null }]
  >('UPDATE usage SET outcome = @outcome, request_id = @requestId WHERE seq = @seq');
  const remove = statement<[number]>('DELETE FROM usage WHERE seq = ?');
  const billedBefore = statement<[number], { readonly found: number }>(
    `SELECT 1 AS found FROM usage AS one JOIN usage AS earlier
         ON earlier.profile = one.profile AND earlier.operation = one.operation AND earlier.company_id IS one.company_id
         AND earlier.billed_once_for = one.billed_once_for AND earlier.outcome = 'billed'
     WHERE one.seq = ? LIMIT 1`,
  );
  const filtered = statement<[Record<string, unknown>], UsageRecord>(
    `SELECT at, profile, operation, billed, outcome, company_id AS companyId, billed_once_for AS billedOnceFor,
       job_id AS jobId, item_id AS itemId, request_id AS requestId, ${actorColumns}
     FROM usage WHERE at >= @since AND (@profile IS NULL OR profile = @profile)
       AND (@companyIds IS NULL OR company_id IN (SELECT value FROM json_each(@companyIds)))
     ORDER BY at DESC, seq DESC LIMIT +@limit`,
  );
  const counted = statement<[Record<string, unknown>], UsageCountRecord>(
    `${usageCounts('usage')} WHERE at >= @since AND at < @until AND (@profile IS NULL OR profile = @profile)
       AND (@companyIds IS NULL OR company_id IN (SELECT value FROM json_each(@companyIds)))
     ${byUsageCount}`,
  );
  const countedOfOne = statement<[Record<string, unknown>], CountedCalls>(
    `${countedCalls('usage')} WHERE profile = @profile AND company_id IS @companyId AND at >= @since AND at < @until
     ${byCountedCalls}`,
  );

  return {
    counts: ({ since, until, profile, companyIds }) =>
      read(() =>
        counted()
          .all({
            since,
            until: until ?? Number.MAX_SAFE_INTEGER,
            profile: profile ?? null,
            companyIds: companyIds === undefined ? null : JSON.stringify(companyIds),
          })
          .map(presentColumns),
      ),
    reserve: ({ at, profile, operation, billed, companyId, billedOnceFor, jobId, itemId }, limit) =>
      write(() => {
        const company = companyId ?? null;
        if (limit !== undefined) {
          const { since, until } = limit;
          const counts = countedOfOne().all({ profile, companyId: company, since, until });
          if (!limit.allows(counts)) return undefined;
        }
        const { lastInsertRowid } = insert().run({
          ...{ at, profile, operation, billed, companyId: company },
          billedOnceFor: billedOnceFor ?? null,
          jobId: jobId ?? null,
          itemId: itemId ?? null,
          ...actorValues(actor),
        });
        return Number(lastInsertRowid);
      }),
    settle: (seq, { outcome, requestId }) =>
      write(() => {
        if (outcome === 'none') {
          remove().run(seq);
          return outcome;
        }
        const isRepeat = outcome === 'billed' && billedBefore().get(seq) !== undefined;
        const settled = isRepeat ? 'repeat' : outcome;
        end().run({ seq, outcome: settled, requestId: requestId ?? null });
        return settled;
      }),
    list: (filter) =>
      read(() =>
        filtered()
          .all({
            since: filter.since ?? Number.MIN_SAFE_INTEGER,
            profile: filter.profile ?? null,
            companyIds: filter.companyIds === undefined ? null : JSON.stringify(filter.companyIds),
            limit: filter.limit ?? -1,
          })
          .map(presentColumns),
      ),
  };
}
