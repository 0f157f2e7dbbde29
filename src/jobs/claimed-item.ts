import type { Client } from '../client/client.js';
import type { Text } from '../contract/text.js';
import type { ItemStep } from '../domain/item-step.js';
import { present } from '../domain/record.js';
import type { Random } from '../domain/world.js';
import type { FiscalError } from '../errors/fiscal-error.js';
import { reasonOfError } from '../errors/reasons.js';
import { longWait } from '../client/long-wait.js';
import type { SeenSends } from '../store/seen-sends.js';
import type { Along, ItemState, Store, StoreClock, ItemPatch, ItemRow } from '../store/store.js';
import type { AnswerJournal, KeptAnswer } from './answer-journal.js';
import { CallBetweenWrites, type ReadPaces } from './around-call.js';
import { answerRow, type AuthorityAnswer } from './authority-answer.js';
import type { BilledCalls } from './billed-calls.js';
import { pollDelayMs, retryDelayMs, type Fault, type RepeatRules } from './decide.js';
import type { AdmitContext, RunnableKind, Observation, SentTrace } from './kind.js';
import type { Lease } from './lease.js';

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
  /** The service took the item and did not say which one it is. */
  readonly isUnnamed?: true;
  /** Set when the whole run must stop. */
  readonly stop?: StepStop;
}

/** A step with what it has left. */
export interface Stepped extends StepResult {
  /** The row of the item. */
  readonly item: ItemRow;
  /** What the authority said of it. */
  readonly answer?: AuthorityAnswer;
}

/** A change to an item, with the step for its history. */
type Noted<Patch> = Patch & { readonly step: ItemStep };

/** A failed call and what to store about it. */
interface Setback {
  readonly error: FiscalError;
  readonly fields: Partial<ItemPatch>;
  readonly fault: Fault;
}

interface Claimed {
  /** The row itself, where the item has the input of another kind. */
  readonly stored?: ItemRow;
  /** With the claim. */
  readonly read?: ReadPaces | undefined;
}

/** A claimed item, and the writes of its row: each is guarded by the lease. */
export class ClaimedItem {
  readonly on: StepDependencies;
  /** The row, as of the last send. */
  item: ItemRow;
  /** From the answer to a send on, or from the certainty that nothing was sent. */
  hasAnswer = false;
  /** The row as the last write has left it. */
  stored: ItemRow;
  /** What the authority said with the last of these writes. */
  answer: AuthorityAnswer | undefined;
  /** For the call after a write or the claim. */
  readonly around: CallBetweenWrites;

  constructor(dependencies: StepDependencies, item: ItemRow, { stored = item, read }: Claimed = {}) {
    this.on = dependencies;
    this.item = item;
    this.stored = stored;
    this.around = new CallBetweenWrites(dependencies.clock, read);
  }

  get rules(): RepeatRules {
    const { kind, retryBillable, resendAbsent } = this.on;
    const { replay, canLookUp } = kind;
    return { replay, canLookUp, billed: this.item.billed, retryBillable, resendAbsent };
  }

  /** What the checks of the kind before a send may use. */
  asking(): AdmitContext {
    const { store, client, profile, clock, signal, lists } = this.on;
    return { store, client, profile, now: clock.now(), signal, lists };
  }

  /** False when another process now holds the item. */
  async write({ step, ...patch }: Noted<ItemPatch>, more: Pick<Along, 'known' | 'paces'> = {}): Promise<boolean> {
    const { store, clock, lease, journal } = this.on;
    const { id, epoch, jobId, label, attempts } = this.item;
    const { workerId } = lease;
    const at = clock.now();
    const writing = this.around.storing((calls) =>
      store.items.transition({ id, workerId, epoch }, patch, { at, step }, { ...more, calls }),
    );
    const answer = { itemId: id, jobId, label, workerId, epoch, attempts, patch, at, step };
    const isWritten =
      journal === undefined || !this.hasAnswer ? await writing : await writeOrKeep(writing, { answer, journal, clock });
    if (isWritten) this.stored = afterWrite(this.stored, patch, at);
    return isWritten;
  }

