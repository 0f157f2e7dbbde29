import { FiscalError } from '../../errors/fiscal-error.js';
import type { ItemPatch, ItemRows, ItemState } from '../store.js';
import { createAppend } from './append.js';
import type { Connection } from './connection.js';
import { itemColumns, type ItemRecord } from './item-columns.js';
import { wholeMs } from './row.js';

type Place = ItemRecord & { readonly seq: number; readonly replaced: number };
type Step = { readonly at: number; readonly note: string };

/** The states after which an item may be sent again as a new one: it ended, and without effect. */
const endedBadly: readonly ItemState[] = ['rejected', 'failed', 'cancelled'];

/** Also one that was left out for the sake of another item of its key. */
function isReplaceable({ state, duplicateOf }: Place): boolean {
  return endedBadly.includes(state) || (state === 'skipped' && duplicateOf !== null);
}

/** The changes of an item's state; each writes the item's history with it. */
export function createSteps(connection: Connection): Pick<ItemRows, 'transition' | 'decide' | 'replace'> {
  const { write } = connection;
  const place = createPlace(connection);
  const change = createChange(connection);
  return {
    transition: ({ id, workerId, epoch }, patch, event) =>
      write(() => {
        const item = place().get(id);
        if (item === undefined || item.workerId !== workerId || item.epoch !== epoch) return false;
        change(item, patch, { ...event, workerId: patch.keep ? workerId : null, epoch });
        return true;
      }),
    decide: createDecide(connection),
    replace: createReplace(connection),
  };
}

function createDecide(connection: Connection): ItemRows['decide'] {
  const { statement, write } = connection;
  const place = createPlace(connection);
  const change = createChange(connection);
  const living = statement<[string, number], { id: string }>(
    'SELECT id FROM workers WHERE id = ? AND expires_at > ?',
  );
  const rival = statement<[number], { id: string }>(
    `SELECT other.id FROM items AS this JOIN items AS other
       ON other.profile = this.profile AND other.kind = this.kind AND other.dedupe_key = this.dedupe_key
       AND other.holds_key = 1 AND other.seq <> this.seq
     WHERE this.seq = ?`,
  );

  return (itemId, from, patch, event) =>
    write(() => {
      const item = place().get(itemId);
      if (item === undefined || item.state !== from || item.replaced === 1) return false;
      if (item.workerId !== null && living().get(item.workerId, event.at) !== undefined) return false;
      const other = patch.holdsKey ? rival().get(item.seq) : undefined;
      if (other !== undefined) throw new FiscalError('job.key_held', { label: item.label, id: other.id });
      // A new epoch shuts out a worker that was thought dead and comes back.
      change(item, patch, { ...event, workerId: null, epoch: item.epoch + 1 });
      return true;
    });
}

function createReplace(connection: Connection): ItemRows['replace'] {
  const { statement, write } = connection;
  const place = createPlace(connection);
  const append = createAppend(connection);
  const retire = statement<[number]>('UPDATE items SET replaced = 1, holds_key = 0 WHERE seq = ?');
  const reopen = statement<[number, string]>(
    `UPDATE jobs SET state = 'open', updated_at = ?, finished_at = NULL WHERE id = ?`,
  );
  return (jobId, item, at) =>
    write(() => {
      const previous = place().get(item.previousId);
      if (previous === undefined || previous.jobId !== jobId) {
        throw new FiscalError('job.item_not_found', { id: item.previousId });
      }
      if (previous.replaced === 1 || !isReplaceable(previous)) {
        const state = previous.replaced === 1 ? 'replaced' : previous.state;
        throw new FiscalError('job.item_changed', { label: previous.label, state });
      }
      retire().run(previous.seq);
      append(jobId, [item], at);
      reopen().run(at, jobId);
    });
}

function createPlace({ statement }: Connection) {
  return statement<[string], Place>(`SELECT seq, replaced, ${itemColumns} FROM items WHERE id = ?`);
}

function createChange({ statement }: Connection) {
  const update = statement<[Record<string, unknown>]>(
    `UPDATE items SET state = @state, holds_key = @holdsKey, due_at = @dueAt, attempts = @attempts,
       resource_id = @resourceId, location = @location, remote_status = @remoteStatus, request_id = @requestId,
       http_status = @httpStatus, answered_company = @answeredCompany, error_code = @errorCode, error_message = @errorMessage, lookup = @lookup, sent_at = @sentAt,
       settled_at = @settledAt, updated_at = @at, epoch = @epoch, worker_id = @workerId
     WHERE seq = @seq`,
  );
  const log = statement<[number, number, ItemState, ItemState, string]>(
    'INSERT INTO item_events (item, at, from_state, to_state, note) VALUES (?, ?, ?, ?, ?)',
  );
  return (
    item: Place,
    patch: ItemPatch,
    event: Step & { readonly workerId: string | null; readonly epoch: number },
  ): void => {
    update().run({
      seq: item.seq,
      ...patched(item, patch),
      at: event.at,
      workerId: event.workerId,
      epoch: event.epoch,
    });
    log().run(item.seq, event.at, item.state, patch.state, event.note);
  };
}

/** The item's columns after the patch: what it does not name stays, `null` clears. */
function patched(item: ItemRecord, patch: ItemPatch): Record<string, unknown> {
  return {
    state: patch.state,
    holdsKey: patch.holdsKey ? 1 : 0,
    dueAt: wholeMs(patch.dueAt ?? item.dueAt),
    attempts: patch.attempts ?? item.attempts,
    resourceId: changed(patch.resourceId, item.resourceId),
    location: changed(patch.location, item.location),
    remoteStatus: changed(patch.remoteStatus, item.remoteStatus),
    requestId: changed(patch.requestId, item.requestId),
    httpStatus: changed(patch.httpStatus, item.httpStatus),
    answeredCompany: changed(patch.answeredCompany, item.answeredCompany),
    errorCode: changed(patch.errorCode, item.errorCode),
    errorMessage: changed(patch.errorMessage, item.errorMessage),
    lookup: changed(patch.lookup, item.lookup),
    sentAt: patch.sentAt ?? item.sentAt,
    settledAt: patch.settledAt ?? item.settledAt,
  };
}

function changed<Value>(next: Value | null | undefined, current: Value | null): Value | null {
  return next === undefined ? current : next;
}
