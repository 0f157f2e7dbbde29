import type { Actor } from '../../domain/actor.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { actorValues } from '../actor-columns.js';
import { isFrom, isReplaceable, type Place } from '../item-columns.js';
import { stepText } from '../item-history.js';
import type { ItemRows } from '../store.js';
import { alone, type Connection, type Queries } from './connection.js';
import { change, placeOf } from './item-place.js';
import { createTransition } from './item-transition.js';
import { append } from './jobs.js';

/** The changes of an item's state; each also writes the item's history. */
export function createSteps(
  connection: Connection,
  actor: Actor,
): Pick<ItemRows, 'transition' | 'decide' | 'replace'> {
  const { together } = connection;
  return {
    transition: createTransition(connection, actor),
    decide: (itemId, from, patch, event) =>
      together(async (queries) => {
        const item = await placeOf(queries, itemId);
        if (item === undefined || !isFrom(item, from) || item.replaced === 1) return false;
        if (await isHeld(queries, item, event.at)) return false;
        if (patch.holdsKey) await requireFreeKey(queries, item);
        // The new epoch shuts out a worker that was presumed dead and returns.
        await change(queries, item, patch, {
          ...{ at: event.at, step: stepText(event.step), workerId: null, epoch: item.epoch + 1 },
          ...actorValues(actor),
        });
        return true;
      }),
    replace: (jobId, item, at) =>
      together(async (queries) => {
        const previous = await placeOf(queries, item.previousId);
        if (previous === undefined || previous.jobId !== jobId)
          throw new FiscalError('job.item_not_found', { id: item.previousId });
        if (previous.replaced === 1 || !isReplaceable(previous)) {
          const state = previous.replaced === 1 ? 'replaced' : previous.state;
          throw new FiscalError('job.item_changed', { label: previous.label, state });
        }
        await queries.run('UPDATE fiscal.items SET replaced = 1, holds_key = 0 WHERE seq = @seq', {
          seq: previous.seq,
        });
        await append(queries, { jobId, items: [item], at });
        await queries.run(
          `UPDATE fiscal.jobs SET state = 'open', updated_at = @at, finished_at = NULL WHERE id = @jobId`,
          { at, jobId },
        );
      }),
  };
}

async function isHeld({ get }: Queries, { workerId }: Place, now: number): Promise<boolean> {
  if (workerId === null) return false;
  const living = 'SELECT 1 FROM fiscal.workers WHERE id = @workerId AND expires_at > @now';
  return (await get(living, { workerId, now })) !== undefined;
}

async function requireFreeKey(queries: Queries, item: Place): Promise<void> {
  const owner = await queries.get<{ profile: string; kind: string }>(
    'SELECT profile, kind FROM fiscal.items WHERE seq = @seq',
    { seq: item.seq },
  );
  if (owner === undefined) return;
  await alone(queries, 'keys', owner.profile, owner.kind);
  const other = await queries.get<{ id: string }>(
    `SELECT id FROM fiscal.items WHERE profile = @profile AND kind = @kind AND dedupe_key = @dedupeKey
       AND holds_key = 1 AND seq <> @seq`,
    { ...owner, dedupeKey: item.dedupeKey, seq: item.seq },
  );
  if (other !== undefined) throw new FiscalError('job.key_held', { label: item.label, id: other.id });
}
