import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createHash, timingSafeEqual } from 'node:crypto';
import { readWebhookEvent } from '../domain/webhook-event.js';
import { headerText, type SignatureScheme, type SignedDelivery } from './schemes.js';

/** An event whose origin is verified. */
export interface GenuineDelivery {
  readonly scheme: string;
  /** The sender's id of the delivery or the subscription, limited in length; empty when there is none. */
  readonly hookId: string;
  /** The same id where the signature covers it, else empty: the same body is then a copy. */
  readonly signedId: string;
  readonly event: string;
  readonly resource: string;
  readonly body: Uint8Array;
  /** SHA-256 of the body, hex. */
  readonly digest: string;
}

/** Why a request was refused. Refused requests are not stored. */
export type Refusal =
  | 'path'
  | 'method'
  | 'type'
  | 'too-large'
  | 'busy'
  | 'crowded'
  | 'cut'
  | 'slow'
  | 'reset'
  | 'malformed'
  | 'unsigned'
  | 'forged'
  | 'stale'
  | 'syntax'
  | 'unstored';

/** A refused delivery. */
export interface RefusedDelivery {
  readonly refused: Refusal;
  /** For a stale one: how long before this machine's time it was signed, in milliseconds. */
  readonly ageMs?: number | undefined;
}

export interface Proof {
  readonly scheme: SignatureScheme;
  /** Changes when secrets are renewed. */
  readonly secrets: readonly string[];
  /** Reloads the stored secrets; true when they have changed. */
  renew?(): Promise<boolean>;
}

/** Checks the origin before the form: nothing unverified is parsed. */
export function readDelivery(signed: SignedDelivery, { scheme, secrets }: Proof): GenuineDelivery | RefusedDelivery {
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
  const hookId = scheme.deliveryId(headers).slice(0, maxIdLength);
  return {
    scheme: scheme.name,
    hookId,
    signedId: scheme.signsId ? hookId : '',
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

/** Compared in constant time, since the path may be secret. The query is ignored. */
export function isPath(url: string | undefined, path: string): boolean {
  const given = Buffer.from((url ?? '').split('?', 1)[0] ?? '');
  const expected = Buffer.from(path);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The complete body, whose memory is still reserved, or why it was refused. */
export type Received = { readonly body: Uint8Array } | { readonly refused: 'too-large' | 'busy' | 'cut' };

/**
 * Reads a body of at most `maxBytes`, stopping at the limit. All connections share the memory limit: a thousand senders
 * of large bodies cost no more than a few.
 */
export async function receiveBody(
  request: IncomingMessage,
  { maxBytes, memory }: { readonly maxBytes: number; readonly memory: Memory },
): Promise<Received> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return await new Promise<Received>((resolve) => {
    let isOver = false;
    const finish = (): void => {
      isOver = true;
      memory.finished(refuse);
    };
    const refuse = (refused: 'too-large' | 'busy' | 'cut'): void => {
      if (isOver) return;
      finish();
      request.pause();
      memory.give(size);
      resolve({ refused });
    };
    memory.begun(refuse);
    request.on('data', (chunk: Uint8Array) => {
      if (isOver) return;
      if (size + chunk.length > maxBytes) return refuse('too-large');
      if (!memory.take(chunk.length, refuse)) return;
      size += chunk.length;
      chunks.push(chunk);
    });
    request.on('end', () => {
      if (isOver) return;
      finish();
      const [only] = chunks;
      resolve({ body: chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks) });
    });
    request.on('close', () => refuse('cut'));
    request.on('error', () => refuse('cut'));
  });
}

/** Ends the reading of a body and gives its memory back. */
type Refuse = (refused: 'busy') => void;

/** Limits the bytes of bodies being read or stored. */
export class Memory {
  #free: number;
  /** Of the bodies being read, the oldest first. */
  readonly #unfinished = new Set<Refuse>();

  constructor(bytes: number) {
    this.#free = bytes;
  }

  begun(refuse: Refuse): void {
    this.#unfinished.add(refuse);
  }

  finished(refuse: Refuse): void {
    this.#unfinished.delete(refuse);
  }

  /**
   * Reserves memory for the body that `own` refuses. When the limit would be exceeded, the bodies that have been read
   * longest are refused first, so that slow senders do not keep it. False, and nothing reserved, when this body was among
   * them.
   */
  take(bytes: number, own: Refuse): boolean {
    while (bytes > this.#free) {
      const [oldest] = this.#unfinished;
      if (oldest === undefined) return false;
      oldest('busy');
      if (oldest === own) return false;
    }
    this.#free -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#free += bytes;
  }
}
