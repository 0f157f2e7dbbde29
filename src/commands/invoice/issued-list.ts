import { fieldOf, isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasons } from '../../errors/reasons.js';
import { Semaphore } from '../../jobs/concurrency.js';
import { keepUnreadable } from '../../services/documents/unreadable-rows.js';
import { type AskedEvents, readAsked, withAsked, withUndecided } from '../../services/issued/asked-events.js';
import type { IssuedList } from '../../services/issued/book.js';
import { readIssuedList } from '../../services/issued/reading.js';
import type { SyncGroup } from '../../services/sync/source.js';
import type { Listing, SyncContext } from '../../services/sync/state.js';
import { issuedAtOf } from '../../store/document-columns.js';
import { lookAgain } from './issued-events.js';

/** What a whole reading of a list proves, as the cursor `documents` has it. Times in milliseconds. */
export interface IssuedReading {
  /** Every invoice that the list had then, and still had at `endedAt`, is in the store. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly rows: number;
  /** Rows in a state that can still change by itself. */
  readonly notFinal: number;
  /** When the events of the invoices were looked at. */
  readonly events: readonly AskedEvents[];
}

/** The invoices that a run met with an event that is not decided, each by its time of issue; and the turns of those who write so. */
export class Undecided {
  readonly issuedAt = new Set<number>();
  readonly turns = new Semaphore(1);

  add(row: Parameters<typeof issuedAtOf>[0]): void {
    this.issuedAt.add(issuedAtOf(row));
  }

  /** Without what was looked at of their months. */
  cut(events: readonly AskedEvents[]): readonly AskedEvents[] {
    return [...this.issuedAt].reduce(withUndecided, events);
  }
}

/**
 * Stores the rows of the list, from its beginning to its end: it promises no order and has no filter by change, so no place in it
 * can be continued from. Then the events of the invoices of the last `lookBackMs` are looked at again.
 */
export async function listIssued(
  context: SyncContext,
  group: SyncGroup,
  about: {
    readonly list: IssuedList;
    readonly lookBackMs: number;
    readonly listing: Listing;
    readonly undecided: Undecided;
  },
): Promise<void> {
  const { store, clock, options, workerId } = context;
  const { listing, list, lookBackMs, undecided } = about;
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
    ...{ model: list.model, since: eventsSince, before: startedAt },
    isUndecided: (row) => undecided.add(row),
  });
  if (unreadable > 0) return;
  await undecided.turns.run(async () => {
    const known = readAsked((await store.cursors.get(keyOf(group)))?.position);
    const served = servedAt === undefined ? {} : { servedAt };
    const asked = { since: eventsSince, at: endedAt, ...served };
    const events = undecided.cut(isWhole ? withAsked(known, asked) : known);
    await savePosition(context, group, { startedAt, endedAt, rows, notFinal, events });
  });
}

/** Takes back that the events of the invoices with one that is not decided were looked at. */
export async function withdrawEvents(
  context: SyncContext,
  group: SyncGroup,
  undecided: Undecided,
): Promise<void> {
  await undecided.turns.run(async () => {
    const position = (await context.store.cursors.get(keyOf(group)))?.position;
    if (!isRecord(position)) return;
    await savePosition(context, group, { ...position, events: undecided.cut(readAsked(position)) });
  });
}

async function savePosition(
  { store, clock, workerId }: SyncContext,
  group: SyncGroup,
  position: object,
): Promise<void> {
  if (!(await store.cursors.save(keyOf(group), { position, at: clock.now(), workerId })))
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
