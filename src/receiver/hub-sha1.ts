import { createHmac, timingSafeEqual } from 'node:crypto';
import { headerText, type SignatureScheme } from './scheme.js';

const signatureForm = /^sha1=([0-9a-f]{40})$/i;

/**
 * `X-Hub-Signature: sha1=<HMAC-SHA1 of the raw body, hex in either case>` (public). It has no time: an old delivery that is
 * played again is found by its id and body.
 */
export const hubSha1: SignatureScheme = {
  name: 'hub-sha1',
  verify({ headers, body }, secrets) {
    const written = headerText(headers, 'x-hub-signature');
    if (written === '') return 'missing';
    const hex = signatureForm.exec(written)?.[1];
    if (hex === undefined) return 'wrong';
    const given = Buffer.from(hex, 'hex');
    const matches = secrets.filter((secret) => timingSafeEqual(digestOf(body, secret), given));
    return matches.length > 0 ? 'genuine' : 'wrong';
  },
  deliveryId: (headers) => headerText(headers, 'x-hook-id'),
  sign: ({ id, body }, secret) => ({
    'x-hub-signature': `sha1=${digestOf(body, secret).toString('hex')}`,
    'x-hook-id': id,
  }),
};

function digestOf(body: Uint8Array, secret: string): Buffer {
  return createHmac('sha1', secret).update(body).digest();
}
