import type { ActorRecord } from '../actor-columns.js';
import { itemColumns, patched, type Place } from '../item-columns.js';
import type { ItemPatch } from '../store.js';
import type { Queries } from './connection.js';

interface Step extends ActorRecord {
  readonly at: number;
  readonly step: string;
  readonly workerId: string | null;
  readonly epoch: number;
}

/** Nobody else changes the item until the transaction ends. */
export async function placeOf({ get }: Queries, id: string): Promise<Place | undefined> {
  return await get<Place>(
    `SELECT seq, replaced, ${itemColumns} FROM fiscal.items WHERE id = @id FOR UPDATE`,
    { id },
  );
}

/** Writes the item, which `placeOf` has locked, and its history. */
export async function change({ run }: Queries, item: Place, patch: ItemPatch, step: Step): Promise<void> {
  await run(
    `WITH changed AS (
       UPDATE fiscal.items SET state = @state, holds_key = @holdsKey, due_at = @dueAt, attempts = @attempts,
         resource_id = @resourceId, location = @location, remote_status = @remoteStatus, request_id = @requestId,
         http_status = @httpStatus, answered_company = @answeredCompany, error_code = @errorCode,
         error_message = @errorMessage, lookup = @lookup, sent_at = @sentAt, settled_at = @settledAt,
         updated_at = @at, epoch = @epoch, worker_id = @workerId
       WHERE seq = @seq)
     INSERT INTO fiscal.item_events (item, at, from_state, to_state, step, machine, os_user, ci_run)
     VALUES (@seq::bigint, @at::bigint, @from, @state::text, @step, @machine, @user, @ciRun)`,
    { ...patched(item, patch), ...step, seq: item.seq, from: item.state },
  );
}
