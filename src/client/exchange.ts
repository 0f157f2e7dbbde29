import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Socket } from 'node:net';
import type { HttpMethod } from '../contract/operation.js';
import { type FaultKind, sortFault, TransportFault } from './faults.js';
import type { Receiver } from './receive.js';

export interface WireRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** What may be shown of a body that is not JSON. */
  readonly shownBody?: string;
  /** Receives the body of a 200; absent: the answer contains it. */
  readonly receive?: Receiver;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Uint8Array;
  /** The address that answered, after redirects. */
  readonly url?: URL;
}

export interface TransportLimits {
  readonly connectTimeoutMs: number;
  /** From the connection to the last byte of the body. */
  readonly readTimeoutMs: number;
}

/** One request, one answer, no retries. Any status is an answer; everything else is a `TransportFault`. */
export type Send = (request: WireRequest, signal: AbortSignal) => Promise<WireAnswer>;

/** Events of a request in progress. An error ends it at any time. */
export interface CarrierEvents {
  requested(request: ClientRequest): void;
  answered(head: AnswerHead, body: Readable): void;
  failed(error: unknown): void;
}

export type AnswerHead = Pick<WireAnswer, 'status' | 'headers'>;

/** Sends one request and reports its events; `destroy` aborts it in any state. */
export type Carrier = (request: WireRequest, events: CarrierEvents) => { destroy(): void };

export interface ExchangeOptions {
  readonly request: WireRequest;
  readonly signal: AbortSignal;
  readonly limits: TransportLimits;
  readonly carry: Carrier;
}

/** One request from the connection to the last byte, within the timeouts. Rejects with a `TransportFault`. */
export async function exchange(options: ExchangeOptions): Promise<WireAnswer> {
  if (options.signal.aborted) throw new TransportFault('aborted', { sent: 'no', reason: 'aborted' });
  return await new Promise((resolve, reject) => new Exchange(options, { resolve, reject }).start());
}

interface ExchangeCallbacks {
  resolve(answer: WireAnswer): void;
  reject(fault: TransportFault): void;
}

class Exchange {
  #isConnected = false;
  #isFinished = false;
  #status: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #carried: ReturnType<Carrier> | undefined;
  readonly #onAbort = (): void => this.#fail('aborted', 'aborted');

  constructor(
    private readonly options: ExchangeOptions,
    private readonly callbacks: ExchangeCallbacks,
  ) {}

  start(): void {
    const { signal, limits, carry, request } = this.options;
    signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#timer = setTimeout(() => this.#fail('connect-timeout', 'ETIMEDOUT'), limits.connectTimeoutMs);
    try {
      this.#carried = carry(request, {
        requested: (sent) => whenConnected(sent, () => this.#connected()),
        answered: (head, body) => this.#answered(head, body),
        failed: (error) => this.#failed(error),
      });
    } catch (error) {
      this.#failed(error);
    }
  }

  #connected(): void {
    if (this.#isFinished) return;
    this.#isConnected = true;
    clearTimeout(this.#timer);
    const { readTimeoutMs } = this.options.limits;
    this.#timer = setTimeout(() => this.#fail('read-timeout', 'ETIMEDOUT'), readTimeoutMs);
  }

  #answered(head: AnswerHead, body: Readable): void {
    this.#status = head.status;
    const { url, method, receive } = this.options.request;
    const isRead = method === 'GET' && head.status === 200;
    // Only the body of a 200 is the document.
    readBody(body, head.status === 200 ? receive : undefined, {
      most: isRead ? MOST_READ_BYTES : MOST_OTHER_BYTES,
      done: (bytes) => this.#finish(() => this.callbacks.resolve({ ...head, bytes, url })),
      tooLarge: (reason) => this.#fail('too-large', reason),
      spoilt: (fault) => this.#cut(fault),
    });
  }

  #failed(error: unknown): void {
    this.#finish(() => this.callbacks.reject(sortFault(error, this.#isConnected, this.#status)));
  }

  #fail(kind: FaultKind, reason: string): void {
    const sent = sentOf(kind, this.#isConnected);
    this.#cut(new TransportFault(kind, { sent, reason, status: this.#status }));
  }

  #cut(fault: TransportFault): void {
    this.#finish(() => this.callbacks.reject(fault));
    this.#carried?.destroy();
  }

  #finish(finish: () => void): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    clearTimeout(this.#timer);
    this.options.signal.removeEventListener('abort', this.#onAbort);
    finish();
  }
}

