import type { Client } from '../client/client.js';
import type { Text } from '../contract/text.js';
import type { Random } from '../domain/world.js';
import { FiscalError, type ErrorFacts } from '../errors/fiscal-error.js';
import type { ItemState, Store, StoreClock, ItemPatch, ItemRow } from '../store/store.js';
import type { AdmitContext, RunnableKind, Observation, SentTrace } from './kind.js';
import type { BilledCalls } from './billed-calls.js';
import type { Lease } from './lease.js';
import { mayHaveArrived, pollDelayMs, retryDelayMs, type Fault } from './decide.js';

/** What one step on one item may use. */
export interface StepDependencies {
  readonly store: Store;
  readonly client: Client;
  readonly clock: StoreClock;
  readonly random: Random;
  readonly kind: RunnableKind;
  readonly lease: Lease;
  readonly jobId: string;
  readonly profile: string;
  /** The run follows what is pending to its end. */
  readonly wait: boolean;
  readonly intervalMs: number;
  readonly maxRetryWaitMs: number;
  readonly retryBillable: boolean;
  readonly resendAbsent: boolean;
  /** How long after a send its absence proves nothing. */
  readonly settleMs: number;
  readonly signal: AbortSignal;
  readonly billedCalls: BilledCalls;
  readonly lists: AdmitContext['lists'];
  /** A request is about to leave. */
  sending(): void;
  /** An item is about to be sent though nobody could say whether the service has it already. */
  sendingUnlooked?(reason: Text): Promise<void>;
}

type StepStop = 'billable-limit' | 'rate-limited' | 'credentials' | 'lease-lost';

export interface StepResult {
  readonly to: ItemState;
  /** When the item wants attention again; absent when it is settled. */
  readonly dueAt?: number;
  /** The service answered this step, whatever it said. */
  readonly answered: boolean;
  readonly error?: FiscalError;
  /** The far side's word for the state, when this step heard one. */
  readonly seen?: string;
  /** The whole run must stop. */
  readonly stop?: StepStop;
}

/** What is written of an item, with the words for its history. */
type Noted<Patch> = Patch & { readonly note: string };

/** One fenced write; false when another process has the item by now. */
export async function write(
  parts: StepDependencies,
  item: ItemRow,
  noted: Noted<ItemPatch>,
): Promise<boolean> {
  const { note, ...patch } = noted;
  const fence = { id: item.id, workerId: parts.lease.workerId, epoch: item.epoch };
  return await parts.store.items.transition(fence, patch, { at: parts.clock.now(), note });
}

