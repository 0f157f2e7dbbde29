import { FiscalError } from '../errors/fiscal-error.js';
import type { ItemPatch, ItemRow, ItemState } from '../store/store.js';
import type { EngineParts } from './parts.js';
import type { Learned, Verdict } from './engine.js';
import type { RunnableKind } from './kind.js';
import { kindOf } from './kinds/registry.js';
import { buryTheDead } from './lease.js';
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
      // Under another key the service would take it for another one.
      idempotencyKey: kind.replay === 'keyed' ? item.idempotencyKey : random.uuid(),
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

export async function isInWork(parts: EngineParts, jobId: string): Promise<boolean> {
  const { store, clock, machine } = parts;
  await buryTheDead(store, machine);
  const job = await store.jobs.get(jobId);
  const workers = await store.workers.list();
  if (job?.state === 'loading' && workers.some(({ id }) => id === job.loaderId)) return true;
  return (await store.items.holders(jobId, clock.now())).length > 0;
}

export async function learnItem(parts: EngineParts, item: ItemRow, learned: Learned): Promise<boolean> {
  const { store, clock, machine } = parts;
  const { note, ...seen } = learned;
  const kind = await kindOfJob(parts, item.jobId);
  await buryTheDead(store, machine);
  const isOpen = learned.state === 'prepared' || learned.state === 'pending';
  const patch: ItemPatch = {
    ...{ errorCode: null, errorMessage: null },
    ...seen,
    ...(isOpen ? { dueAt: clock.now() } : { settledAt: clock.now() }),
    holdsKey: holdsKey(learned.state, kind),
    keep: false,
  };
  const isWritten = await store.items.decide(item.id, item.state, patch, { at: clock.now(), note });
  if (isWritten && isOpen) await store.jobs.setState(item.jobId, 'open', clock.now());
  if (isWritten) await endWhenSettled(parts, item.jobId);
  return isWritten;
}

export async function takeBack(parts: EngineParts, item: ItemRow, note: string): Promise<boolean> {
  const { store } = parts;
  if (await isInWork(parts, item.jobId)) return false;
  const job = await store.jobs.get(item.jobId);
  if (job === undefined) return true;
  if (job.state !== 'loading') return await learnItem(parts, item, { state: 'cancelled', note });
  // Its loader died before the job was whole: nothing of it was sent.
  await store.jobs.discard(job.id);
  return true;
}

/** The job is done when this was its last item. */
export async function endWhenSettled({ store, clock }: EngineParts, jobId: string): Promise<void> {
  const { prepared, sending, pending, uncertain } = await store.jobs.counts(jobId);
  if (prepared + sending + pending + uncertain > 0) return;
  const job = await store.jobs.get(jobId);
  if (job?.state === 'open') await store.jobs.setState(jobId, 'done', clock.now());
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
