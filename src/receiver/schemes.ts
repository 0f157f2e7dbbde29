import { hubSha1 } from './hub-sha1.js';
import type { SignatureScheme } from './scheme.js';
import { standardWebhooks } from './standard-webhooks.js';

/** The ways in which a delivery proves its origin; another one is a file and a line here. */
export const schemes = {
  'hub-sha1': hubSha1,
  'standard-webhooks': standardWebhooks,
} as const satisfies Readonly<Record<string, SignatureScheme>>;

export type SchemeName = keyof typeof schemes;

export const schemeNames = ['hub-sha1', 'standard-webhooks'] as const satisfies readonly SchemeName[];
