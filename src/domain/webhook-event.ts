import { createHash } from 'node:crypto';
import { isRecord } from './record.js';
import { isNumber, parseForeignJson, TooDeep } from './json-numbers.js';

/** The name and the resource of a webhook delivery. */
export interface WebhookEvent {
  /** Empty when the delivery names no event. */
  readonly name: string;
  /** Empty when the payload identifies no resource. */
  readonly resource: string;
  /** The `payload` of the body, or the whole body without one. */
  readonly payload: unknown;
}

const maxNameLength = 128;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * In order of preference: the identifier that never changes comes first. An access key exists only after the
 * authorisation.
 */
const identities = [
  ...['id', 'invoiceId', 'productId', 'documentId', 'productInvoiceId', 'serviceInvoiceId'],
  ...['accessKey', 'chaveAcesso', 'chave', 'externalId', 'nsu'],
] as const;

/** Fields of a payload that may contain the resource. */
const wrappers = ['invoice', 'product', 'document', 'productInvoice', 'serviceInvoice', 'data'] as const;

/**
 * Reads the body `{action, payload}` of a delivery (published). The name comes from the signed body, or from the
 * header if the body has none. A body that is nested too deeply has no payload. `undefined`: the body is not UTF-8 or not JSON.
 */
export function readWebhookEvent(body: Uint8Array, headerName: string): WebhookEvent | undefined {
  const content = parse(body);
  if (content === undefined) return undefined;
  const { value } = content;
  const record = asRecord(value);
  const payload = record['payload'] ?? value;
  const name = textOf(record['action']) ?? textOf(headerName) ?? '';
  return { name: bounded(name), resource: bounded(resourceOf(asRecord(payload))), payload };
}

/** True if a name matches the event; `*` in a name matches any text. The time is linear in both. */
export function matchesEvent(names: readonly string[], event: string): boolean {
  return names.some((name) => matchesOne(name.toLowerCase(), event.toLowerCase()));
}

function parse(body: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: parseForeignJson(utf8.decode(body)) };
  } catch (error) {
    // Genuine all the same: it is stored and passed on, and nothing of it is printed.
    if (error instanceof TooDeep) return { value: undefined };
    // The sender is a program; a reason would not help it.
    return undefined;
  }
}

function resourceOf(payload: Readonly<Record<string, unknown>>): string {
  const places = [payload, ...wrappers.map((name) => asRecord(payload[name]))];
  for (const place of places) {
    for (const name of identities) {
      const found = textOf(place[name]);
      if (found !== undefined) return found;
    }
  }
  return '';
}

function textOf(value: unknown): string | undefined {
  if (isNumber(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The sender decides the length: a long text is replaced by its digest. */
function bounded(text: string): string {
  if (text.length <= maxNameLength) return text;
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function matchesOne(name: string, event: string): boolean {
  const [first = '', ...rest] = name.split('*');
  const last = rest.pop();
  if (last === undefined) return name === event;
  if (!event.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = event.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return event.length - last.length >= at && event.endsWith(last);
}
