import { Refusal, invalid } from '../core/refusal.js';
import { type Check, type Fields, object, oneOf, type Report } from '../invoice/checks.js';
import { isRecord } from '../product/read-product.js';
import { eventTypes, matches } from './event-types.js';
import type { StoredWebhook } from './webhooks.js';

/** What a body tells of a webhook. `secret`: absent where it is not told. */
export type GivenWebhook = Omit<
  StoredWebhook,
  'id' | 'tenantId' | 'secret' | 'status' | 'createdOn' | 'modifiedOn'
> & { readonly secret?: string; readonly status: 'Active' | 'Inactive' };

const mostFilters = 100;
const mostHeaders = 20;
const longestUri = 2_048;
/** RFC 9110: a token, and what may stand in a value. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const headerValue = /^[\t\x20-\x7e]{0,1000}$/;
const ownHeaders =
  /^(x-hub-.*|x-hook-.*|webhook-.*|host|content-.*|connection|transfer-encoding|expect|upgrade)$/i;

const uri: Check = (value, path, report) => {
  if (typeof value !== 'string' || value.length > longestUri || !URL.canParse(value)) {
    return void report.push({
      field: path,
      message: `Must be an address of at most ${longestUri} characters.`,
    });
  }
  const { protocol, username, password } = new URL(value);
  if (!/^https?:$/.test(protocol)) report.push({ field: path, message: 'Must begin with http or https.' });
  if (username !== '' || password !== '') {
    report.push({ field: path, message: 'Must not hold a user name or a password.' });
  }
};

const secret: Check = (value, path, report) => {
  if (typeof value !== 'string' || value.length < 32 || value.length > 64) {
    report.push({ field: path, message: 'Must have 32 to 64 characters.' });
  }
};

const filters: Check = (value, path, report) => {
  if (!Array.isArray(value) || value.length > mostFilters) {
    return void report.push({ field: path, message: `Must be a list of at most ${mostFilters} names.` });
  }
  for (const [index, filter] of value.entries()) {
    const names = typeof filter === 'string' && filter.length <= 100;
    if (names && eventTypes.some(({ id }) => matches(filter, id))) continue;
    report.push({ field: `${path}[${index}]`, message: 'Names no event: see GET /v2/webhooks/eventtypes.' });
  }
};

const headers: Check = (value, path, report) => {
  if (!isRecord(value) || Object.keys(value).length > mostHeaders) {
    return void report.push({ field: path, message: `Must be an object of at most ${mostHeaders} headers.` });
  }
  for (const [name, each] of Object.entries(value)) {
    const field = `${path}.${name}`;
    if (!headerName.test(name)) report.push({ field: path, message: 'Holds a name that is no header.' });
    else if (ownHeaders.test(name)) report.push({ field, message: 'Is set by the service.' });
    else if (typeof each !== 'string' || !headerValue.test(each)) {
      report.push({ field, message: 'Must be text that a header can hold.' });
    }
  }
};

const flag: Check = (value, path, report) => {
  if (typeof value !== 'boolean') report.push({ field: path, message: 'Must be true or false.' });
};

const check = object({
  required: { uri },
  optional: {
    secret,
    contentType: oneOf(['json']),
    status: oneOf(['Active', 'Inactive']),
    filters,
    headers,
    insecureSsl: flag,
    properties: object({}),
  },
});

/** Checks the wrapped body of create and update (public). Throws 400 with all that is wrong. */
export function readWebhook(body: unknown): GivenWebhook {
  if (!isRecord(body) || !isRecord(body['webHook'])) {
    throw invalid('webHook', 'Is required: the body is {"webHook": {…}}.');
  }
  const report: Report = [];
  check(body['webHook'], 'webHook', report);
  if (report.length > 0) {
    throw new Refusal('validation_error', 'The webhook is not valid.', { details: report });
  }
  return given(body['webHook']);
}

function given(fields: Fields): GivenWebhook {
  const { uri: address, secret: key, filters: names, headers: extra, properties } = fields;
  return {
    uri: String(address),
    ...(typeof key === 'string' ? { secret: key } : {}),
    status: fields['status'] === 'Inactive' ? 'Inactive' : 'Active',
    filters: Array.isArray(names) ? names.map(String) : [],
    headers: isRecord(extra) ? textsOf(extra) : {},
    insecureSsl: fields['insecureSsl'] === true,
    properties: isRecord(properties) ? properties : {},
  };
}

function textsOf(fields: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}
