import type { FiscalError } from '../errors/fiscal-error.js';
import type { ItemPatch, ItemRow, ItemState } from '../store/store.js';
import { pollDelayMs } from './delay.js';
import type { Observation, RunnableKind, SentTrace } from './kind.js';
import type { StepParts, StepResult } from './step-parts.js';

/** What is written of an item, with the words for its history. */
export type Noted<Fields> = Fields & { readonly note: string };

/** One fenced write; false when another process has the item by now. */
export async function write(parts: StepParts, item: ItemRow, noted: Noted<ItemPatch>): Promise<boolean> {
  const { note, ...patch } = noted;
  const fence = { id: item.id, workerId: parts.lease.workerId, epoch: item.epoch };
  return await parts.store.items.transition(fence, patch, { at: parts.clock.now(), note });
}

/** Writes what an answer said. */
export async function observed(
  parts: StepParts,
  item: ItemRow,
  seen: Noted<Observation & Partial<SentTrace> & Pick<ItemPatch, 'lookup'>>,
): Promise<StepResult> {
  const told: Partial<ItemPatch> = {
    ...(seen.resourceId === undefined ? {} : { resourceId: seen.resourceId }),
    ...(seen.location === undefined ? {} : { location: seen.location }),
    ...(seen.remoteStatus === undefined ? {} : { remoteStatus: seen.remoteStatus }),
    ...(seen.requestId === undefined ? {} : { requestId: seen.requestId }),
    ...(seen.status === undefined ? {} : { httpStatus: seen.status }),
    ...(seen.companyId === undefined ? {} : { answeredCompany: seen.companyId }),
    ...(seen.lookup === undefined ? {} : { lookup: seen.lookup }),
    errorCode: seen.errorCode ?? null,
    errorMessage: seen.errorMessage ?? null,
  };
  const note = seen.remoteStatus === undefined ? seen.note : `${seen.note}: ${seen.remoteStatus}`;
  const heard = seen.remoteStatus === undefined ? {} : { seen: seen.remoteStatus };
  if (seen.state !== 'pending')
    return { ...(await settle(parts, item, { state: seen.state, ...told, note })), ...heard };
  const now = parts.clock.now();
  const dueAt = now + pollDelayMs(now - (item.sentAt ?? now), parts.intervalMs);
  const patch = { ...told, state: 'pending', dueAt, holdsKey: true, keep: false, note } as const;
  if (!(await write(parts, item, patch))) return lost(item);
  return { to: 'pending', dueAt, answered: true, ...heard };
}

type Ending = Noted<Partial<ItemPatch> & { readonly state: ItemState }> & { readonly error?: FiscalError };

/** The end of an item, or its question to a person. */
export async function settle(parts: StepParts, item: ItemRow, ending: Ending): Promise<StepResult> {
  const { error, ...told } = ending;
  const settledAt = parts.clock.now();
  // What others have brought about is remembered: a later job must not send it either.
  const isOthers = ending.state === 'skipped' && (ending.lookup ?? item.lookup) === 'found';
  const holds = isOthers || holdsKey(ending.state, parts.kind);
  const patch = { ...told, settledAt, holdsKey: holds, keep: false };
  if (!(await write(parts, item, patch))) return lost(item);
  const answered = error === undefined || error.facts.httpStatus !== undefined;
  return { to: ending.state, answered, ...(error === undefined ? {} : { error }) };
}

/** An uncertain item keeps its key, so that no other job sends what may exist already. */
export function holdsKey(state: ItemState, kind: Pick<RunnableKind, 'onceOnly' | 'rejectedStays'>): boolean {
  if (state === 'succeeded') return kind.onceOnly;
  if (state === 'rejected') return kind.rejectedStays;
  return state === 'prepared' || state === 'sending' || state === 'pending' || state === 'uncertain';
}

/** The good end of what others have brought about is no success of this item. */
export function asOthers(seen: Observation): Observation {
  return seen.state === 'succeeded' ? { ...seen, state: 'skipped' } : seen;
}

export function lost(item: ItemRow): StepResult {
  return { to: item.state, answered: false, stop: 'lease-lost' };
}
