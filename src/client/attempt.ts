import type { AnswerShape } from '../contract/answers.js';
import type { Billed } from '../domain/billing.js';
import { type Deprecation, deprecationIn } from '../domain/deprecation.js';
import type { CallOptions, ClientOptions, Exchange, SettleBilled } from './client.js';
import type { TimedAnswer } from './clock-offset.js';
import type { Debugger } from './debug.js';
import type { Send, WireAnswer, WireRequest } from './exchange.js';
import { sortFault, TransportFault } from './faults.js';
import type { PreparedCall } from './prepared.js';
import { redactText, redactUrl } from './redact.js';
import { type RequestedWait, requestedWait } from './retry-policy.js';

/** A call with its key, ready for one or more attempts. */
export interface ReadyCall {
  readonly call: PreparedCall;
  readonly wire: WireRequest;
  /** The key, and the secrets of the body. */
  readonly secrets: readonly string[];
  readonly options: CallOptions;
  readonly signal: AbortSignal;
  /** The expected shape of a success; absent: any body. */
  readonly shape?: AnswerShape;
}

/** How one attempt ended: with an answer of any status, or with a fault. */
export type AttemptResult =
  | ({ readonly answer: WireAnswer; readonly billed?: Billed } & Partial<RequestedWait>)
  | { readonly fault: TransportFault; readonly billed?: Billed };

export interface AttemptDependencies {
  readonly options: ClientOptions;
  readonly send: Send;
  readonly debug: Debugger | undefined;
  /** Called with every answer of the service itself; absent where the caller looks at the clocks. */
  readonly noteClock: ((host: string, answer: TimedAnswer) => Promise<void>) | undefined;
}

/**
 * Makes one attempt: sends it, reports the answer to the shared rate limit and to the recorder. Connection failures are
 * returned, not thrown.
 */
export async function attempt(
  dependencies: AttemptDependencies,
  ready: ReadyCall,
  { number, settle }: { readonly number: number; readonly settle?: SettleBilled | undefined },
): Promise<AttemptResult> {
  const { clock, pace } = dependencies.options;
  const at = clock.now();
  dependencies.debug?.request(ready.wire, ready.secrets);
  const result = await trySend(dependencies, ready);
  const durationMs = clock.now() - at;
  if ('fault' in result) {
    dependencies.debug?.failure(result.fault.reason, durationMs);
  } else {
    dependencies.debug?.answer(result.answer, durationMs, ready.secrets);
    const { answer, billed: _billed, ...wait } = result;
    const { host } = ready.wire.url;
    await pace.observe(host, { status: answer.status, tookMs: durationMs, ...wait });
    if (isOfHost(answer, ready.wire)) {
      const { headers } = answer;
      await dependencies.noteClock?.(host, { headers, sentAt: at, receivedAt: at + durationMs });
    }
  }
  const exchange = exchangeOf(ready, result, { at, durationMs, attempt: number });
  const billed = await dependencies.options.recorder.record(exchange, settle, ready.options.around);
  return billed === undefined ? result : { ...result, billed };
}

async function trySend(dependencies: AttemptDependencies, ready: ReadyCall): Promise<AttemptResult> {
  try {
    const answer = await dependencies.send(ready.wire, cutterOf(ready));
    const { clock, settings } = dependencies.options;
    const wait = requestedWait(answer.headers['retry-after'], clock.now(), settings.maxBelievedWaitMs);
    return { answer, ...wait };
  } catch (error) {
    return { fault: error instanceof TransportFault ? error : sortFault(error, true) };
  }
}

/**
 * An interruption aborts a read. A write in progress is completed, since aborting it would leave its outcome unknown.
 */
function cutterOf(ready: ReadyCall): AbortSignal {
  return ready.call.method === 'GET' ? ready.signal : new AbortController().signal;
}

/** Whether the call is billed when it is carried out. */
export function isBilled({ call, options }: Pick<ReadyCall, 'call' | 'options'>): boolean {
  return call.isAlwaysBilled || (options.billed ?? false);
}

export function requestIdOf(answer: WireAnswer, secrets: readonly string[]): string | undefined {
  const header = answer.headers['x-request-id'];
  const text = Array.isArray(header) ? header[0] : header;
  return text === undefined || text === '' ? undefined : redactText(text.slice(0, 200), secrets);
}

/** False for an answer of another host, such as a storage of documents, whose headers speak of its own addresses and clock. */
function isOfHost({ url }: WireAnswer, wire: WireRequest): boolean {
  return url === undefined || url.host === wire.url.host;
}

function deprecationOf(answer: WireAnswer, wire: WireRequest, secrets: readonly string[]): Deprecation | undefined {
  if (!isOfHost(answer, wire)) return undefined;
  const found = deprecationIn(answer.headers);
  return found?.link === undefined ? found : { ...found, link: redactText(found.link, secrets) };
}

function exchangeOf(
  { call, options, wire, secrets }: ReadyCall,
  result: AttemptResult,
  { at, durationMs, attempt: number }: Pick<Exchange, 'at' | 'durationMs' | 'attempt'>,
): Exchange {
  const isFault = 'fault' in result;
  return {
    at,
    operation: call.name,
    method: call.method,
    url: redactUrl(wire.url, secrets),
    attempt: number,
    status: isFault ? result.fault.status : result.answer.status,
    requestId: isFault ? undefined : requestIdOf(result.answer, secrets),
    durationMs,
    sent: isFault ? result.fault.sent : 'yes',
    errorCode: isFault ? result.fault.kind : undefined,
    billed: isBilled({ call, options }),
    billedOnceFor: call.billedOnceFor,
    companyId: call.companyId,
    jobId: options.jobId,
    itemId: options.itemId,
    deprecation: isFault ? undefined : deprecationOf(result.answer, wire, secrets),
  };
}
