import type { UsageRow, UsageRows } from '../store.js';
import type { Connection } from './connection.js';
import { present } from './row.js';

type UsageRecord = Pick<UsageRow, 'at' | 'profile' | 'operation' | 'billed' | 'outcome'> & {
  readonly jobId: string | null;
  readonly itemId: string | null;
  readonly requestId: string | null;
};

export function createUsageRows({ statement, read, write }: Connection): UsageRows {
  const insert = statement<[UsageRecord]>(
    `INSERT INTO usage (at, profile, operation, billed, outcome, job_id, item_id, request_id)
     VALUES (@at, @profile, @operation, @billed, @outcome, @jobId, @itemId, @requestId)`,
  );
  const filtered = statement<[Record<string, unknown>], UsageRecord>(
    `SELECT at, profile, operation, billed, outcome, job_id AS jobId, item_id AS itemId, request_id AS requestId
     FROM usage WHERE at >= @since AND (@profile IS NULL OR profile = @profile)
     ORDER BY at DESC, seq DESC LIMIT @limit`,
  );

  return {
    add: (row) =>
      write(
        () =>
          void insert().run({
            at: row.at,
            profile: row.profile,
            operation: row.operation,
            billed: row.billed,
            outcome: row.outcome,
            jobId: row.jobId ?? null,
            itemId: row.itemId ?? null,
            requestId: row.requestId ?? null,
          }),
      ),
    list: (filter) =>
      read(() =>
        filtered()
          .all({
            since: filter.since ?? Number.MIN_SAFE_INTEGER,
            profile: filter.profile ?? null,
            limit: filter.limit ?? -1,
          })
          .map(present),
      ),
  };
}