/** Writes what an answer said. */
export async function recordObservation(
  parts: StepDependencies,
  item: ItemRow,
  seen: Noted<Observation & Partial<SentTrace> & Pick<ItemPatch, 'lookup'>>,
): Promise<StepResult> {
  const fields: Partial<ItemPatch> = {
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
    return { ...(await finishItem(parts, item, { state: seen.state, ...fields, note })), ...heard };
  const now = parts.clock.now();
  const dueAt = now + pollDelayMs(now - (item.sentAt ?? now), parts.intervalMs);
  const patch = { ...fields, state: 'pending', dueAt, holdsKey: true, keep: false, note } as const;
  if (!(await write(parts, item, patch))) return leaseLost(item);
  return { to: 'pending', dueAt, answered: true, ...heard };
}

type Ending = Noted<Partial<ItemPatch> & { readonly state: ItemState }> & { readonly error?: FiscalError };

/** Writes the final state of an item, or `uncertain`: only a person can decide. */
export async function finishItem(
  parts: StepDependencies,
  item: ItemRow,
  ending: Ending,
): Promise<StepResult> {
  const { error, ...fields } = ending;
  const settledAt = parts.clock.now();
  // What others have brought about is remembered: a later job must not send it either.
  const isOthers = ending.state === 'skipped' && (ending.lookup ?? item.lookup) === 'found';
  const holds = isOthers || holdsKey(ending.state, parts.kind);
  const patch = { ...fields, settledAt, holdsKey: holds, keep: false };
  if (!(await write(parts, item, patch))) return leaseLost(item);
  const answered = error === undefined || error.facts.httpStatus !== undefined;
  return { to: ending.state, answered, ...(error === undefined ? {} : { error }) };
}

/** An uncertain item keeps its key, so that no other job sends what may exist already. */
export function holdsKey(state: ItemState, kind: Pick<RunnableKind, 'onceOnly' | 'rejectedStays'>): boolean {
  if (state === 'succeeded') return kind.onceOnly;
  if (state === 'rejected') return kind.rejectedStays;
  return state === 'prepared' || state === 'sending' || state === 'pending' || state === 'uncertain';
}

/** A success that another sender brought about is `skipped` for this item. */
export function asOthers(seen: Observation): Observation {
  return seen.state === 'succeeded' ? { ...seen, state: 'skipped' } : seen;
}

export function leaseLost(item: ItemRow): StepResult {
  return { to: item.state, answered: false, stop: 'lease-lost' };
}

/** A call that failed, and what of it is written. */
export interface Setback {
  readonly error: FiscalError;
  readonly fields: Partial<ItemPatch>;
  readonly fault: Fault;
}

/** Gives the item back in its state, due at a later time. Stops the run where that is later than it may wait. */
export async function retryLater(
  parts: StepDependencies,
  item: ItemRow,
  setback: Setback,
): Promise<StepResult> {
  const { error, fields, fault } = setback;
  const waitMs = Math.max(fault.retryAfterMs ?? 0, retryDelayMs(item.attempts, parts.random));
  const dueAt = parts.clock.now() + waitMs;
  await write(parts, item, {
    state: item.state,
    dueAt,
    ...fields,
    holdsKey: true,
    keep: false,
    note: error.code,
  });
  const answered = fault.status !== undefined;
  if (waitMs > parts.maxRetryWaitMs) {
    const stopError = fault.retryAfterMs === undefined ? error : rateLimited(waitMs, error.facts);
    return { to: item.state, dueAt, answered, error: stopError, stop: 'rate-limited' };
  }
  return { to: item.state, dueAt, answered, error };
}

/** The time to come back, in words and as a fact. */
export function rateLimited(waitMs: number, facts: ErrorFacts): FiscalError {
  const seconds = Math.ceil(waitMs / 1000);
  return new FiscalError('service.rate_limited', { seconds }, { ...facts, retryAfterSeconds: seconds });
}

/** A read failed: nothing changed at the far side, so the item keeps its state and is read again later. */
export async function putOff(
  parts: StepDependencies,
  item: ItemRow,
  error: FiscalError,
): Promise<StepResult> {
  const fault = faultOf(error);
  if (fault.sent === 'no' && !fault.transient) {
    await write(parts, item, { state: item.state, holdsKey: true, keep: false, note: error.code });
    throw error;
  }
  // What became of the send itself, or that nobody noted it, stays in the row.
  const fields = item.state === 'sending' ? {} : errorFields(error);
  if (fault.status === 401) {
    await write(parts, item, { state: item.state, ...fields, holdsKey: true, keep: false, note: error.code });
    return { to: item.state, answered: true, error, stop: 'credentials' };
  }
  if (fault.transient) return await retryLater(parts, item, { error, fields, fault });
  const dueAt = parts.clock.now() + parts.intervalMs;
  await write(parts, item, {
    state: item.state,
    dueAt,
    ...fields,
    holdsKey: true,
    keep: false,
    note: error.code,
  });
  return { to: item.state, dueAt, answered: true, error };
}

/** Lets the kind forget what an answer about another company disproves. Called before the item is written: a crash between the two must not leave it believed. */
export async function reportMisplaced(
  parts: StepDependencies,
  item: ItemRow,
  error: FiscalError,
): Promise<void> {
  const { kind, store, profile, clock } = parts;
  await kind.misplaced?.({ store, profile, now: clock.now() }, item, error);
}

/** True when an earlier send of this item may have arrived. */
export async function wasInDoubt({ store }: StepDependencies, item: ItemRow): Promise<boolean> {
  return mayHaveArrived(await store.items.events(item.id), 'earlier');
}

export function faultOf(error: FiscalError): Fault {
  const { sent, httpStatus, retryAfterSeconds, retryable } = error.facts;
  return {
    ...(error.code === 'service.unreadable' && retryable !== true ? { misread: true } : {}),
    ...(error.code === 'service.other_company' || error.code === 'service.other_subject'
      ? { misplaced: true }
      : {}),
    sent: sent ?? 'unknown',
    ...(httpStatus === undefined ? {} : { status: httpStatus }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterMs: retryAfterSeconds * 1000 }),
    // The pace of this machine refuses to wait: nothing was sent, and the time to come back is known.
    transient: retryable ?? error.code === 'service.rate_limited',
  };
}

export function errorFields(error: FiscalError): Partial<ItemPatch> {
  const { requestId, answeredCompany } = error.facts;
  return {
    errorCode: error.code,
    errorMessage: error.text.en,
    ...(answeredCompany === undefined ? {} : { answeredCompany }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}
