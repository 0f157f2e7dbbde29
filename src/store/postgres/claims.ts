import { FiscalError } from '../../errors/fiscal-error.js';
import { byUrgency, itemColumns, type ItemRecord, toItem } from '../item-columns.js';
import type { ItemRows } from '../store.js';
import type { Connection } from './connection.js';
import { serverNow, type ServerClock } from './store-clock.js';

// The name of a table in `FOR UPDATE` is that of the query, so the items have one.
const isFree = `replaced = 0 AND (worker_id IS NULL
  OR NOT EXISTS (SELECT 1 FROM fiscal.workers AS w WHERE w.id = i.worker_id AND w.expires_at > @now))`;

/**
 * A worker without a lease claims nothing: others could take its items at once. Rows that another claim is about to take
 * are passed over, so that no worker waits for another one.
 */
export const take = `WITH found AS MATERIALIZED (
    SELECT seq FROM unnest(@states::text[]) AS wanted (wanted_state) CROSS JOIN LATERAL (
      SELECT seq, state, due_at, ordinal FROM fiscal.items AS i
      WHERE job_id = @jobId AND state = wanted_state AND due_at <= @now AND ${isFree}
        AND EXISTS (SELECT 1 FROM fiscal.workers WHERE id = @workerId AND expires_at > @now)
        AND EXISTS (SELECT 1 FROM fiscal.jobs WHERE id = @jobId AND state <> 'loading')
      ORDER BY due_at, ordinal LIMIT @limit FOR UPDATE OF i SKIP LOCKED) AS due
    ORDER BY due.state <> 'sending', due.due_at, due.ordinal LIMIT @limit),
  taken AS (UPDATE fiscal.items SET worker_id = @workerId, epoch = epoch + 1, updated_at = @now
    WHERE seq IN (SELECT seq FROM found) RETURNING ${itemColumns})
  SELECT taken.*, ${serverNow} AS "serverMs", fiscal.server_history() AS history FROM (SELECT 1) AS always LEFT JOIN taken ON true`;

/** One row without an item where none was taken. */
type Claimed = (ItemRecord | { readonly id: null }) & {
  readonly serverMs: number;
  readonly history: string | null;
};

export interface Claiming {
  readonly clock: ServerClock;
  /** What errors call the store. */
  readonly path: string;
  /** That of the server when the store was opened. */
  readonly history: string | null;
}

/** A server that does not say which one it is counts as the same. */
function isOther(seen: string | null | undefined, known: string | null): boolean {
  return typeof seen === 'string' && known !== null && seen !== known;
}

/** What the workers claim, and when something is due. */
export function createClaims(
  { all, get }: Connection,
  { clock, path, history }: Claiming,
): Pick<ItemRows, 'claim' | 'nextDue' | 'wake'> {
  return {
    async claim({ states, ...claim }) {
      let taken: readonly Claimed[] = [];
      await clock.reading(async () => {
        taken = await all<Claimed>(take, { ...claim, states: [...new Set(states)] });
        return taken[0];
      });
      // What looks unsent may have been sent: the next command that opens the store finds out.
      if (isOther(taken[0]?.history, history))
        throw new FiscalError('store.replaced', { path }, { retryable: true });
      return taken
        .filter((row) => row.id !== null)
        .map(({ serverMs: _read, history: _same, ...record }) => record)
        .toSorted(byUrgency)
        .map(toItem);
    },
    wake: (about) =>
      all(
        `UPDATE fiscal.items SET due_at = 0 WHERE profile = @profile AND resource_id = @resourceId
           AND state = 'pending' AND replaced = 0 RETURNING id, job_id AS "jobId"`,
        { ...about },
      ),
    async nextDue(jobId, states, now) {
      const row = await get<{ dueAt: number | null }>(
        `SELECT min(due.due_at) AS "dueAt" FROM unnest(@states::text[]) AS wanted (wanted_state) CROSS JOIN LATERAL (
           SELECT due_at FROM fiscal.items AS i
           WHERE job_id = @jobId AND state = wanted_state AND ${isFree} ORDER BY due_at LIMIT 1) AS due`,
        { jobId, states, now },
      );
      return row?.dueAt ?? undefined;
    },
  };
}
