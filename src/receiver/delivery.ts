import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createHash, timingSafeEqual } from 'node:crypto';
import { readWebhookEvent } from '../domain/webhook-event.js';
import { headerText, type SignatureScheme, type SignedDelivery } from './schemes.js';

/** An event whose origin is proven. */
export interface GenuineDelivery {
  readonly scheme: string;
  /** The sender's id of the delivery or of the subscription, bounded; empty when it gave none. */
  readonly hookId: string;
  readonly event: string;
  readonly resource: string;
  readonly body: Uint8Array;
  /** SHA-256 of the body, hex. */
  readonly digest: string;
}

/** Why a request was not taken. None of them is stored. */
export type Refusal =
  | 'path'
  | 'method'
  | 'type'
  | 'too-large'
  | 'busy'
  | 'cut'
  | 'slow'
  | 'malformed'
  | 'unsigned'
  | 'forged'
  | 'stale'
  | 'syntax'
  | 'unstored';

/** A delivery that is not taken. */
export interface RefusedDelivery {
  readonly refused: Refusal;
  /** Of a stale one: how long before the clock of this machine it was signed, in milliseconds. */
  readonly ageMs?: number | undefined;
}

export interface Proof {
  readonly scheme: SignatureScheme;
  /** May change when they are renewed. */
  readonly secrets: readonly string[];
  /** Looks for secrets that were stored since the start; true: there are others now. */
  renew?(): Promise<boolean>;
}

/** Origin first, then form: of what is not proven, nothing is parsed. */
export function readDelivery(
  signed: SignedDelivery,
  { scheme, secrets }: Proof,
): GenuineDelivery | RefusedDelivery {
  const verdict = scheme.verify(signed, secrets);
  if (verdict === 'missing') return { refused: 'unsigned' };
  if (verdict === 'wrong') return { refused: 'forged' };
  const { headers, body } = signed;
  if (verdict === 'stale') {
    const at = scheme.signedAt?.(headers);
    return { refused: 'stale', ageMs: at && signed.now - at };
  }
  const event = readWebhookEvent(body, headerText(headers, 'x-hook-event'));
  if (event === undefined) return { refused: 'syntax' };
  return {
    scheme: scheme.name,
    hookId: scheme.deliveryId(headers).slice(0, maxIdLength),
    event: event.name,
    resource: event.resource,
    body,
    digest: createHash('sha256').update(body).digest('hex'),
  };
}

const maxIdLength = 256;

/** `application/json` or a type that ends in `+json`, with any parameters. */
export function isJson(headers: IncomingHttpHeaders): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

/** Compared in constant time: the path may be a secret. The query is not part of it. */
export function isPath(url: string | undefined, path: string): boolean {
  const given = Buffer.from((url ?? '').split('?', 1)[0] ?? '');
  const expected = Buffer.from(path);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The whole body, whose bytes the memory is still short of, or why it was not taken. */
export type Received = { readonly body: Uint8Array } | { readonly refused: 'too-large' | 'busy' | 'cut' };

/**
 * Reads a body of at most `maxBytes`. What is longer is not read to its end, and what all connections hold together stays
 * within the memory: a thousand senders of large bodies cost no more than a few.
 */
export async function receiveBody(
  request: IncomingMessage,
  { maxBytes, memory }: { readonly maxBytes: number; readonly memory: Memory },
): Promise<Received> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return await new Promise<Received>((resolve) => {
    let isOver = false;
    const refuse = (refused: 'too-large' | 'busy' | 'cut'): void => {
      if (isOver) return;
      isOver = true;
      request.pause();
      memory.give(size);
      resolve({ refused });
    };
    request.on('data', (chunk: Uint8Array) => {
      if (isOver) return;
      if (size + chunk.length > maxBytes) return refuse('too-large');
      if (!memory.take(chunk.length)) return refuse('busy');
      size += chunk.length;
      chunks.push(chunk);
    });
    request.on('end', () => {
      if (isOver) return;
      isOver = true;
      const [only] = chunks;
      resolve({ body: chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks) });
    });
    request.on('close', () => refuse('cut'));
    request.on('error', () => refuse('cut'));
  });
}

/** How many bytes of bodies that are still being read, or stored, may stand in memory at once. */
export class Memory {
  #free: number;

  constructor(bytes: number) {
    this.#free = bytes;
  }

  /** False, and nothing taken, when it would be too much. */
  take(bytes: number): boolean {
    if (bytes > this.#free) return false;
    this.#free -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#free += bytes;
  }
}
