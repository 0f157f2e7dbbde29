import { isOutOfService, isRefusedBeforeWork } from '../domain/call-end.js';
import { parseForeignJson } from '../domain/json-numbers.js';
import { isLoopback } from '../domain/loopback.js';
import type { Send, WireAnswer, WireRequest } from './exchange.js';
import { TransportFault } from './faults.js';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Headers that are valid only for the host they were created for. */
const BOUND_TO_HOST = new Set(['authorization', 'cookie', 'idempotency-key']);

/**
 * Follows the redirects of a GET: a key is never sent to another origin, and https never falls back to http. Other
 * methods receive the 3xx as their answer.
 */
export function followRedirects(send: Send): Send {
  return async (request, signal) => {
    let current = request;
    for (let hops = 0; ; hops += 1) {
      const answer = await send(current, signal);
      const target = request.method === 'GET' ? targetOf(answer, current) : undefined;
      if (target === undefined) return answer;
      if (hops === MAX_REDIRECTS) throw fault(`> ${String(MAX_REDIRECTS)}`, answer);
      current = redirected(current, target, answer);
    }
  };
}

function targetOf(answer: WireAnswer, request: WireRequest): URL | undefined {
  const { location } = answer.headers;
  if (!REDIRECTS.has(answer.status) || location === undefined) return undefined;
  if (!URL.canParse(location, request.url.href)) throw fault('Location', answer);
  return new URL(location, request.url);
}

/** The redirected request: unchanged on the same origin, without its key on any other. */
export function redirected(request: WireRequest, target: URL, answer: WireAnswer): WireRequest {
  assertSafe(request.url, target, answer);
  if (target.origin === request.url.origin) return { ...request, url: withKeyOf(request.url, target) };
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !BOUND_TO_HOST.has(name.toLowerCase())),
  );
  target.searchParams.delete('apikey');
  return { ...request, url: target, headers };
}

/** On the same origin, a key sent in the query stays in the query (§5, method 3). */
function withKeyOf(from: URL, target: URL): URL {
  const key = from.searchParams.get('apikey');
  if (key !== null) target.searchParams.set('apikey', key);
  return target;
}

function assertSafe(from: URL, target: URL, answer: WireAnswer): void {
  const isHttps = target.protocol === 'https:';
  const isLocalHttp = target.protocol === 'http:' && from.protocol === 'http:' && isLoopback(target.hostname);
  if (!isHttps && !isLocalHttp) throw fault(`${from.protocol} → ${target.protocol}`, answer);
}

function fault(reason: string, answer: WireAnswer): TransportFault {
  return new TransportFault('redirect', { sent: 'yes', reason: `redirect: ${reason}`, status: answer.status });
}

/** The fields in which deployments return the address of a document (operations.md, "Bytes"). */
const NAMES = ['url', 'uri', 'publicTemporaryUri'] as const;

/**
 * Follows a JSON answer that contains the address of the bytes, under the rules of a redirect: no key to another
 * origin, never from https to http. Only for requests whose body is received as bytes.
 */
export function followPointers(send: Send): Send {
  return async (request, signal) => {
    const answer = await send(request, signal);
    const { receive } = request;
    if (receive?.isPointer !== true || !isWhole(answer)) return fromOwnHost(answer, request);
    const next = redirected(request, pointedAddress(answer, request), answer);
    const pointed = await send(next, signal);
    if (receive.isPointer && isWhole(pointed)) throw fault('JSON → JSON', answer);
    return fromOwnHost(pointed, request);
  };
}

function isWhole(answer: WireAnswer): boolean {
  return answer.status === 200;
}

function pointedAddress(answer: WireAnswer, request: WireRequest): URL {
  const text = addressIn(answer.bytes);
  const base = answer.url ?? request.url;
  if (text === undefined || !URL.canParse(text, base.href)) throw fault('JSON', answer);
  return new URL(text, base);
}

function addressIn(bytes: Uint8Array): string | undefined {
  let data: unknown;
  try {
    data = parseForeignJson(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
  if (typeof data === 'string') return data.trim();
  if (typeof data !== 'object' || data === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(data));
  const found = NAMES.map((name) => fields.get(name)).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : undefined;
}

/**
 * A refusal by another host says nothing about the key, which it never received. A document store that is busy, or out of service, is
 * retried like the service itself.
 */
function fromOwnHost(answer: WireAnswer, request: WireRequest): WireAnswer {
  const { status, url } = answer;
  if (url === undefined || url.origin === request.url.origin || status < 300) return answer;
  if (isOutOfService(status) || isRefusedBeforeWork({ sent: 'yes', status })) return answer;
  throw fault(`HTTP ${String(status)} (${url.host})`, answer);
}
