import { TransportFault } from './faults.js';
import { isLoopback } from './address.js';
import type { Send, WireAnswer, WireRequest } from './exchange.js';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Headers that belong to the host they were made for, and to no other. */
const BOUND_TO_HOST = new Set(['authorization', 'cookie', 'idempotency-key']);

/**
 * Follows the redirects of a GET by hand: a key is never carried to another origin, and https never
 * becomes http. Other methods get their 3xx back as the answer that it is.
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

/** The request to another address: as it is on the same origin, without its key on any other. */
export function redirected(request: WireRequest, target: URL, answer: WireAnswer): WireRequest {
  assertSafe(request.url, target, answer);
  if (target.origin === request.url.origin) return { ...request, url: withKeyOf(request.url, target) };
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !BOUND_TO_HOST.has(name.toLowerCase())),
  );
  target.searchParams.delete('apikey');
  return { ...request, url: target, headers };
}

/** On the same origin a key that travelled in the query goes on doing so (§5, method 3). */
function withKeyOf(from: URL, target: URL): URL {
  const key = from.searchParams.get('apikey');
  if (key !== null) target.searchParams.set('apikey', key);
  return target;
}

function assertSafe(from: URL, target: URL, answer: WireAnswer): void {
  const isHttps = target.protocol === 'https:';
  const isLocalHttp = target.protocol === 'http:' && from.protocol === 'http:' && isLoopback(target);
  if (!isHttps && !isLocalHttp) throw fault(`${from.protocol} → ${target.protocol}`, answer);
}

function fault(reason: string, answer: WireAnswer): TransportFault {
  return new TransportFault('redirect', {
    sent: 'yes',
    reason: `redirect: ${reason}`,
    status: answer.status,
  });
}
