import { inputCommand } from '../domain/command-words.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { ItemStep } from '../domain/item-step.js';
import type { ItemPatch, ItemRow, ItemState, JobRow, Store, WorkerRow } from '../store/store.js';
import { mayHaveArrived, openStates } from './decide.js';
import type { EngineDependencies, Learned, Verdict } from './engine.js';
import type { RunnableKind } from './kind.js';
import { kindOf } from './kinds/registry.js';
import { removeDeadWorkers, livingWorkers } from './lease.js';
import { holdsKey } from './claimed-item.js';

const PAGE = 500;

/** The states that `retry` sends again. A rejected resource that stays at the service is corrected there instead. */
export function retryStates(kind: Pick<RunnableKind, 'rejectedStays'>): readonly ItemState[] {
  return kind.rejectedStays ? ['failed', 'cancelled'] : ['rejected', 'failed', 'cancelled'];
}

/** Creates a new linked item for each selected one; a finished item never changes. */
export async function retryItems(
  dependencies: EngineDependencies,
  jobId: string,
  itemIds: readonly string[] | undefined,
): Promise<number> {
  const kind = await kindOfJob(dependencies, jobId);
  const items = await dependencies.store.items.list(jobId, { states: retryStates(kind) });
  const chosen = itemIds === undefined ? items : items.filter((item) => itemIds.includes(item.id));
  const replaced = await inPages(chosen, async (item) => await replaceItem(dependencies, kind, item));
  return replaced.filter(Boolean).length;
}

/**
 * Replaces items that were skipped in favour of an item which then failed before it was sent. True when there were any.
 */
export async function replaceStranded(
  dependencies: EngineDependencies,
  jobId: string,
  kind: RunnableKind,
): Promise<boolean> {
  const stranded = await dependencies.store.items.strandedIn(jobId);
  const replaced = await inPages(stranded, async (item) => await replaceItem(dependencies, kind, item));
  return replaced.some(Boolean);
}

/** False when another process has already replaced it. */
async function replaceItem(
  { store, clock, random }: EngineDependencies,
  kind: RunnableKind,
  item: ItemRow,
): Promise<boolean> {
  const { ordinal, label, dedupeKey, input, billed, jobId } = item;
  // With another key, the service would treat it as a different request.
  const idempotencyKey = kind.replay === 'keyed' ? item.idempotencyKey : random.uuid();
  const ids = { id: random.uuid(), idempotencyKey, previousId: item.id };
  const fresh = { ordinal, label, dedupeKey, input, billed, ...ids };
  return await store.items.replace(jobId, fresh, clock.now()).then(
    () => true,
    (error: unknown) => {
      if (error instanceof FiscalError && error.code === 'job.item_changed') return false;
      throw error;
    },
  );
}

/** Writes of one page share a disk sync; pages keep the queue short. */
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

/**
 * Cancels what was never sent; what is in flight is followed to its end. An item waiting for another send, although an
 * earlier one may have arrived, becomes `uncertain`. A job whose input was never read completely is removed.
 */
export async function cancelJob(dependencies: EngineDependencies, jobId: string): Promise<number> {
  const { store, clock } = dependencies;
  // Items held by a dead process are released.
  await removeDeadWorkers(store, dependencies.machine);
  const job = await store.jobs.get(jobId);
  const prepared = await store.items.list(jobId, { states: ['prepared'] });
  if (job?.state === 'loading') {
    const loader = await loaderOf(dependencies, job);
    if (loader !== undefined) throw heldBy(jobId, loader);
    await store.jobs.discard(jobId);
    return prepared.length;
  }
  const patch: ItemPatch = { state: 'cancelled', settledAt: clock.now(), holdsKey: false, keep: false };
  const event = { at: clock.now(), step: { is: 'cancelled' } } as const;
  const taken = await inPages(prepared, async (item) => {
    const isUncertain = item.attempts > 0 && mayHaveArrived(await store.items.events(item.id));
    if (!isUncertain) return await store.items.decide(item.id, 'prepared', patch, event);
    await learnItem(dependencies, item, { state: 'uncertain', step: { is: 'cancelled', because: 'may-have-arrived' } });
    return false;
  });
  const cancelled = taken.filter(Boolean).length;
  const counts = await store.jobs.counts(jobId);
  const left = counts.prepared + counts.sending + counts.pending + counts.uncertain;
  if (left === 0 && job?.state === 'open') {
    await store.jobs.setState(jobId, counts.cancelled > 0 ? 'cancelled' : 'done', clock.now());
  }
  return cancelled;
}

/** The living processes that write this job or work on it, including while all its items are waiting. */
export async function workersOf(dependencies: EngineDependencies, jobId: string): Promise<readonly WorkerRow[]> {
  const { store, clock, machine } = dependencies;
  const living = await livingWorkers(store, machine);
  const holders = await store.items.holders(jobId, clock.now());
  const isHolder = (worker: WorkerRow) => holders.some(({ id }) => id === worker.id);
  return living.filter((worker) => worker.jobId === jobId || isHolder(worker));
}

/** The living process that is still reading the job's input. */
async function loaderOf(dependencies: EngineDependencies, { loaderId }: JobRow): Promise<WorkerRow | undefined> {
  return (await livingWorkers(dependencies.store, dependencies.machine)).find(({ id }) => id === loaderId);
}

/**
 * Throws when the job's input was not read completely: `job.held` while a process reads it, otherwise `job.not_whole`.
 */
