import { TransportFault } from './faults.js';
import { redirected } from './redirect.js';
import type { Send, WireAnswer, WireRequest } from './exchange.js';

/** The names under which deployments answer the address of a document (operations.md, "Bytes"). */
const NAMES = ['url', 'uri', 'publicTemporaryUri'] as const;

/** A busy or absent store of documents is waited for like the service itself. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Follows a JSON answer that names the address of the bytes, under the rules of a redirect: no key to another origin,
 * never from https to http. Only for requests whose body is received as bytes.
 */
export function followPointers(send: Send): Send {
  return async (request, signal) => {
    const answer = await send(request, signal);
    const { receive } = request;
    if (receive?.isPointer !== true || !isWhole(answer)) return fromOwnHost(answer, request);
    const next = redirected(request, targetOf(answer, request), answer);
    const pointed = await send(next, signal);
    if (receive.isPointer && isWhole(pointed)) throw fault('JSON → JSON', answer);
    return fromOwnHost(pointed, request);
  };
}

function isWhole(answer: WireAnswer): boolean {
  return answer.status === 200;
}

function targetOf(answer: WireAnswer, request: WireRequest): URL {
  const text = addressIn(answer.bytes);
  const base = answer.url ?? request.url;
  if (text === undefined || !URL.canParse(text, base.href)) throw fault('JSON', answer);
  return new URL(text, base);
}

function addressIn(bytes: Uint8Array): string | undefined {
  let data: unknown;
  try {
    data = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
  if (typeof data !== 'object' || data === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(data));
  const found = NAMES.map((name) => fields.get(name)).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : undefined;
}

/** A refusal by another host says nothing about the key: it never got one. */
function fromOwnHost(answer: WireAnswer, request: WireRequest): WireAnswer {
  const isForeign = answer.url !== undefined && answer.url.origin !== request.url.origin;
  if (!isForeign || answer.status < 300 || TEMPORARY.has(answer.status)) return answer;
  throw fault(`HTTP ${String(answer.status)} (${answer.url.host})`, answer);
}

function fault(reason: string, answer: WireAnswer): TransportFault {
  const facts = { sent: 'yes', status: answer.status } as const;
  return new TransportFault('redirect', { ...facts, reason: `redirect: ${reason}` });
}