  /** Returns the item to the queue in this state, with its key. */
  async release(state: ItemState, fields: Noted<Partial<ItemPatch>>, more?: Pick<Along, 'known'>): Promise<boolean> {
    return await this.write({ ...fields, state, holdsKey: true, keep: false }, more);
  }

  /** Another process holds the item now, or may. */
  leaseLost(to = this.item.state): StepResult {
    return { to, answered: false, stop: 'lease-lost' };
  }

  /** Stores what a response said. */
  async record(seen: Noted<Observation & Partial<SentTrace> & Pick<ItemPatch, 'lookup'>>): Promise<StepResult> {
    const { clock, intervalMs } = this.on;
    const fields: Partial<ItemPatch> = {
      ...(seen.resourceId === undefined ? {} : { resourceId: seen.resourceId }),
      ...(seen.location === undefined ? {} : { location: seen.location }),
      ...(seen.remoteStatus === undefined ? {} : { remoteStatus: seen.remoteStatus }),
      ...(seen.requestId === undefined ? {} : { requestId: seen.requestId }),
      ...(seen.status === undefined ? {} : { httpStatus: seen.status }),
      ...(seen.companyId === undefined ? {} : { answeredCompany: seen.companyId }),
      ...(seen.lookup === undefined ? {} : { lookup: seen.lookup }),
      errorCode: seen.errorCode ?? null,
      reason: seen.reason ?? null,
    };
    const more = this.#answerIn(seen);
    const step = seen.remoteStatus === undefined ? seen.step : { ...seen.step, status: seen.remoteStatus };
    const heard = seen.remoteStatus === undefined ? {} : { seen: seen.remoteStatus };
    if (seen.state !== 'pending')
      return { ...(await this.finish({ state: seen.state, ...fields, step }, more)), ...heard };
    const now = clock.now();
    const dueAt = now + pollDelayMs(now - (this.item.sentAt ?? now), intervalMs);
    if (!(await this.release('pending', { ...fields, dueAt, step }, more))) return this.leaseLost();
    return { to: 'pending', dueAt, answered: true, ...heard };
  }

