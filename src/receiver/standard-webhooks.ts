import { createHmac, timingSafeEqual } from 'node:crypto';
import { headerText, type SignatureScheme } from './scheme.js';

/** How far the clocks of the two sides may be apart, and how old a delivery may be. */
const toleranceSeconds = 5 * 60;

/** A sender may sign with an old and a new secret; more than this is noise that would only cost time. */
const maxSignatures = 10;

const secretPrefix = 'whsec_';

/**
 * Standard Webhooks: `webhook-signature: v1,<base64 of HMAC-SHA256(id.timestamp.body)>`, several separated by spaces, with
 * `webhook-id` and `webhook-timestamp` (seconds) inside what is signed (public).
 */
export const standardWebhooks: SignatureScheme = {
  name: 'standard-webhooks',
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
    const expected = secrets.map((secret) => digestOf({ id, seconds, body }, secret));
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
    const signature = digestOf({ id, seconds, body }, secret).toString('base64');
    return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
  },
};

interface Signed {
  readonly id: string;
  readonly seconds: string;
  readonly body: Uint8Array;
}

function digestOf({ id, seconds, body }: Signed, secret: string): Buffer {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.`).update(body).digest();
}

/** `whsec_` marks a key in base64; any other text is the key itself. */
function keyOf(secret: string): Uint8Array {
  if (!secret.startsWith(secretPrefix)) return Buffer.from(secret, 'utf8');
  return Buffer.from(secret.slice(secretPrefix.length), 'base64');
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
