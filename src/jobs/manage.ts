import { FiscalError } from '../errors/fiscal-error.js';
import type { ItemPatch, ItemRow, ItemState } from '../store/store.js';
import type { EngineParts } from './parts.js';
import type { Verdict } from './engine.js';
import type { RunnableKind } from './kind.js';
import { kindOf } from './kinds/registry.js';
import { holdsKey } from './step-writes.js';

const PAGE = 500;

/** What `retry` sends again; a rejected thing that stays at the service is corrected there instead. */
export function retryStates(kind: Pick<RunnableKind, 'rejectedStays'>): readonly ItemState[] {
  return kind.rejectedStays ? ['failed', 'cancelled'] : ['rejected', 'failed', 'cancelled'];
}

/** Settled is final: a second try is a fresh item that points at the first. */
export async function retryItems(
  parts: EngineParts,
  jobId: string,
  itemIds: readonly string[] | undefined,
): Promise<number> {
  const { store, clock, random } = parts;
  const kind = await kindOfJob(parts, jobId);
  const items = await store.items.list(jobId, { states: retryStates(kind) });
  const chosen = itemIds === undefined ? items : items.filter((item) => itemIds.includes(item.id));
  for (const item of chosen) {
    const { ordinal, label, dedupeKey, input, billed } = item;
    const fresh = {
      ordinal,
      label,
      dedupeKey,
      input,
      billed,
      id: random.uuid(),
      idempotencyKey: random.uuid(),
    };
    await store.items.replace(jobId, { ...fresh, previousId: item.id }, clock.now());
  }
  return chosen.length;
}

/** Writes of one page share the wait for the disk; a page at a time keeps the queue short. */
async function inPages<Result>(
  items: readonly ItemRow[],
  write: (item: ItemRow) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += PAGE) {
    results.push(...(await Promise.all(items.slice(start, start + PAGE).map(write))));
  }
  return results;
}

/** Only what was never sent can be taken back; what is on its way is followed to its end. */
export async function cancelJob(parts: EngineParts, jobId: string): Promise<number> {
  const { store, clock } = parts;
  const prepared = await store.items.list(jobId, { states: ['prepared'] });
  const patch: ItemPatch = { state: 'cancelled', settledAt: clock.now(), holdsKey: false, keep: false };
  const event = { at: clock.now(), note: 'cancelled by a person' };
  const taken = await inPages(prepared, (item) => store.items.decide(item.id, 'prepared', patch, event));
  const cancelled = taken.filter(Boolean).length;
  const counts = await store.jobs.counts(jobId);
  const left = counts.prepared + counts.sending + counts.pending + counts.uncertain;
  if (left === 0) await store.jobs.setState(jobId, 'cancelled', clock.now());
  return cancelled;
}

export async function resolveItem(parts: EngineParts, itemId: string, verdict: Verdict): Promise<ItemRow> {
  const { store, clock } = parts;
  const item = await store.items.get(itemId);
  if (item === undefined) throw new FiscalError('job.item_not_found', { id: itemId });
  const kind = await kindOfJob(parts, item.jobId);
  const patch = patchOf(verdict, clock.now(), kind);
  const event = { at: clock.now(), note: `a person says: ${verdict.is}` };
  if (!(await store.items.decide(item.id, 'uncertain', patch, event))) {
    throw new FiscalError('job.item_not_uncertain', { id: itemId, state: item.state }, { jobId: item.jobId });
  }
  const after = await store.items.get(itemId);
  if (after === undefined) throw new FiscalError('job.item_not_found', { id: itemId });
  return after;
}

function patchOf(verdict: Verdict, now: number, kind: RunnableKind): ItemPatch {
  const settled = { settledAt: now, keep: false };
  switch (verdict.is) {
    case 'succeeded': {
      const found = verdict.resourceId === undefined ? {} : { resourceId: verdict.resourceId };
      return { state: 'succeeded', ...found, ...settled, holdsKey: holdsKey('succeeded', kind) };
    }
    case 'failed':
      return { state: 'failed', ...settled, holdsKey: false };
    case 'not-sent':
      return {
        state: 'prepared',
        dueAt: now,
        holdsKey: true,
        keep: false,
        errorCode: null,
        errorMessage: null,
      };
  }
}

/** The kind of a stored job. Throws `job.not_found` or `job.unknown_kind`. */
export async function kindOfJob(
  parts: Pick<EngineParts, 'store' | 'kinds'>,
  jobId: string,
): Promise<RunnableKind> {
  const job = await parts.store.jobs.get(jobId);
  if (job === undefined) throw new FiscalError('job.not_found', { id: jobId });
  const kind = (parts.kinds ?? kindOf)(job.kind);
  if (kind === undefined) throw new FiscalError('job.unknown_kind', { id: jobId, kind: job.kind });
  return kind;
}
