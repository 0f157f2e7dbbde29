import type { Client } from '../client/client.js';
import type { Text } from '../contract/text.js';
import type { Random } from '../domain/world.js';
import { FiscalError, type ErrorFacts } from '../errors/fiscal-error.js';
import type { ItemStep } from '../domain/item-step.js';
import type { SeenSends } from '../store/seen-sends.js';
import type { ItemState, Store, StoreClock, ItemPatch, ItemRow } from '../store/store.js';
import type { AnswerJournal } from './answer-journal.js';
import { writeOrKeep } from './keep-answer.js';
import { keepAnswer } from './authority-answer.js';
import type { AdmitContext, RunnableKind, Observation, SentTrace } from './kind.js';
import type { BilledCalls } from './billed-calls.js';
import type { Lease } from './lease.js';
import { mayHaveArrived, pollDelayMs, retryDelayMs, type Fault } from './decide.js';

/** Dependencies of one step on one item. */
export interface StepDependencies {
  readonly store: Store;
  readonly client: Client;
  readonly clock: StoreClock;
  readonly random: Random;
  readonly kind: RunnableKind;
  readonly lease: Lease;
  readonly jobId: string;
  readonly profile: string;
  /** Whether the run follows pending items to their end. */
  readonly wait: boolean;
  readonly intervalMs: number;
  readonly maxRetryWaitMs: number;
  readonly retryBillable: boolean;
  readonly resendAbsent: boolean;
  /** For how long after a send an empty lookup proves nothing. */
  readonly settleMs: number;
  readonly signal: AbortSignal;
  readonly billedCalls: BilledCalls;
  readonly lists: AdmitContext['lists'];
  /** Where answers are kept that a store on a server does not take; absent for a store on this machine. */
  readonly journal?: Pick<AnswerJournal, 'keep'>;
  /** Where this machine notes its sends; absent for a service of this machine. */
  readonly sends?: Pick<SeenSends, 'add'>;
  /** Set for what follows from an answer to a send, or from the certainty that nothing was sent. */
  readonly hasAnswer?: true;
  /** Before the row of the first send: from then on the profile knows its sends. */
  noteSender(at: number): Promise<void>;
  /** A request is about to be sent. */
  sending(): void;
  /** An item is about to be sent although the service could not say whether it already exists there. */
  sendingWithoutLookup?(reason: Text): Promise<void>;
}

type StepStop = 'billable-limit' | 'budget' | 'went-back' | 'rate-limited' | 'credentials' | 'lease-lost';

export interface StepResult {
  readonly to: ItemState;
  /** When the item is due again; absent when it is finished. */
  readonly dueAt?: number;
  /** Whether the service answered this step, with whatever result. */
  readonly answered: boolean;
  readonly error?: FiscalError;
  /** The service's own status, when this step read one. */
  readonly seen?: string;
  /** Set when the whole run must stop. */
  readonly stop?: StepStop;
}

/** A change to an item, with the step for its history. */
type Noted<Patch> = Patch & { readonly step: ItemStep };

/** One write guarded by the lease. False when another process now holds the item. */
export async function write(
  dependencies: StepDependencies,
  item: ItemRow,
  noted: Noted<ItemPatch>,
): Promise<boolean> {
  const { step, ...patch } = noted;
  const { store, clock, lease, journal, hasAnswer } = dependencies;
  const { id, epoch, jobId, label, attempts } = item;
  const { workerId } = lease;
  const at = clock.now();
  const writing = store.items.transition({ id, workerId, epoch }, patch, { at, step });
  if (journal === undefined || hasAnswer !== true) return await writing;
  const answer = { itemId: id, jobId, label, workerId, epoch, attempts, patch, at, step };
  return await writeOrKeep(writing, { answer, journal, clock });
}

/** Stores what a response said. */
export async function recordObservation(
  dependencies: StepDependencies,
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
  await keepAnswerOf(dependencies, item, seen);
  const step = seen.remoteStatus === undefined ? seen.step : { ...seen.step, status: seen.remoteStatus };
  const heard = seen.remoteStatus === undefined ? {} : { seen: seen.remoteStatus };
  if (seen.state !== 'pending')
    return { ...(await finishItem(dependencies, item, { state: seen.state, ...fields, step })), ...heard };
  const now = dependencies.clock.now();
  const dueAt = now + pollDelayMs(now - (item.sentAt ?? now), dependencies.intervalMs);
  const patch = { ...fields, state: 'pending', dueAt, holdsKey: true, keep: false, step } as const;
  if (!(await write(dependencies, item, patch))) return leaseLost(item);
  return { to: 'pending', dueAt, answered: true, ...heard };
}

/** Before the row says that the item has ended: nothing else asks the service for it again. */
async function keepAnswerOf(
  { store, profile, clock, hasAnswer }: StepDependencies,
  item: ItemRow,
  { answer, resourceId = item.resourceId }: Observation,
): Promise<void> {
  if (answer === undefined) return;
  try {
    await keepAnswer(store, { profile, id: resourceId ?? item.id, at: clock.now() }, answer);
  } catch (error) {
    // The answer to a send is written by other means where the store takes nothing; this part of it can be read again.
    if (hasAnswer !== true || !(error instanceof FiscalError)) throw error;
  }
}

type Ending = Noted<Partial<ItemPatch> & { readonly state: ItemState }> & { readonly error?: FiscalError };

