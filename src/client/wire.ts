import type { Credential } from '../config/settings.js';
import { authorize } from './authorize.js';
import type { RequestPreview } from './client.js';
import type { ClientSettings } from './options.js';
import type { PreparedCall } from './prepared.js';
import { redactData, redactUrl } from './redact.js';
import type { WireRequest } from './exchange.js';

const USER_AGENT = 'fiscal-cli';

/** Puts the key on a prepared call: the request as it goes out. */
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

function withKey(address: URL, key: string): URL {
  const url = new URL(address);
  url.searchParams.set('apikey', key);
  return url;
}

/** The same for `--dry-run`: no key is looked for, so that it works without one. */
export function toPreview(call: PreparedCall, settings: Pick<ClientSettings, 'keyIn'>): RequestPreview {
  const isInQuery = call.queryKey && settings.keyIn === 'query';
  const url = redactUrl(call.url);
  return {
    method: call.method,
    url: isInQuery ? `${url}${call.url.search === '' ? '?' : '&'}apikey=***` : url,
    headers: { ...plainHeaders(call), ...(isInQuery ? {} : { authorization: '***' }) },
    ...(call.body === undefined ? {} : { body: redactData(JSON.parse(call.body)) }),
    ...(call.form === undefined ? {} : { body: call.form.shown }),
  };
}

function plainHeaders(call: PreparedCall): Readonly<Record<string, string>> {
  return {
    accept: 'application/json',
    'user-agent': USER_AGENT,
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(call.form === undefined ? {} : { 'content-type': call.form.contentType }),
    ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
  };
}
