import { isRecord } from '../core/exact-json.js';
import type { Fields, StoredWebhook } from '../core/records.js';
import type { WebhookEventType } from '../../contract/webhook.js';
import { invalid, Refusal } from '../core/refusal.js';
import { type Check, object, oneOf, type Report } from '../invoice/checks.js';

/** The fields of a request; without `secret` the webhook keeps its own. */
type GivenWebhook = Omit<
  StoredWebhook,
  'id' | 'tenantId' | 'secret' | 'status' | 'createdOn' | 'modifiedOn'
> & { readonly secret?: string; readonly status: 'Active' | 'Inactive' };

const statuses = ['Active', 'Inactive'] as const;
const mostFilters = 100;
const mostHeaders = 20;
const longestUri = 2_048;
/** RFC 9110: a token, and the characters of a value. */
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
    report.push({ field: path, message: 'Must not contain a user name or password.' });
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
    report.push({
      field: `${path}[${index}]`,
      message: 'Matches no event: see GET /v2/webhooks/eventtypes.',
    });
  }
};

const headers: Check = (value, path, report) => {
  if (!isRecord(value) || Object.keys(value).length > mostHeaders) {
    return void report.push({ field: path, message: `Must be an object of at most ${mostHeaders} headers.` });
  }
  for (const [name, each] of Object.entries(value)) {
    const field = `${path}.${name}`;
    if (!headerName.test(name)) report.push({ field: path, message: 'Contains an invalid header name.' });
    else if (ownHeaders.test(name)) report.push({ field, message: 'Is set by the service.' });
    else if (typeof each !== 'string' || !headerValue.test(each)) {
      report.push({ field, message: 'Must be a valid header value.' });
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
    status: oneOf(statuses),
    filters,
    headers,
    insecureSsl: flag,
    properties: object({}),
  },
});

/**
 * Checks the wrapped body of create and update (public). `otherwise` is the status of a body without one. Throws a 400
 * with all problems.
 */
export function readWebhook(body: unknown, otherwise: GivenWebhook['status']): GivenWebhook {
  if (!isRecord(body) || !isRecord(body['webHook'])) {
    throw invalid('webHook', 'Is required: the body is {"webHook": {…}}.');
  }
  const report: Report = [];
  check(body['webHook'], 'webHook', report);
  if (report.length > 0) {
    throw new Refusal('validation_error', 'The webhook is not valid.', { details: report });
  }
  return given(body['webHook'], otherwise);
}

function given(fields: Fields, otherwise: GivenWebhook['status']): GivenWebhook {
  const { uri: address, secret: key, filters: names, headers: extra, properties } = fields;
  return {
    uri: String(address),
    ...(typeof key === 'string' ? { secret: key } : {}),
    status: statuses.find((status) => status === fields['status']) ?? otherwise,
    filters: Array.isArray(names) ? names.map(String) : [],
    headers: isRecord(extra) ? textsOf(extra) : {},
    insecureSsl: fields['insecureSsl'] === true,
    properties: isRecord(properties) ? properties : {},
  };
}

function textsOf(fields: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}

const invoices = [
  ['invoice', 'invoice'],
  ['product_invoice', 'NF-e'],
  ['consumer_invoice', 'NFC-e'],
  ['service_invoice', 'NFS-e'],
] as const;
type InvoiceResource = (typeof invoices)[number][0];

const endings = [
  ['issued_successfully', 'was issued'],
  ['issued_error', 'was not issued'],
  ['cancelled_successfully', 'was cancelled'],
  ['cancelled_error', 'was not cancelled'],
] as const;
export type InvoiceEnding = (typeof endings)[number][0];

const others = [
  ['product.active', 'The tax rules of a product are valid.'],
  ['product.error', 'The tax rules of a product are not valid.'],
  ['product_invoice_inbound.received', 'An NF-e was captured.'],
  ['transportation_invoice_inbound.received', 'A CT-e was captured.'],
  ['service_invoice_inbound.received', 'An NFS-e was captured.'],
  ['service_invoice_manifestation.accepted', 'The manifestation of an NFS-e was accepted.'],
  ['service_invoice_manifestation.rejected', 'The manifestation of an NFS-e was rejected.'],
  ['service_invoice_manifestation.failed', 'The manifestation of an NFS-e could not be sent.'],
] as const;

/** `ping` goes to one webhook, regardless of its filters. */
export type EventName = `${InvoiceResource}.${InvoiceEnding}` | (typeof others)[number][0] | 'ping';

/** The events of the sandbox (names assumed, after those that similar services publish). */
export const eventTypes: readonly WebhookEventType[] = [
  ...invoices.flatMap(([resource, name]) =>
    endings.map(([ending, what]) => ({ id: `${resource}.${ending}`, description: `An ${name} ${what}.` })),
  ),
  ...others.map(([id, description]) => ({ id, description })),
];

/** True if a filter matches the event; `*` matches any text, and no filters match all events. */
export function isWanted(filters: readonly string[], event: string): boolean {
  return filters.length === 0 || filters.some((filter) => matches(filter, event));
}

/** Linear in both texts, so that no filter is slow. */
export function matches(filter: string, event: string): boolean {
  const [first = '', ...rest] = filter.toLowerCase().split('*');
  const last = rest.pop();
  if (last === undefined) return filter.toLowerCase() === event;
  if (!event.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = event.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return event.endsWith(last) && event.length - last.length >= at;
}
