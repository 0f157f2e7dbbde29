import type { Credential } from '../config/settings.js';
import type { Billed } from '../domain/billing.js';
import { type ErrorFacts, FiscalError, type Sent } from '../errors/fiscal-error.js';
import { decodeError, errorOfAnswer } from './answer-error.js';
import {
  attempt,
  type AttemptParts,
  type AttemptResult,
  isBilled,
  type ReadyCall,
  requestIdOf,
} from './attempt.js';
import type { WireAnswer } from './exchange.js';
import { errorOfFault } from './faults.js';
import { readBody, type ReadBody, unreadable } from './read-answer.js';
import {
  type AttemptEnd,
  bearsRepetition,
  decideRetry,
  isAmbiguous,
  isCertainlyUndone,
  isRetryable,
  type RetryDecision,
} from './retry-policy.js';

export interface Performed {
  readonly answer: WireAnswer;
  readonly attempts: number;
  /** The JSON of the answer, in the shape of its operation; `undefined` where no shape was asked for, or nothing came. */
  readonly body: unknown;
  readonly billed?: Billed | undefined;
  /** Earlier attempts that may have been billed. */
  readonly billedUnknown: number;
}

/** What the attempts so far have left behind. */
interface Progress {
  readonly attempts: number;
  readonly waitedMs: number;
  /** An earlier attempt of this call may have arrived and been carried out. */
  readonly inDoubt: boolean;
  readonly billedUnknown: number;
}

/**
 * Sends a call as often as the rules permit. Resolves with a 2xx answer that can be read; throws a `FiscalError` for the
 * rest. A success that is no JSON is temporary, like a cut line: a read goes out again. JSON of another shape never is.
 */
export async function perform(
  parts: AttemptParts,
  ready: ReadyCall,
  credential: Credential,
): Promise<Performed> {
  let progress: Progress = { attempts: 0, waitedMs: 0, inDoubt: false, billedUnknown: 0 };
  for (;;) {
    await guarded(progress, ready, () => parts.options.pace.enter(ready.wire.url.host, ready.signal));
    ready.options.beforeSend?.();
    const attempts = progress.attempts + 1;
    const result = await attempt(parts, ready, attempts);
    const read = bodyOf(ready, result);
    if ('answer' in result && read !== undefined && 'body' in read) {
      const { billedUnknown } = progress;
      return { answer: result.answer, attempts, body: read.body, billed: result.billed, billedUnknown };
    }
    const end = endOf(parts, ready, { result, read, progress, attempts });
    const decision = decideRetry(end);
    if (decision.kind === 'stop' || ready.options.attempts === 'once' || ready.signal.aborted) {
      throw finalError({ parts, ready, credential, result, read, end, decision, progress });
    }
    progress = {
      attempts,
      waitedMs: progress.waitedMs + decision.afterMs,
      inDoubt: progress.inDoubt || isAmbiguous(end),
      billedUnknown: progress.billedUnknown + (result.billed === 'unknown' ? 1 : 0),
    };
    await guarded(progress, ready, () => parts.options.clock.sleep(decision.afterMs, ready.signal));
  }
}

/** What a success brought; `undefined` for what is none. */
function bodyOf({ shape }: ReadyCall, result: AttemptResult): ReadBody | undefined {
  if ('fault' in result || !isSuccess(result.answer)) return undefined;
  return shape === undefined ? { body: undefined } : readBody(result.answer, shape);
}

function isSuccess(answer: WireAnswer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

function endOf(
  parts: AttemptParts,
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
    maxWaitMs: parts.options.settings.maxRetryWaitMs,
    unit: parts.options.random.unit(),
    ...wireEndOf(result, read),
    ...('retryAfterMs' in result && result.retryAfterMs !== undefined
      ? { retryAfterMs: result.retryAfterMs }
      : {}),
  };
}

/** A success that cannot be read ends like a fault of the line: what was asked for is done, and unknown. */
function wireEndOf(
  result: AttemptResult,
  read: ReadBody | undefined,
): Pick<AttemptEnd, 'sent' | 'transient' | 'status'> {
  if ('fault' in result) return { sent: result.fault.sent, transient: result.fault.isTransient };
  if (read !== undefined && 'reason' in read) return { sent: 'yes', transient: read.isGarbled };
  return { sent: 'yes', transient: true, status: result.answer.status };
}

interface Failure {
  readonly parts: AttemptParts;
  readonly ready: ReadyCall;
  readonly credential: Credential;
  readonly result: AttemptResult;
  readonly read: ReadBody | undefined;
  readonly end: AttemptEnd;
  readonly decision: RetryDecision;
  readonly progress: Progress;
}

function finalError(failure: Failure): FiscalError {
  const { ready, result, read, end, parts, decision } = failure;
  const facts: ErrorFacts = {
    attempts: end.attempts,
    retryable: isRetryable(end),
    sent: finalSent(failure),
    ...(end.retryAfterMs === undefined ? {} : { retryAfterSeconds: seconds(end.retryAfterMs) }),
  };
  if ('fault' in result) {
    const request = { host: ready.wire.url.host, operation: ready.call.name };
    if (result.fault.kind === 'aborted') return interruption(ready.signal, { ...facts, ...request });
    return errorOfFault(result.fault, request, parts.options.settings).with(facts);
  }
  if (read !== undefined && 'reason' in read) {
    return unreadable(result.answer, ready, { reason: read.reason, facts });
  }
  const error = answerError(failure, result.answer, facts);
  const isTooLong = decision.kind === 'stop' && decision.why === 'wait' && end.retryAfterMs !== undefined;
  if (!isTooLong || ready.options.attempts === 'once') return error;
  return new FiscalError('service.rate_limited', { seconds: seconds(decision.needMs) }, error.facts);
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
 * `unknown` when the last attempt, or one before it, may have been carried out without the program knowing:
 * a refusal at the end does not undo what an earlier attempt may have done.
 */
function finalSent({ end, progress }: Failure): Sent {
  if (progress.inDoubt && isCertainlyUndone(end)) return 'unknown';
  if (isAmbiguous(end) && !bearsRepetition(end)) return 'unknown';
  return end.sent;
}

/** Waiting can end by an interruption or by the pace's limit; what is known of the sends goes with it. */
async function guarded(progress: Progress, ready: ReadyCall, wait: () => Promise<void>): Promise<void> {
  const facts: ErrorFacts = {
    operation: ready.call.name,
    sent: progress.inDoubt ? 'unknown' : 'no',
    attempts: progress.attempts,
  };
  if (ready.signal.aborted) throw interruption(ready.signal, facts);
  try {
    await wait();
  } catch (error) {
    if (error instanceof FiscalError) throw error.with(facts);
    if (ready.signal.aborted) throw interruption(ready.signal, facts);
    throw error;
  }
}

function interruption(signal: AbortSignal, facts: ErrorFacts): FiscalError {
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
