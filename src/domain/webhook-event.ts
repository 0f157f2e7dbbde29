import { createHash } from 'node:crypto';
import { isRecord } from './record.js';

/** What a delivery says of itself: the name of its event, and the resource that it is about. */
export interface WebhookEvent {
  /** Empty when it has none. */
  readonly name: string;
  /** Empty when nothing in it names a resource. */
  readonly resource: string;
  /** The resource as it came: the `payload` of the body, or the whole body where there is none. */
  readonly payload: unknown;
}

const maxNameLength = 128;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The identity that stays the same over the life of a resource comes first: an access key is there only after authorisation. */
const identities = [
  ...['id', 'invoiceId', 'productId', 'documentId', 'productInvoiceId', 'serviceInvoiceId'],
  ...['accessKey', 'chaveAcesso', 'chave', 'externalId', 'nsu'],
] as const;

/** Where a payload may hold the resource one level deeper. */
const wrappers = ['invoice', 'product', 'document', 'productInvoice', 'serviceInvoice', 'data'] as const;

/**
 * Reads the body `{action, payload}` of a delivery (public). The name comes from the body, which is signed; the header
 * only stands in for it. `undefined`: it is not UTF-8, or not JSON.
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

/** True when one of the names, in which `*` stands for any part, is that of the event. Linear in both. */
export function matchesEvent(names: readonly string[], event: string): boolean {
  return names.some((name) => matchesOne(name.toLowerCase(), event.toLowerCase()));
}

function parse(body: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(utf8.decode(body)) };
  } catch {
    // What cannot be read has no reason that helps: its sender is a program.
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
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Sizes are the sender's choice: a long text is known by its digest. */
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
