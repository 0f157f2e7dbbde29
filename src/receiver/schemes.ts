import type { IncomingHttpHeaders } from 'node:http';
import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a signature is verified against. Times are milliseconds since the epoch, UTC. */
export interface SignedDelivery {
  readonly headers: IncomingHttpHeaders;
  /** The raw body, byte for byte. */
  readonly body: Uint8Array;
  readonly now: number;
}

/**
 * `missing`: no signature · `wrong`: not made with a known secret · `stale`: genuine, but signed at another time (a
 * replay, or a wrong clock).
 */
export type Verdict = 'genuine' | 'missing' | 'wrong' | 'stale';

/** How deliveries prove their origin, and how to read their headers. Pure: no clock, no state. */
export interface SignatureScheme {
  readonly name: string;
  /** Accepts any of the secrets, so that one can be replaced while the other is in use. Constant time for each. */
  verify(delivery: SignedDelivery, secrets: readonly string[]): Verdict;
  /** When it was signed, in milliseconds, if the scheme includes it. */
  signedAt?(headers: IncomingHttpHeaders): number | undefined;
  /** The sender's id of the delivery; empty when there is none. */
  deliveryId(headers: IncomingHttpHeaders): string;
  /** True where the signature covers that id. Otherwise anybody can send the same body under another one. */
  readonly signsId: boolean;
  /** The headers of a genuine delivery, as a sender or a test writes them. */
  sign(delivery: UnsignedDelivery, secret: string): Readonly<Record<string, string>>;
}

export interface UnsignedDelivery {
  readonly id: string;
  readonly body: Uint8Array;
  readonly now: number;
}

/** One header as text: the first of several; empty when absent. */
export function headerText(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  if (typeof value === 'string') return value.trim();
  return value?.[0]?.trim() ?? '';
}

const signatureForm = /^sha1=([0-9a-f]{40})$/i;

/**
 * `X-Hub-Signature: sha1=<HMAC-SHA1 of the raw body, hex in either case>` (public). It has no time and no id: a replay is
 * recognised by its body.
 */
export const hubSha1: SignatureScheme = {
  name: 'hub-sha1',
  signsId: false,
  verify({ headers, body }, secrets) {
    const written = headerText(headers, 'x-hub-signature');
    if (written === '') return 'missing';
    const hex = signatureForm.exec(written)?.[1];
    if (hex === undefined) return 'wrong';
    const given = Buffer.from(hex, 'hex');
    const matches = secrets.filter((secret) => timingSafeEqual(sha1Of(body, secret), given));
    return matches.length > 0 ? 'genuine' : 'wrong';
  },
  deliveryId: (headers) => headerText(headers, 'x-hook-id'),
  sign: ({ id, body }, secret) => ({
    'x-hub-signature': `sha1=${sha1Of(body, secret).toString('hex')}`,
    'x-hook-id': id,
  }),
};

function sha1Of(body: Uint8Array, secret: string): Buffer {
  return createHmac('sha1', secret).update(body).digest();
}

/** Tolerance between both clocks, and the maximum age of a delivery. */
const toleranceSeconds = 5 * 60;

/** A sender may sign with an old and a new secret; more signatures only cost time. */
const maxSignatures = 10;

const secretPrefix = 'whsec_';

/**
 * Standard Webhooks: `webhook-signature: v1,<base64 of HMAC-SHA256(id.timestamp.body)>`, several separated by spaces;
 * `webhook-id` and `webhook-timestamp` (seconds) are part of the signed text (public).
 */
export const standardWebhooks: SignatureScheme = {
  name: 'standard-webhooks',
  signsId: true,
  verify({ headers, body, now }, secrets) {
    const id = headerText(headers, 'webhook-id');
    const seconds = headerText(headers, 'webhook-timestamp');
    const written = headerText(headers, 'webhook-signature');
    if (id === '' || seconds === '' || written === '') return 'missing';
    if (!/^\d{1,12}$/.test(seconds)) return 'wrong';
    const given = written
      .split(' ', maxSignatures)
      .filter((part) => part.startsWith('v1,'))
      .map((part) => Buffer.from(part.slice('v1,'.length), 'base64'));
    const expected = secrets.map((secret) => sha256Of({ id, seconds, body }, secret));
    const matches = expected.flatMap((one) => given.filter((other) => sameBytes(one, other)));
    if (matches.length === 0) return 'wrong';
    return Math.abs(now / 1000 - Number(seconds)) <= toleranceSeconds ? 'genuine' : 'stale';
  },
  signedAt(headers) {
    const seconds = Number(headerText(headers, 'webhook-timestamp'));
    return Number.isSafeInteger(seconds) ? seconds * 1000 : undefined;
  },
  deliveryId: (headers) => headerText(headers, 'webhook-id'),
  sign({ id, body, now }, secret) {
    const seconds = String(Math.floor(now / 1000));
    const signature = sha256Of({ id, seconds, body }, secret).toString('base64');
    return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
  },
};

interface Signed {
  readonly id: string;
  readonly seconds: string;
  readonly body: Uint8Array;
}

function sha256Of({ id, seconds, body }: Signed, secret: string): Buffer {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.`).update(body).digest();
}

/** `whsec_` marks a base64 key; any other text is the key itself. */
function keyOf(secret: string): Uint8Array {
  if (!secret.startsWith(secretPrefix)) return Buffer.from(secret, 'utf8');
  return Buffer.from(secret.slice(secretPrefix.length), 'base64');
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The supported schemes; a new one is an object and a line here. */
export const schemes = { 'hub-sha1': hubSha1, 'standard-webhooks': standardWebhooks } as const satisfies Readonly<
  Record<string, SignatureScheme>
>;

export type SchemeName = keyof typeof schemes;

export const schemeNames = ['hub-sha1', 'standard-webhooks'] as const satisfies readonly SchemeName[];