  /** Stored with the row that says that the item has ended: nothing else asks the service for it again. */
  #answerIn({ answer, resourceId = this.item.resourceId }: Observation): Pick<Along, 'known'> {
    this.answer = answer;
    const { profile, clock } = this.on;
    const kept = { profile, id: resourceId ?? this.item.id, at: clock.now() };
    return answer === undefined ? {} : { known: answerRow(kept, answer) };
  }

  /** Stores the final state of the item, or `uncertain`, which only a person can resolve. */
  async finish(
    ending: Noted<Partial<ItemPatch> & { readonly state: ItemState }> & { readonly error?: FiscalError },
    more?: Pick<Along, 'known'>,
  ): Promise<StepResult> {
    const { error, ...fields } = ending;
    const settledAt = this.on.clock.now();
    // Something that another sender created keeps its key: a later job must not send it either.
    const isOthers = ending.state === 'skipped' && (ending.lookup ?? this.item.lookup) === 'found';
    const holds = isOthers || holdsKey(ending.state, this.on.kind);
    if (!(await this.write({ ...fields, settledAt, holdsKey: holds, keep: false }, more))) return this.leaseLost();
    const answered = error === undefined || error.facts.httpStatus !== undefined;
    return { to: ending.state, answered, ...(error === undefined ? {} : { error }) };
  }

  /** Returns the item to the queue, due later. Stops the run when the delay exceeds its limit. */
  async retryLater(state: ItemState, { error, fields, fault }: Setback): Promise<StepResult> {
    const { clock, random, maxRetryWaitMs } = this.on;
    const waitMs = Math.max(fault.retryAfterMs ?? 0, retryDelayMs(this.item.attempts, random));
    const dueAt = clock.now() + waitMs;
    await this.release(state, { dueAt, ...fields, step: failed(error) });
    const answered = fault.status !== undefined;
    if (waitMs <= maxRetryWaitMs) return { to: state, dueAt, answered, error };
    const stopError =
      fault.retryAfterMs === undefined
        ? error
        : longWait('service.rate_limited', { waitMs, now: clock.now() }, error.facts);
    return { to: state, dueAt, answered, error: stopError, stop: 'rate-limited' };
  }

  /** A read failed. Nothing changed at the service, so the item keeps its state and is read again later. */
  async putOff(error: FiscalError, state = this.item.state): Promise<StepResult> {
    const fault = faultOf(error);
    const step = failed(error);
    if (fault.sent === 'no' && !fault.transient) {
      await this.release(state, { step });
      throw error;
    }
    // The result of the send itself stays in the row: a read that fails has another request id.
    const { requestId, ...ofRead } = errorFields(error);
    const ofUnsent = state === 'prepared' && requestId !== undefined ? { requestId } : {};
    const fields = state === 'sending' ? {} : { ...ofRead, ...ofUnsent };
    if (fault.status === 401) {
      await this.release(state, { ...fields, step });
      return { to: state, answered: true, error, stop: 'credentials' };
    }
    if (fault.transient) return await this.retryLater(state, { error, fields, fault });
    const dueAt = this.on.clock.now() + this.on.intervalMs;
    await this.release(state, { dueAt, ...fields, step });
    return { to: state, dueAt, answered: true, error };
  }

  /**
   * Lets the kind drop cached data that a response about another company disproves. Called before the item is written, so
   * that a crash in between does not leave the data trusted.
   */
  async reportMisplaced(error: FiscalError): Promise<void> {
    const { kind, store, profile, clock } = this.on;
    await kind.misplaced?.({ store, profile, now: clock.now() }, this.item, error);
  }
}

function afterWrite(item: ItemRow, { holdsKey: _key, keep, ...changes }: ItemPatch, at: number): ItemRow {
  const { workerId, ...left } = { ...item, ...changes, updatedAt: at };
  return present({ ...left, workerId: keep ? workerId : undefined });
}

/** A store that takes longer than this to write an answer may not write it at all. */
const SOON_MS = 500;

/**
 * Resolves as `writing` does. An answer that the store refuses, or does not take soon, is kept on this machine; it is removed
 * once the store has it. `false` of `writing` means that another machine has taken the item over: the answer is kept for it.
 */
export async function writeOrKeep(
  writing: Promise<boolean>,
  {
    answer,
    journal,
    clock,
  }: { answer: KeptAnswer; journal: Pick<AnswerJournal, 'keep'>; clock: Pick<StoreClock, 'sleep'> },
): Promise<boolean> {
  const waiting = new AbortController();
  const outcome = writing.catch(() => false);
  const late = clock.sleep(SOON_MS, waiting.signal).then(
    () => false,
    () => false,
  );
  const isSoon = await Promise.race([outcome, late]);
  waiting.abort();
  if (isSoon) return true;
  // Where not even a file can be written, the error of the store is the one to report.
  const forget = await journal.keep(answer).catch(() => undefined);
  if (await outcome) await forget?.();
  return await writing;
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

/** The step of a call that ended with this error. */
export function failed({ code }: FiscalError): ItemStep {
  return { is: 'failed', code };
}

export function faultOf(error: FiscalError): Fault {
  const { sent, httpStatus, retryAfterSeconds, retryable } = error.facts;
  return {
    ...(error.code === 'service.unreadable' && retryable !== true ? { misread: true } : {}),
    ...(error.code === 'service.other_company' || error.code === 'service.other_subject' ? { misplaced: true } : {}),
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
    reason: reasonOfError(error),
    ...(answeredCompany === undefined ? {} : { answeredCompany }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}
