import { fieldOf, isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasons } from '../../errors/reasons.js';
import { keepUnreadable } from '../../services/documents/unreadable-rows.js';
import type { IssuedList } from '../../services/issued/book.js';
import { readIssuedList } from '../../services/issued/reading.js';
import type { SyncGroup } from '../../services/sync/source.js';
import type { Listing, SyncContext } from '../../services/sync/state.js';
import { lookAgain } from './issued-events.js';

/** What a whole reading of a list proves, as the cursor `documents` has it. Times in milliseconds. */
export interface IssuedReading {
  /** Every invoice that the list had then, and still had at `endedAt`, is in the store. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly rows: number;
  /** Rows in a state that can still change by itself. */
  readonly notFinal: number;
  /** The events of every invoice issued since `eventsSince` were looked at after this. Absent: of some they were not. */
  readonly eventsAt?: number;
  readonly eventsSince?: number;
  /** Like `eventsAt`, by the clock of the service; absent: its answers have no date. */
  readonly eventsServedAt?: number;
}

/**
 * Stores the rows of the list, from its beginning to its end: it promises no order and has no filter by change, so no place in it
 * can be continued from. Then the events of the invoices of the last `lookBackMs` are looked at again.
 */
export async function listIssued(
  context: SyncContext,
  group: SyncGroup,
  about: { readonly list: IssuedList; readonly lookBackMs: number; readonly listing: Listing },
): Promise<void> {
  const { store, clock, options, workerId } = context;
  const { listing, list, lookBackMs } = about;
  const { tally } = group;
  const startedAt = clock.now();
  const { rows, notFinal, unreadable, servedAt } = await readIssuedList({
    ...{
      client: context.client,
      companyId: group.companyId,
      list,
      since: options.since,
      signal: context.signal,
    },
    async keep(seen) {
      const counts = await store.documents.see(group, seen, clock.now());
      tally.added += counts.added;
      tally.changed += counts.changed;
      context.onProgress({ found: counts.added + counts.changed });
      return counts.added;
    },
    refuse: (id) => tally.note({ key: id, state: 'quarantined', code: 'same-key', reason: reasons.sameKey }),
    pageKept: () => listing.kept(),
  });
  tally.notFinal += notFinal;
  tally.unreadable += unreadable;
  const read = { list: 'documents', since: options.since, unreadable, isWhole: true } as const;
  await keepUnreadable(store, group, { ...read, now: clock.now(), workerId });
  if (options.since !== undefined) return;
  const endedAt = clock.now();
  const eventsSince = options.full ? 0 : Math.max(0, startedAt - lookBackMs);
  const isWhole = await lookAgain(context, group, {
    model: list.model,
    since: eventsSince,
    before: startedAt,
  });
  if (unreadable > 0) return;
  const served = servedAt === undefined ? {} : { eventsServedAt: servedAt };
  const events = isWhole ? { eventsAt: endedAt, eventsSince, ...served } : {};
  const position: IssuedReading = { startedAt, endedAt, rows, notFinal, ...events };
  const key = keyOf(group);
  if (!(await store.cursors.save(key, { position, at: clock.now(), workerId })))
    throw new FiscalError('job.lease_lost', { id: 'invoice sync' });
}

/** Takes back that the events of every invoice were looked at: one of an invoice that this run archives is not decided. */
export async function withdrawEvents(
  { store, clock, workerId }: SyncContext,
  group: SyncGroup,
): Promise<void> {
  const key = keyOf(group);
  const position = (await store.cursors.get(key))?.position;
  if (!isRecord(position) || position['eventsAt'] === undefined) return;
  const { eventsAt: _at, eventsSince: _since, eventsServedAt: _servedAt, ...rest } = position;
  if (!(await store.cursors.save(key, { position: rest, at: clock.now(), workerId })))
    throw new FiscalError('job.lease_lost', { id: 'invoice sync' });
}

function keyOf({ profile, companyId, family }: SyncGroup) {
  return { profile, companyId, family, stream: 'issued' };
}

/** Whether another process has read the whole list since then, and this run wants nothing more. */
export async function wasListedSince(
  { store, options }: SyncContext,
  group: SyncGroup,
  since: number,
): Promise<boolean> {
  if (options.full || options.repair || options.since !== undefined) return false;
  const startedAt = fieldOf((await store.cursors.get(keyOf(group)))?.position, 'startedAt');
  return typeof startedAt === 'number' && startedAt >= since;
}
