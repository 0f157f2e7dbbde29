import type { HistoryRow, HistoryRows } from '../store.js';
import type { Connection } from './connection.js';
import { present, wholeMs } from './row.js';

type Optional = 'status' | 'requestId' | 'errorCode' | 'jobId' | 'itemId';

type HistoryRecord = Omit<HistoryRow, Optional> & {
  readonly status: number | null;
  readonly requestId: string | null;
  readonly errorCode: string | null;
  readonly jobId: string | null;
  readonly itemId: string | null;
};

/** What was sent, already redacted. A record for people, not a promise: its writes do not wait for the disk. */
export function createHistoryRows({ statement, read, write }: Connection): HistoryRows {
  const insert = statement(
    `INSERT INTO history (at, profile, operation, method, url, attempt, duration_ms, sent, status, request_id,
       error_code, job_id, item_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const filtered = statement<[Record<string, unknown>], HistoryRecord>(
    `SELECT at, profile, operation, method, url, attempt, duration_ms AS durationMs, sent, status,
       request_id AS requestId, error_code AS errorCode, job_id AS jobId, item_id AS itemId
     FROM history WHERE at >= @since AND (@profile IS NULL OR profile = @profile)
       AND (@operation IS NULL OR operation = @operation)
     ORDER BY at DESC, seq DESC LIMIT @limit`,
  );
  const remove = statement<[number]>('DELETE FROM history WHERE at < ?');

  return {
    add: (...rows) =>
      write(
        () => {
          for (const row of rows) insert().run(...valuesOf(row));
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
          .map(present),
      ),
    prune: (before) => write(() => remove().run(before).changes),
  };
}

function valuesOf(row: HistoryRow): readonly unknown[] {
  return [
    ...[row.at, row.profile, row.operation, row.method, row.url, row.attempt, wholeMs(row.durationMs)],
    ...[row.sent, row.status, row.requestId, row.errorCode, row.jobId, row.itemId],
  ];
}
