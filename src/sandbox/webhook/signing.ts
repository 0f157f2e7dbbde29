import { createHmac } from 'node:crypto';
import type { Meta } from '../core/database.js';

export const signingSchemes = ['hub-sha1', 'standard-webhooks'] as const;
export const hexCases = ['lower', 'upper'] as const;
export const hookIds = ['delivery', 'webhook'] as const;

/** How deliveries are signed. §6 does not show it; `hub-sha1` is public, in lower or upper case. */
interface Signing {
  readonly scheme: (typeof signingSchemes)[number];
  readonly hex: (typeof hexCases)[number];
  /** `X-Hook-Id` is the id of the delivery or of its webhook. */
  readonly hookId: (typeof hookIds)[number];
}

export interface SigningChoice {
  get(): Signing;
  set(signing: Signing): void;
}

const name = 'webhook.signing';
const usual: Signing = { scheme: 'hub-sha1', hex: 'lower', hookId: 'delivery' };

export function openSigning(meta: Meta): SigningChoice {
  return {
    get: () => ({ ...usual, ...JSON.parse(meta.get(name) ?? '{}') }),
    set: (signing) => meta.set(name, JSON.stringify(signing)),
  };
}

/** The delivery to sign. */
interface Unsigned {
  readonly id: string;
  readonly webhookId: string | null;
  readonly event: string;
  /** From 1. */
  readonly attempt: number;
  readonly body: string;
}

/** The headers of a delivery; no signature without a secret. */
export function signedHeaders(
  signing: Signing,
  unsigned: Unsigned,
  secret: string | null,
): Readonly<Record<string, string>> {
  const { id, webhookId, event, attempt, body } = unsigned;
  if (signing.scheme === 'standard-webhooks') return standardHeaders(unsigned, secret);
  const digest = secret === null ? null : createHmac('sha1', secret).update(body).digest('hex');
  return {
    ...(digest === null
      ? {}
      : { 'X-Hub-Signature': `sha1=${signing.hex === 'upper' ? digest.toUpperCase() : digest}` }),
    'X-Hook-Id': signing.hookId === 'webhook' ? (webhookId ?? id) : id,
    'X-Hook-Attempts': String(attempt),
    'X-Hook-Event': event,
  };
}

/** Real time instead of the service's clock, because receivers compare it with theirs. */
function standardHeaders({ id, body }: Unsigned, secret: string | null): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = secret === null ? null : keyOf(secret);
  const digest = key === null ? null : createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(digest === null ? {} : { 'webhook-signature': `v1,${digest}` }),
  };
}

/** `whsec_` and a key in base64, or any other text. */
function keyOf(secret: string): Uint8Array {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
}