/** Stores the final state of an item, or `uncertain`, which only a person can resolve. */
export async function finishItem(
  dependencies: StepDependencies,
  item: ItemRow,
  ending: Ending,
): Promise<StepResult> {
  const { error, ...fields } = ending;
  const settledAt = dependencies.clock.now();
  // Something that another sender created keeps its key: a later job must not send it either.
  const isOthers = ending.state === 'skipped' && (ending.lookup ?? item.lookup) === 'found';
  const holds = isOthers || holdsKey(ending.state, dependencies.kind);
  const patch = { ...fields, settledAt, holdsKey: holds, keep: false };
  if (!(await write(dependencies, item, patch))) return leaseLost(item);
  const answered = error === undefined || error.facts.httpStatus !== undefined;
  return { to: ending.state, answered, ...(error === undefined ? {} : { error }) };
}

/** An uncertain item keeps its key, so that no other job sends what may already exist. */
export function holdsKey(state: ItemState, kind: Pick<RunnableKind, 'onceOnly' | 'rejectedStays'>): boolean {
  if (state === 'succeeded') return kind.onceOnly;
  if (state === 'rejected') return kind.rejectedStays;
  return state === 'prepared' || state === 'sending' || state === 'pending' || state === 'uncertain';
}

/** A success of another sender counts as `skipped` for this item. */
export function asOthers(seen: Observation): Observation {
  return seen.state === 'succeeded' ? { ...seen, state: 'skipped' } : seen;
}

export function leaseLost(item: ItemRow): StepResult {
  return { to: item.state, answered: false, stop: 'lease-lost' };
}

/** A failed call and what to store about it. */
export interface Setback {
  readonly error: FiscalError;
  readonly fields: Partial<ItemPatch>;
  readonly fault: Fault;
}

/** Returns the item to the queue in its current state, due later. Stops the run when the delay exceeds its limit. */
export async function retryLater(
  dependencies: StepDependencies,
  item: ItemRow,
  setback: Setback,
): Promise<StepResult> {
  const { error, fields, fault } = setback;
  const waitMs = Math.max(fault.retryAfterMs ?? 0, retryDelayMs(item.attempts, dependencies.random));
  const dueAt = dependencies.clock.now() + waitMs;
  await write(dependencies, item, {
    state: item.state,
    dueAt,
    ...fields,
    holdsKey: true,
    keep: false,
    step: failed(error),
  });
  const answered = fault.status !== undefined;
  if (waitMs > dependencies.maxRetryWaitMs) {
    const stopError = fault.retryAfterMs === undefined ? error : rateLimited(waitMs, error.facts);
    return { to: item.state, dueAt, answered, error: stopError, stop: 'rate-limited' };
  }
  return { to: item.state, dueAt, answered, error };
}

/** The error that carries the time to retry. */
export function rateLimited(waitMs: number, facts: ErrorFacts): FiscalError {
  const seconds = Math.ceil(waitMs / 1000);
  return new FiscalError('service.rate_limited', { seconds }, { ...facts, retryAfterSeconds: seconds });
}

/** A read failed. Nothing changed at the service, so the item keeps its state and is read again later. */
export async function putOff(
  dependencies: StepDependencies,
  item: ItemRow,
  error: FiscalError,
): Promise<StepResult> {
  const fault = faultOf(error);
  if (fault.sent === 'no' && !fault.transient) {
    await write(dependencies, item, { state: item.state, holdsKey: true, keep: false, step: failed(error) });
    throw error;
  }
  // The result of the send itself stays in the row.
  const fields = item.state === 'sending' ? {} : errorFields(error);
  if (fault.status === 401) {
    await write(dependencies, item, {
      state: item.state,
      ...fields,
      holdsKey: true,
      keep: false,
      step: failed(error),
    });
    return { to: item.state, answered: true, error, stop: 'credentials' };
  }
  if (fault.transient) return await retryLater(dependencies, item, { error, fields, fault });
  const dueAt = dependencies.clock.now() + dependencies.intervalMs;
  await write(dependencies, item, {
    state: item.state,
    dueAt,
    ...fields,
    holdsKey: true,
    keep: false,
    step: failed(error),
  });
  return { to: item.state, dueAt, answered: true, error };
}

/**
 * Lets the kind drop cached data that a response about another company disproves. Called before the item is written, so
 * that a crash in between does not leave the data trusted.
 */
export async function reportMisplaced(
  dependencies: StepDependencies,
  item: ItemRow,
  error: FiscalError,
): Promise<void> {
  const { kind, store, profile, clock } = dependencies;
  await kind.misplaced?.({ store, profile, now: clock.now() }, item, error);
}

/** True when an earlier send of this item may have arrived. */
export async function mayHaveArrivedBefore({ store }: StepDependencies, item: ItemRow): Promise<boolean> {
  return item.attempts > 1 && mayHaveArrived(await store.items.events(item.id), 'earlier');
}

/**
 * True when a send of an earlier item of the same key may have arrived, and no person said what became of it. The last
 * send of such an item is not in doubt: its answer ended the item.
 */
export async function earlierItemMayHaveArrived(
  { store, profile, kind }: StepDependencies,
  { dedupeKey }: ItemRow,
): Promise<boolean> {
  const items = await store.items.sentBefore({ profile, kind: kind.name, dedupeKey });
  for (const { id } of items) {
    const events = await store.items.events(id);
    const isDecided = events.some(({ step }) => step.is === 'person-decided');
    if (!isDecided && mayHaveArrived(events, 'earlier')) return true;
  }
  return false;
}

export function failed({ code }: FiscalError): ItemStep {
  return { is: 'failed', code };
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
    // The local rate limit refused to wait: nothing was sent, and the time to retry is known.
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
