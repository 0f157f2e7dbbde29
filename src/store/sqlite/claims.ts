import type { Claim, ItemRow, ItemRows, ItemState } from '../store.js';
import type { Connection } from './connection.js';
import { itemColumns, toItem, type ItemRecord } from './item-columns.js';

const living = 'SELECT id FROM workers WHERE expires_at > @now';
const unheld = `replaced = 0 AND (worker_id IS NULL OR worker_id NOT IN (${living}))`;

/** What the workers take, and when there is something to take. */
export function createClaims({
  statement,
  read,
  write,
}: Connection): Pick<ItemRows, 'claim' | 'nextDue' | 'wake'> {
  const byCount = new Map<number, ReturnType<typeof prepare>>();
  const prepare = (count: number) => statement<[Record<string, unknown>], ItemRecord>(claimSql(count));
  const earliest = statement<[{ jobId: string; state: ItemState; now: number }], { dueAt: number }>(
    `SELECT due_at AS dueAt FROM items
     WHERE job_id = @jobId AND state = @state AND ${unheld} ORDER BY due_at LIMIT 1`,
  );

  function take(claim: Claim): readonly ItemRow[] {
    const states = [...new Set(claim.states)];
    if (states.length === 0) return [];
    const found = byCount.get(states.length) ?? prepare(states.length);
    byCount.set(states.length, found);
    const named = Object.fromEntries(states.map((state, index) => [`state${index}`, state]));
    const { workerId, jobId, limit, now } = claim;
    return found()
      .all({ workerId, jobId, limit, now, ...named })
      .map(toItem)
      .sort(byUrgency);
  }

  return {
    claim: (claim) => write(() => take(claim)),
    wake: createWake({ statement, read, write }),
    nextDue: (jobId, states, now) =>
      read(() => {
        const times = states.flatMap((state) => earliest().get({ jobId, state, now })?.dueAt ?? []);
        return times.length === 0 ? undefined : Math.min(...times);
      }),
  };
}

function createWake({
  statement,
  read,
  write,
}: Pick<Connection, 'statement' | 'read' | 'write'>): ItemRows['wake'] {
  const about = "profile = @profile AND resource_id = @resourceId AND state = 'pending' AND replaced = 0";
  const anyAbout = statement<[Record<string, unknown>]>(`SELECT 1 FROM items WHERE ${about} LIMIT 1`);
  const hasten = statement<[Record<string, unknown>], Pick<ItemRow, 'id' | 'jobId'>>(
    `UPDATE items SET due_at = 0 WHERE ${about} RETURNING id, job_id AS jobId`,
  );
  return async (resource) => {
    if ((await read(() => anyAbout().get({ ...resource }))) === undefined) return [];
    return await write(() => hasten().all({ ...resource }));
  };
}

/** One branch per state, each in the order of the index, so that a job of any size is claimed from without sorting it. */
function claimSql(stateCount: number): string {
  const branches = Array.from(
    { length: stateCount },
    (_, index) => `SELECT * FROM (
      SELECT seq, state <> 'sending' AS rank, due_at, ordinal FROM items
      WHERE job_id = @jobId AND state = @state${index} AND due_at <= @now AND ${unheld}
      ORDER BY due_at, ordinal LIMIT @limit)`,
  );
  // A worker without a lease takes nothing: its items would be anybody's at once.
  return `UPDATE items SET worker_id = @workerId, epoch = epoch + 1, updated_at = @now
    WHERE EXISTS (SELECT 1 FROM workers WHERE id = @workerId AND expires_at > @now)
      AND EXISTS (SELECT 1 FROM jobs WHERE id = @jobId AND state <> 'loading')
      AND seq IN (SELECT seq FROM (${branches.join(' UNION ALL ')}) ORDER BY rank, due_at, ordinal LIMIT @limit)
    RETURNING ${itemColumns}`;
}

function byUrgency(left: ItemRow, right: ItemRow): number {
  return rank(left) - rank(right) || left.dueAt - right.dueAt || left.ordinal - right.ordinal;
}

function rank(item: ItemRow): number {
  return item.state === 'sending' ? 0 : 1;
}
