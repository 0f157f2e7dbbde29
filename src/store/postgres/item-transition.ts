import type { Actor } from '../../domain/actor.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { type ActorRecord, actorValues } from '../actor-columns.js';
import { namedIn } from '../item-columns.js';
import { stepText } from '../item-history.js';
import type { ItemPatch, ItemRows } from '../store.js';
import type { Connection, Queries } from './connection.js';
import { change, placeOf } from './item-place.js';

type Transition = ItemRows['transition'];
type Holder = Parameters<Transition>[0];

/** A step with its time, as its columns hold it. */
interface WrittenStep {
  readonly at: number;
  readonly step: string;
}

interface Step {
  readonly held: Holder;
  readonly patch: ItemPatch;
  readonly event: WrittenStep;
  readonly who: ActorRecord;
}

/**
 * A step is one statement, so that it costs one round trip. A statement whose connection is lost may have been carried out: then
 * the item's history tells.
 */
export function createTransition({ run, together }: Connection, actor: Actor): Transition {
  const who = actorValues(actor);
  return async (held, patch, { at, step }) => {
    const event = { at, step: stepText(step) };
    const { columns, values } = namedIn(patch);
    try {
      const steps = await run(statement(columns), {
        ...{ ...held, ...event, ...values, ...who },
        ...{ state: patch.state, holdsKey: patch.holdsKey ? 1 : 0 },
        nextWorker: patch.keep ? held.workerId : null,
      });
      return steps === 1;
    } catch (error) {
      if (!(error instanceof FiscalError) || error.code !== 'store.unreachable') throw error;
      return await together((queries) => stepOnce(queries, { held, patch, event, who }));
    }
  };
}

function statement(columns: readonly string[]): string {
  const named = columns.map((column) => `${column}, `).join('');
  return `WITH held AS MATERIALIZED (
      SELECT seq, state FROM fiscal.items
      WHERE id = @id AND worker_id = @workerId AND epoch = @epoch FOR UPDATE),
    changed AS (
      UPDATE fiscal.items AS i SET ${named}state = @state, holds_key = @holdsKey, updated_at = @at, worker_id = @nextWorker
      FROM held WHERE i.seq = held.seq)
    INSERT INTO fiscal.item_events (item, at, from_state, to_state, step, machine, os_user, ci_run)
    SELECT seq, @at::bigint, state, @state::text, @step::text, @machine::text, @user::text, @ciRun::text FROM held`;
}

/** The same step, unless the history of the item has it already. */
async function stepOnce(queries: Queries, { held, patch, event, who }: Step): Promise<boolean> {
  const item = await placeOf(queries, held.id);
  if (item === undefined) return false;
  const written = await queries.get(
    `SELECT 1 FROM fiscal.item_events WHERE item = @seq AND at = @at AND to_state = @state AND step = @step LIMIT 1`,
    { ...event, seq: item.seq, state: patch.state },
  );
  if (written !== undefined) return true;
  const { workerId, epoch } = held;
  if (item.workerId !== workerId || item.epoch !== epoch) return false;
  await change(queries, item, patch, { ...event, ...who, workerId: patch.keep ? workerId : null, epoch });
  return true;
}
