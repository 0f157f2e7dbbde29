import { userAgent } from '../domain/version.js';
import type { Credential } from '../config/settings.js';
import type { Operation } from '../contract/operation.js';
import { parseExactJson } from '../domain/json-numbers.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { isLoopback } from '../domain/loopback.js';
import type { ClientSettings, RequestPreview } from './client.js';
import type { WireRequest } from './exchange.js';
import type { PreparedCall } from './prepared.js';
import { redactData, redactUrl } from './redact.js';

/** Adds the key to a prepared call. */
export function toWire(
  call: PreparedCall,
  credential: Credential,
  settings: Pick<ClientSettings, 'keyIn'>,
): WireRequest {
  const { header, queryKey } = authorize(credential, call, settings);
  return {
    method: call.method,
    url: queryKey === undefined ? call.url : withKey(call.url, queryKey),
    headers: { ...plainHeaders(call), ...(header === undefined ? {} : { authorization: header }) },
    ...(call.body === undefined ? {} : { body: call.body }),
    ...(call.form === undefined ? {} : { body: call.form.bytes, shownBody: JSON.stringify(call.form.shown) }),
  };
}

/** A call without a key, to see how the service answers it. */
export function toKeylessWire(call: PreparedCall): WireRequest {
  return { method: call.method, url: call.url, headers: plainHeaders(call) };
}

function withKey(address: URL, key: string): URL {
  const url = new URL(address);
  url.searchParams.set('apikey', key);
  return url;
}

/** The request for `--dry-run`: needs no key. */
export function toPreview(call: PreparedCall, settings: Pick<ClientSettings, 'keyIn'>): RequestPreview {
  const isInQuery = call.queryKey && settings.keyIn === 'query';
  const url = redactUrl(call.url);
  return {
    method: call.method,
    url: isInQuery ? `${url}${call.url.search === '' ? '?' : '&'}apikey=***` : url,
    headers: { ...plainHeaders(call), ...(isInQuery ? {} : { authorization: '***' }) },
    ...(call.body === undefined ? {} : { body: redactData(parseExactJson(call.body)) }),
    ...(call.form === undefined ? {} : { body: call.form.shown }),
  };
}

function plainHeaders(call: PreparedCall): Readonly<Record<string, string>> {
  return {
    accept: 'application/json',
    'user-agent': userAgent,
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(call.form === undefined ? {} : { 'content-type': call.form.contentType }),
    ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
  };
}

const SANDBOX_PREFIX = 'sbx_';
const SANDBOX_PROFILE = 'sandbox';

/** How a request carries its key: in a header or in the query (§5, methods 1 to 3). */
export interface Authorization {
  readonly header?: string;
  readonly queryKey?: string;
}

/**
 * Chooses the method of §5: a JWT as `Bearer`; an API key as it is, or in the query where both operation and profile
 * allow it.
 */
export function authorize(
  credential: Credential,
  operation: Pick<Operation, 'queryKey'>,
  settings: Pick<ClientSettings, 'keyIn'>,
): Authorization {
  if (credential.scheme === 'bearer') return { header: `Bearer ${credential.secret}` };
  if (operation.queryKey && settings.keyIn === 'query') return { queryKey: credential.secret };
  return { header: credential.secret };
}

/**
 * Keeps sandbox keys on this machine and live keys away from the sandbox. Throws `config.key_host_mismatch` before
 * anything is sent.
 */
export function assertKeyMayGo(credential: Credential, url: URL, profile: string | undefined): void {
  const isSandboxKey = credential.secret.startsWith(SANDBOX_PREFIX);
  if (isSandboxKey && !isLoopback(url.hostname)) throw mismatch('sandbox', url, credential);
  if (profile !== SANDBOX_PROFILE) return;
  if (!isLoopback(url.hostname)) throw new FiscalError('config.key_host_mismatch', { kind: 'sandbox', host: url.host });
  if (!isSandboxKey) throw mismatch('live', url, credential);
}

function mismatch(kind: string, url: URL, credential: Credential): FiscalError {
  return new FiscalError(
    'config.key_host_mismatch',
    { kind, host: url.host },
    { sent: 'no', keyKind: credential.kind, keySource: credential.source },
  );
}
