import type { Credential } from '../config/settings.js';
import type { Text } from '../contract/text.js';
import type { Billed } from '../domain/billing.js';
import { momentInWords } from '../domain/dates.js';
import { isRefusedBeforeWork } from '../domain/call-end.js';
import { type ErrorFacts, FiscalError, type Sent } from '../errors/fiscal-error.js';
import { longWait, timeAfter } from './long-wait.js';
import { decodeError, errorOfAnswer } from './answer-error.js';
import {
  attempt,
  type AttemptDependencies,
  type AttemptResult,
  isBilled,
  type ReadyCall,
  requestIdOf,
} from './attempt.js';
import { fieldOf } from '../domain/record.js';
import type { ClientSettings, SettleBilled } from './client.js';
import type { WireAnswer } from './exchange.js';
import { errorOfFault } from './faults.js';
import { readBody, type ReadBody, unreadable } from './read-answer.js';
import {
  type AttemptEnd,
  bearsRepetition,
  decideRetry,
  isAmbiguous,
  isRetryable,
  type RetryDecision,
} from './retry-policy.js';

export interface Performed {
  readonly answer: WireAnswer;
  readonly attempts: number;
  /**
   * The JSON of the answer, checked against the operation's shape; `undefined` when no shape is expected or the body is
   * empty.
   */
  readonly body: unknown;
  /** The text of an answer that is a JSON string, as it came. */
  readonly said?: string;
  readonly billed?: Billed | undefined;
  /** Number of earlier attempts that may have been billed. */
  readonly billedUnknown: number;
}

/** What the attempts so far have left behind. */
interface Progress {
  readonly attempts: number;
  readonly waitedMs: number;
  /** Whether an earlier attempt reached the service; `unknown` when one may have been carried out. */
  readonly sent: Sent;
  readonly billedUnknown: number;
}

/**
 * Sends a call as often as the retry rules allow. Resolves with a readable 2xx answer; otherwise throws a
 * `FiscalError`. A success that is not JSON counts as temporary, like a broken connection, so a read is retried. JSON
 * of the wrong shape never is.
 */
export async function perform(
  dependencies: AttemptDependencies,
  ready: ReadyCall,
  credential: Credential,
): Promise<Performed> {
  let progress: Progress = { attempts: 0, waitedMs: 0, sent: 'no', billedUnknown: 0 };
  for (;;) {
    const settle = await guarded(progress, ready, () => admitted(dependencies, ready));
    const attempts = progress.attempts + 1;
    const result = await attempt(dependencies, ready, { number: attempts, settle });
    const read = bodyOf(ready, result, dependencies.options.settings);
    if ('answer' in result && read !== undefined && 'body' in read) {
      const { billedUnknown } = progress;
      return { ...read, answer: result.answer, attempts, billed: result.billed, billedUnknown };
    }
    const end = endOf(dependencies, ready, { result, read, progress, attempts });
    const decision = decideRetry(end);
    if (decision.kind === 'stop' || ready.options.attempts === 'once' || ready.signal.aborted) {
      throw finalError({ dependencies, ready, credential, result, read, end, decision, progress });
    }
    progress = {
      attempts,
      waitedMs: progress.waitedMs + decision.afterMs,
      sent: mostSent(progress.sent, isAmbiguous(end) && ready.call.method !== 'GET' ? 'unknown' : end.sent),
      billedUnknown: progress.billedUnknown + (result.billed === 'unknown' ? 1 : 0),
    };
    const { clock } = dependencies.options;
    const awaited = nextAttempt(ready.wire.url.host, clock.now() + decision.afterMs);
    await guarded(progress, ready, () => clock.sleep(decision.afterMs, ready.signal, awaited));
  }
}

function nextAttempt(host: string, time: number): Text {
  const at = momentInWords(time);
  return { en: `the next attempt at ${host}, at ${at.en}`, pt: `a próxima tentativa em ${host}, em ${at.pt}` };
}

/** Waits for the shared rate limit and counts a billed call. After `beforeSend` nothing delays the request. */
async function admitted(
  { options: { pace, recorder } }: AttemptDependencies,
  ready: ReadyCall,
): Promise<SettleBilled | undefined> {
  const { call, options, wire, signal } = ready;
  await pace.enter(wire.url.host, signal, options.around);
  const { companyId, billedOnceFor } = call;
  const { jobId, itemId } = options;
  const counting = isBilled(ready)
    ? recorder.reserve({ operation: call.name, companyId, billedOnceFor, jobId, itemId })
    : Promise.resolve(undefined);
  const settle = await counting.catch((error: unknown) => {
    throw error instanceof FiscalError ? error.with({ uncounted: true }) : error;
  });
  try {
    options.beforeSend?.();
  } catch (error) {
    await settle?.({ outcome: 'none' });
    throw error;
  }
  return settle;
}

/** The body of a success; `undefined` for any other result. */
function bodyOf(
  { shape, wire, call }: ReadyCall,
  result: AttemptResult,
  { shapes }: ClientSettings,
): ReadBody | undefined {
  if ('fault' in result || !isSuccess(result.answer)) return undefined;
  if (shape === undefined) return { body: undefined };
  const listAt = fieldOf(shapes, call.name);
  return readBody(result.answer, shape, {
    isLaterPage: isLaterPage(wire.url),
    ...(typeof listAt === 'string' ? { listAt } : {}),
  });
}

function isLaterPage({ searchParams }: URL): boolean {
  return searchParams.has('startingAfter') || Number(searchParams.get('pageIndex') ?? 1) > 1;
}