export async function requireWhole(dependencies: EngineDependencies, jobId: string): Promise<void> {
  const job = await dependencies.store.jobs.get(jobId);
  if (job?.state !== 'loading') return;
  const loader = await loaderOf(dependencies, job);
  if (loader !== undefined) throw heldBy(jobId, loader);
  const resume = inputCommand(job.commandLine);
  throw new FiscalError('job.not_whole', { id: jobId }, { jobId, sent: 'no', ...(resume && { resume }) });
}

export function heldBy(jobId: string, { pid, expiresAt }: WorkerRow): FiscalError {
  const until = new Date(expiresAt).toISOString();
  return new FiscalError('job.held', { id: jobId, pid, until }, { jobId });
}

export async function learnItem(dependencies: EngineDependencies, item: ItemRow, learned: Learned): Promise<boolean> {
  const { store, clock, machine } = dependencies;
  const { step, ...seen } = learned;
  const kind = await kindOfJob(dependencies, item.jobId);
  await removeDeadWorkers(store, machine);
  const isOpen = learned.state === 'prepared' || learned.state === 'pending';
  const patch: ItemPatch = {
    ...{ errorCode: null, reason: null },
    ...seen,
    ...(isOpen ? { dueAt: clock.now() } : { settledAt: clock.now() }),
    holdsKey: holdsKey(learned.state, kind),
    keep: false,
  };
  const isWritten = await store.items.decide(item.id, item.state, patch, { at: clock.now(), step });
  if (isWritten && isOpen) await store.jobs.setState(item.jobId, 'open', clock.now());
  if (isWritten) await finishJobIfDone(dependencies, item.jobId);
  return isWritten;
}

export async function cancelItem(dependencies: EngineDependencies, item: ItemRow, step: ItemStep): Promise<boolean> {
  const { store } = dependencies;
  if ((await workersOf(dependencies, item.jobId)).length > 0) return false;
  const job = await store.jobs.get(item.jobId);
  if (job === undefined) return true;
  if (job.state !== 'loading') return await learnItem(dependencies, item, { state: 'cancelled', step });
  // Its loader died before the job was complete: nothing was sent.
  await store.jobs.discard(job.id);
  return true;
}

/** Marks the job as done when no open item is left. */
export async function finishJobIfDone(
  { store, clock }: Pick<EngineDependencies, 'store' | 'clock'>,
  jobId: string,
): Promise<void> {
  const { prepared, sending, pending, uncertain } = await store.jobs.counts(jobId);
  if (prepared + sending + pending + uncertain > 0) return;
  const job = await store.jobs.get(jobId);
  if (job?.state === 'open') await store.jobs.setState(jobId, 'done', clock.now());
}

export async function resolveItem(
  dependencies: EngineDependencies,
  itemId: string,
  verdict: Verdict,
): Promise<ItemRow> {
  const { store, clock } = dependencies;
  const item = await store.items.get(itemId);
  if (item === undefined) throw new FiscalError('job.item_not_found', { id: itemId });
  const kind = await kindOfJob(dependencies, item.jobId);
  const workers = await livingWorkers(store, dependencies.machine);
  const holder = workers.find(({ id }) => id === item.workerId);
  if (holder !== undefined) throw heldBy(item.jobId, holder);
  const step = { is: 'person-decided', verdict: verdict.is } as const;
  const isOpen = openStates.includes(item.state);
  const patch = patchOf(verdict, clock.now(), kind);
  const isWritten = isOpen && (await store.items.decide(item.id, item.state, patch, { at: clock.now(), step }));
  if (!isWritten && (isOpen || !(await wasResolvedSo(store, item, verdict)))) {
    throw new FiscalError('job.item_not_uncertain', { id: itemId, state: item.state }, { jobId: item.jobId });
  }
  if (isWritten && verdict.is === 'not-sent') await store.jobs.setState(item.jobId, 'open', clock.now());
  await finishJobIfDone(dependencies, item.jobId);
  const after = await store.items.get(itemId);
  if (after === undefined) throw new FiscalError('job.item_not_found', { id: itemId });
  return after;
}

/** Repeating the same answer changes nothing. */
async function wasResolvedSo(store: Store, item: ItemRow, { is }: Verdict): Promise<boolean> {
  const last = (await store.items.events(item.id)).at(-1);
  return last?.step.is === 'person-decided' && last.step.verdict === is && last.to === item.state;
}

function patchOf(verdict: Verdict, now: number, kind: RunnableKind): ItemPatch {
  const finished = { settledAt: now, keep: false };
  switch (verdict.is) {
    case 'succeeded': {
      const found = verdict.resourceId === undefined ? {} : { resourceId: verdict.resourceId };
      return { state: 'succeeded', ...found, ...finished, holdsKey: holdsKey('succeeded', kind) };
    }
    case 'failed':
      return { state: 'failed', ...finished, holdsKey: false };
    case 'not-sent':
      return { state: 'prepared', dueAt: now, holdsKey: true, keep: false, errorCode: null, reason: null };
  }
}

/** The kind of a stored job. Errors: `job.not_found`, `job.unknown_kind`. */
export async function kindOfJob(
  dependencies: Pick<EngineDependencies, 'store' | 'kinds'>,
  jobId: string,
): Promise<RunnableKind> {
  const job = await dependencies.store.jobs.get(jobId);
  if (job === undefined) throw new FiscalError('job.not_found', { id: jobId });
  const kind = (dependencies.kinds ?? kindOf)(job.kind);
  if (kind === undefined) throw new FiscalError('job.unknown_kind', { id: jobId, kind: job.kind });
  return kind;
}
