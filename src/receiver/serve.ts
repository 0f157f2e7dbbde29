import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Connections, destroyAfter } from './connections.js';
import {
  type GenuineDelivery,
  isJson,
  isPath,
  Memory,
  type Proof,
  readDelivery,
  receiveBody,
  type Refusal,
} from './delivery.js';
import type { SignedDelivery } from './schemes.js';

export interface Reception extends Proof {
  readonly path: string;
  readonly maxBodyBytes: number;
  now(): number;
  /** Stores the delivery durably. The sender receives its 200 only after this has resolved. */
  accept(delivery: GenuineDelivery): Promise<void>;
  /** Called for every refused request, with what is known about it. */
  refused(refusal: Refusal, why: RefusalFacts): void;
}

export interface RefusalFacts {
  /** Why it could not be stored. */
  readonly fault?: unknown;
  /** For a stale delivery: how long before this machine's time it was signed, in milliseconds. */
  readonly ageMs?: number | undefined;
}

const statusOf: Readonly<Record<Refusal, number>> = {
  path: 404,
  method: 405,
  type: 415,
  'too-large': 413,
  busy: 503,
  // Closed without an answer.
  crowded: 503,
  cut: 400,
  slow: 408,
  // Closed by the client: nobody reads an answer.
  reset: 400,
  malformed: 400,
  unsigned: 401,
  forged: 401,
  // The delivery is genuine: if this machine's clock is wrong, a later retry succeeds once it is corrected.
  stale: 503,
  syntax: 400,
  unstored: 503,
};

/** Memory for request bodies, over all connections: room for at least a few of the largest. */
const memoryBytes = 64 * 1024 * 1024;

/**
 * Answers deliveries: 200 after the event is stored, otherwise a status that tells the sender what to do. Answers have
 * no body, so that a forger learns nothing.
 */
export function serveDeliveries(
  reception: Reception,
  { connections, lingerMs }: { readonly connections: Connections; readonly lingerMs: number },
): RequestListener {
  const memory = new Memory(Math.max(memoryBytes, 4 * reception.maxBodyBytes));
  return (request, response) => {
    handle({ request, response }, reception, { memory, connections }).then(
      (refusal) => answer(response, refusal, lingerMs),
      // `handle` has reported the failure; the connection is useless now.
      () => response.destroy(),
    );
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function handle(
  { request, response }: Exchange,
  reception: Reception,
  { memory, connections }: { readonly memory: Memory; readonly connections: Connections },
): Promise<Refusal | undefined> {
  const refuse = (refusal: Refusal, why: RefusalFacts = {}): Refusal => {
    reception.refused(refusal, why);
    return refusal;
  };
  const early = headRefusal(request, reception.path);
  if (early !== undefined) return refuse(early);
  if (isTooLarge(request.headers, reception.maxBodyBytes)) return refuse('too-large');
  // A sender may wait for this before sending the body (`Expect: 100-continue`).
  if (request.headers.expect !== undefined) response.writeContinue();
  const received = await receiveBody(request, { maxBytes: reception.maxBodyBytes, memory });
  if ('refused' in received) return refuse(received.refused);
  try {
    const signed = { headers: request.headers, body: received.body, now: reception.now() };
    const delivery = await readRenewed(signed, reception);
    if ('refused' in delivery) {
      const { refused, ...why } = delivery;
      return refuse(refused, why);
    }
    await connections.keepWhile(request.socket, () => reception.accept(delivery));
    return undefined;
  } catch (fault) {
    return refuse('unstored', { fault });
  } finally {
    memory.give(received.body.length);
  }
}

/** A webhook created a moment ago signs with a secret that was not known at the start. */
async function readRenewed(signed: SignedDelivery, reception: Reception): Promise<ReturnType<typeof readDelivery>> {
  const delivery = readDelivery(signed, reception);
  const isForged = 'refused' in delivery && delivery.refused === 'forged';
  if (!isForged || (await reception.renew?.()) !== true) return delivery;
  return readDelivery(signed, reception);
}

function isTooLarge(headers: IncomingHttpHeaders, maxBytes: number): boolean {
  return Number(headers['content-length'] ?? 0) > maxBytes;
}

function headRefusal({ url, method, headers }: IncomingMessage, path: string): Refusal | undefined {
  if (!isPath(url, path)) return 'path';
  if (method !== 'POST') return 'method';
  return isJson(headers) ? undefined : 'type';
}

function answer(response: ServerResponse, refusal: Refusal | undefined, lingerMs: number): void {
  const status = refusal === undefined ? 200 : statusOf[refusal];
  const { complete } = response.req;
  if (status === 405) response.setHeader('allow', 'POST');
  if (status === 503) response.setHeader('retry-after', refusal === 'stale' ? 60 : 5);
  // After an unread body, the connection cannot carry another request.
  if (!complete) response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-length': 0 });
  if (complete) response.end();
  else response.end(() => linger(response.req, lingerMs));
}

/** Reads and discards what a refused sender still sends for a moment. */
function linger(request: IncomingMessage, lingerMs: number): void {
  if (request.complete) return;
  const { socket } = request;
  destroyAfter(socket, lingerMs);
  request.resume();
  request.once('end', () => socket.destroySoon());
}
