import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { got } from 'got';
import type { HttpMethod } from '../contract/operation.js';
import type { Agents } from './agents.js';
import { sortFault, TransportFault, type FaultKind } from './faults.js';
import type { Receiver } from './receive.js';

/** A JSON answer beyond this is no answer of this service. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

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

export function createTransport(agents: Agents, limits: TransportLimits): Send {
  return async (request, signal) => exchange({ request, signal, limits, agents });
}

interface ExchangeParts {
  readonly request: WireRequest;
  readonly signal: AbortSignal;
  readonly limits: TransportLimits;
  readonly agents: Agents;
}

function exchange(parts: ExchangeParts): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    if (parts.signal.aborted) return reject(new TransportFault('aborted', { sent: 'no', reason: 'aborted' }));
    const stream = openStream(parts);
    const state = { isConnected: false, status: undefined as number | undefined, isSettled: false };
    let timer = setTimeout(() => fail('connect-timeout', 'ETIMEDOUT'), parts.limits.connectTimeoutMs);
    const settle = (finish: () => void): void => {
      if (state.isSettled) return;
      state.isSettled = true;
      clearTimeout(timer);
      parts.signal.removeEventListener('abort', onAbort);
      finish();
    };
    const fail = (kind: FaultKind, reason: string): void =>
      settle(() => {
        const sent = sentOf(kind, state.isConnected);
        reject(new TransportFault(kind, { sent, reason, status: state.status }));
        stream.destroy();
      });
    const onAbort = (): void => fail('aborted', 'aborted');
    parts.signal.addEventListener('abort', onAbort, { once: true });
    const broken = (fault: TransportFault): void => settle(() => reject(fault));
    stream.on('error', (error: unknown) => broken(sortFault(error, state.isConnected, state.status)));
    const onConnected = (): void => {
      if (state.isSettled) return;
      state.isConnected = true;
      clearTimeout(timer);
      timer = setTimeout(() => fail('read-timeout', 'ETIMEDOUT'), parts.limits.readTimeoutMs);
    };
    stream.on('request', (request: ClientRequest) => whenConnected(request, onConnected));
    stream.on('response', (response: { statusCode: number; headers: IncomingHttpHeaders }) => {
      const { statusCode: status, headers } = response;
      state.status = status;
      const { url, receive } = parts.request;
      const done = (bytes: Uint8Array): void => settle(() => resolve({ status, headers, bytes, url }));
      if (receive !== undefined && status === 200) pour(stream, receive, { done, broken });
      else collect(stream, done, () => fail('too-large', `> ${String(MAX_BODY_BYTES)} bytes`));
    });
  });
}

function openStream({ request, agents }: ExchangeParts): ReturnType<typeof got.stream> {
  return got.stream(request.url, {
    method: request.method,
    headers: { ...request.headers },
    // Without a body of its own, a POST of the stream interface would wait for one to be piped in.
    ...(request.method === 'GET' ? {} : { body: bodyOf(request) }),
    agent: agents.for(request.url),
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
  });
}

function bodyOf({ body = '' }: WireRequest): string | Buffer {
  return typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
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

type GotStream = ReturnType<typeof got.stream>;

function collect(stream: GotStream, done: (bytes: Uint8Array) => void, tooLarge: () => void): void {
  const chunks: Uint8Array[] = [];
  let size = 0;
  stream.on('data', (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) tooLarge();
    else chunks.push(chunk);
  });
  stream.on('end', () => done(Buffer.concat(chunks)));
}

interface Ends {
  done(bytes: Uint8Array): void;
  broken(fault: TransportFault): void;
}

/** Hands the body on as fast as it is taken. */
function pour(stream: GotStream, receive: Receiver, { done, broken }: Ends): void {
  takeAll(stream, receive).then(done, (error: unknown) => {
    broken(error instanceof TransportFault ? error : sortFault(error, true, 200));
    stream.destroy();
  });
}

/** Gives the text of an answer that names another address; nothing when the bytes went to their sink. */
async function takeAll(stream: GotStream, receive: Receiver): Promise<Uint8Array> {
  await receive.begin();
  for await (const chunk of stream) await receive.take(asBytes(chunk));
  await receive.end();
  return receive.isPointer ? receive.pointer : new Uint8Array();
}

function asBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError('a body gave something else than bytes');
}
