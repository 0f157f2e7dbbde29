import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { HttpMethod } from '../contract/operation.js';
import { readBody } from './body.js';
import { sortFault, TransportFault, type FaultKind } from './faults.js';
import type { Receiver } from './receive.js';

export interface WireRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** What people may see of a body that is no JSON. */
  readonly shownBody?: string;
  /** Takes the body of a 200 as it comes; absent: the answer holds it. */
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

/** One request, one answer, no policy. Any status is an answer; everything else is a `TransportFault`. */
export type Send = (request: WireRequest, signal: AbortSignal) => Promise<WireAnswer>;

/** What a carrier tells of the request that it sends. An error ends it, whenever it comes. */
export interface CarrierEvents {
  requested(request: ClientRequest): void;
  answered(head: AnswerHead, body: Readable): void;
  failed(error: unknown): void;
}

export type AnswerHead = Pick<WireAnswer, 'status' | 'headers'>;

/** Sends one request and tells what becomes of it; `destroy` cuts it, in whatever state it is. */
export type Carrier = (request: WireRequest, events: CarrierEvents) => { destroy(): void };

export interface ExchangeParts {
  readonly request: WireRequest;
  readonly signal: AbortSignal;
  readonly limits: TransportLimits;
  readonly carry: Carrier;
}

/** One request from the connection to the last byte, under the limits of time. Rejects with a `TransportFault`. */
export async function exchange(parts: ExchangeParts): Promise<WireAnswer> {
  if (parts.signal.aborted) throw new TransportFault('aborted', { sent: 'no', reason: 'aborted' });
  return await new Promise((resolve, reject) => new Exchange(parts, { resolve, reject }).start());
}

interface Settling {
  resolve(answer: WireAnswer): void;
  reject(fault: TransportFault): void;
}

class Exchange {
  #isConnected = false;
  #isSettled = false;
  #status: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #carried: ReturnType<Carrier> | undefined;
  readonly #onAbort = (): void => this.#fail('aborted', 'aborted');

  constructor(
    private readonly parts: ExchangeParts,
    private readonly settling: Settling,
  ) {}

  start(): void {
    const { signal, limits, carry, request } = this.parts;
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
    if (this.#isSettled) return;
    this.#isConnected = true;
    clearTimeout(this.#timer);
    const { readTimeoutMs } = this.parts.limits;
    this.#timer = setTimeout(() => this.#fail('read-timeout', 'ETIMEDOUT'), readTimeoutMs);
  }

  #answered(head: AnswerHead, body: Readable): void {
    this.#status = head.status;
    const { url, receive } = this.parts.request;
    // Only the body of a 200 is what was asked for.
    readBody(body, head.status === 200 ? receive : undefined, {
      done: (bytes) => this.#settle(() => this.settling.resolve({ ...head, bytes, url })),
      tooLarge: (reason) => this.#fail('too-large', reason),
      spoilt: (fault) => this.#cut(fault),
    });
  }

  #failed(error: unknown): void {
    this.#settle(() => this.settling.reject(sortFault(error, this.#isConnected, this.#status)));
  }

  #fail(kind: FaultKind, reason: string): void {
    const sent = sentOf(kind, this.#isConnected);
    this.#cut(new TransportFault(kind, { sent, reason, status: this.#status }));
  }

  #cut(fault: TransportFault): void {
    this.#settle(() => this.settling.reject(fault));
    this.#carried?.destroy();
  }

  #settle(finish: () => void): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.parts.signal.removeEventListener('abort', this.#onAbort);
    finish();
  }
}

function sentOf(kind: FaultKind, isConnected: boolean): 'yes' | 'no' | 'unknown' {
  if (!isConnected) return 'no';
  return kind === 'too-large' ? 'yes' : 'unknown';
}

/** Calls back when bytes of the request may leave: from then on nobody knows what the far side has done. */
function whenConnected(request: ClientRequest, ready: () => void): void {
  const watch = (socket: Socket): void => {
    if (request.reusedSocket) ready();
    else if (socket instanceof TLSSocket) socket.once('secureConnect', ready);
    else if (socket.connecting) socket.once('connect', ready);
    else ready();
  };
  if (request.socket) watch(request.socket);
  else request.once('socket', watch);
}