function sentOf(kind: FaultKind, isConnected: boolean): 'yes' | 'no' | 'unknown' {
  if (!isConnected) return 'no';
  return kind === 'too-large' ? 'yes' : 'unknown';
}

/** Calls back when bytes of the request may leave the machine: from then on the outcome may be unknown. */
function whenConnected(request: ClientRequest, ready: () => void): void {
  const watch = (socket: Socket): void => {
    if (request.reusedSocket) ready();
    else if ('encrypted' in socket) socket.once('secureConnect', ready);
    else if (socket.connecting) socket.once('connect', ready);
    else ready();
  };
  if (request.socket) watch(request.socket);
  else request.once('socket', watch);
}

/** A larger JSON answer cannot come from this service: a page of a list, and what a write or a refusal says. */
const MOST_READ_BYTES = 32 * 1024 * 1024;
const MOST_OTHER_BYTES = 8 * 1024 * 1024;

/** How reading a body ends; connection errors are reported separately. */
export interface BodyEnds {
  /** The most bytes of a body that is collected. */
  readonly most: number;
  done(bytes: Uint8Array): void;
  tooLarge(reason: string): void;
  spoilt(fault: TransportFault): void;
}

/** Collects a body, or passes it to the receiver. */
export function readBody(body: Readable, receive: Receiver | undefined, ends: BodyEnds): void {
  if (receive === undefined) collect(body, ends);
  else takeAll(body, receive, ends);
}

function collect(body: Readable, { most, done, tooLarge }: BodyEnds): void {
  const chunks: Uint8Array[] = [];
  let size = 0;
  body.on('data', (chunk: Uint8Array) => {
    size += chunk.length;
    if (size <= most) return void chunks.push(chunk);
    chunks.length = 0;
    tooLarge(`> ${most} bytes`);
  });
  body.on('end', () => done(Buffer.concat(chunks)));
}

/**
 * Passes the body on as fast as the receiver takes it. Returns the JSON of an answer that contains another address;
 * nothing when the bytes went to the sink.
 */
function takeAll(body: Readable, receive: Receiver, { done, spoilt }: BodyEnds): void {
  const failed = (error: unknown): void => {
    spoilt(error instanceof TransportFault ? error : sortFault(error, true, 200));
  };
  const finish = (): void => done(receive.isPointer ? receive.pointer : new Uint8Array());
  const end = (): void => after(() => receive.end(), finish, failed);
  let turn: Promise<void> | undefined;
  const begin = (): void => {
    body.on('data', (chunk: Uint8Array) => {
      const taking = tried(() => receive.take(chunk), failed);
      if (taking === undefined) return;
      body.pause();
      turn = taking.then(() => void body.resume(), failed);
    });
    // A body may end while its last chunk is still being written.
    body.on('end', () => after(() => turn, end, failed));
  };
  after(() => receive.begin(), begin, failed);
}

/** Continues synchronously where possible: a promise per chunk would cost more than the chunk. */
function after(work: () => Promise<void> | undefined, next: () => void, failed: Failed): void {
  let hasFailed = false;
  const working = tried(work, (error) => {
    hasFailed = true;
    failed(error);
  });
  if (working !== undefined) working.then(next, failed);
  else if (!hasFailed) next();
}

type Failed = (error: unknown) => void;

function tried(work: () => Promise<void> | undefined, failed: Failed): Promise<void> | undefined {
  try {
    return work();
  } catch (error) {
    failed(error);
    return undefined;
  }
}