function isSuccess(answer: WireAnswer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

function endOf(
  dependencies: AttemptDependencies,
  ready: ReadyCall,
  now: {
    readonly result: AttemptResult;
    readonly read: ReadBody | undefined;
    readonly progress: Progress;
    readonly attempts: number;
  },
): AttemptEnd {
  const { result, read } = now;
  const { call, options } = ready;
  return {
    replay: call.replay,
    billed: isBilled(ready),
    retryBillable: options.retryBillable ?? false,
    attempts: now.attempts,
    waitedMs: now.progress.waitedMs,
    maxWaitMs: dependencies.options.settings.maxRetryWaitMs,
    unit: dependencies.options.random.unit(),
    ...wireEndOf(result, read),
    ...('retryAfterMs' in result && result.retryAfterMs !== undefined ? { retryAfterMs: result.retryAfterMs } : {}),
  };
}

/** An unreadable success is treated like a connection fault: the request was carried out, with unknown result. */
function wireEndOf(
  result: AttemptResult,
  read: ReadBody | undefined,
): Pick<AttemptEnd, 'sent' | 'transient' | 'status'> {
  if ('fault' in result) return { sent: result.fault.sent, transient: result.fault.isTransient };
  if (read !== undefined && 'reason' in read) return { sent: 'yes', transient: read.isGarbled };
  return { sent: 'yes', transient: true, status: result.answer.status };
}

interface Failure {
  readonly dependencies: AttemptDependencies;
  readonly ready: ReadyCall;
  readonly credential: Credential;
  readonly result: AttemptResult;
  readonly read: ReadBody | undefined;
  readonly end: AttemptEnd;
  readonly decision: RetryDecision;
  readonly progress: Progress;
}

function finalError(failure: Failure): FiscalError {
  const { ready, result, read, end, dependencies, decision } = failure;
  const facts: ErrorFacts = {
    attempts: end.attempts,
    retryable: isRetryable(end),
    sent: finalSent(failure),
    ...(end.retryAfterMs === undefined ? {} : { retryAfterSeconds: seconds(end.retryAfterMs) }),
  };
  if ('fault' in result) {
    const request = { host: ready.wire.url.host, operation: ready.call.name };
    if (result.fault.kind === 'aborted') return interruption(ready.signal, { ...facts, ...request });
    return errorOfFault(result.fault, request, dependencies.options.settings).with(facts);
  }
  if (read !== undefined && 'reason' in read) {
    return unreadable(result.answer, ready, { reason: read.reason, facts });
  }
  const error = answerError(failure, result.answer, facts);
  const isTooLong = decision.kind === 'stop' && decision.why === 'wait' && end.retryAfterMs !== undefined;
  const { clock } = dependencies.options;
  if (ready.options.attempts === 'once') return error;
  if (!isTooLong) return withTime(error, end.retryAfterMs, clock.now());
  return longWait('service.rate_limited', { waitMs: decision.needMs, now: clock.now() }, error.facts);
}

/** Of an answer that limits the rate: the time after which the service takes requests again. */
function withTime(error: FiscalError, waitMs: number | undefined, now: number): FiscalError {
  if (error.code !== 'service.busy' || !waitMs) return error;
  const { en, pt } = timeAfter({ waitMs, now });
  return error.with({ hint: { en: `try after ${en}`, pt: `tente depois de ${pt}` } });
}

function answerError(failure: Failure, answer: WireAnswer, facts: ErrorFacts): FiscalError {
  const { ready, credential } = failure;
  const decoded = decodeError(answer.bytes, ready.secrets);
  const requestId = decoded.requestId ?? requestIdOf(answer, ready.secrets);
  return errorOfAnswer({
    status: answer.status,
    decoded,
    operation: ready.call.name,
    role: ready.call.role,
    credential,
    facts: { ...facts, ...(requestId === undefined ? {} : { requestId }) },
  });
}

/**
 * `unknown` when any attempt may have been carried out without a known result: a final refusal does not undo an earlier
 * attempt.
 */
function finalSent({ end, progress }: Failure): Sent {
  if (isRefusedBeforeWork(end)) return mostSent(progress.sent, end.sent);
  if (isAmbiguous(end) && !bearsRepetition(end)) return 'unknown';
  return end.sent;
}

/** What is true of several attempts together. */
function mostSent(...each: readonly Sent[]): Sent {
  if (each.includes('unknown')) return 'unknown';
  return each.includes('yes') ? 'yes' : 'no';
}

/** A wait may end by interruption or by the rate limit; the error then carries what is known about the sends. */
async function guarded<Result>(progress: Progress, ready: ReadyCall, wait: () => Promise<Result>): Promise<Result> {
  const facts: ErrorFacts = { operation: ready.call.name, sent: progress.sent, attempts: progress.attempts };
  if (ready.signal.aborted) throw interruption(ready.signal, facts);
  try {
    return await wait();
  } catch (error) {
    if (error instanceof FiscalError) throw error.with(facts);
    if (ready.signal.aborted) throw interruption(ready.signal, facts);
    throw error;
  }
}

/** The error of an interrupted run, with what is known about the sends. */
export function interruption(signal: AbortSignal, facts: ErrorFacts): FiscalError {
  const { operation, attempts, sent } = facts;
  const kept = {
    ...(operation === undefined ? {} : { operation }),
    ...(attempts === undefined ? {} : { attempts }),
    ...(sent === undefined ? {} : { sent }),
    retryable: false,
  };
  if (signal.reason instanceof FiscalError) return signal.reason.with(kept);
  return new FiscalError('job.interrupted', {}, kept);
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
