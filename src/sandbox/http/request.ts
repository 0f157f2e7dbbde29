import type { IncomingMessage } from 'node:http';
import { parseBody } from 'hono/utils/body';
import { Refusal, invalid } from '../core/refusal.js';
import { parseExactly } from '../core/exact-json.js';

/** A request, read completely. */
export interface Arrival {
  readonly method: string;
  /** Without the query, which may contain a key. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Uint8Array | 'too large';
  header(name: string): string | undefined;
}

const bodyLimit = 1024 * 1024;
/** Files of a user: one of 16 MiB in base64. */
const controlLimit = 24 * 1024 * 1024;

export async function readArrival(incoming: IncomingMessage): Promise<Arrival> {
  const [path = '/', query = ''] = (incoming.url ?? '/').split('?', 2);
  return {
    method: incoming.method ?? 'GET',
    path,
    query: new URLSearchParams(query),
    body: await readBytes(incoming, path.startsWith('/__sandbox/') ? controlLimit : bodyLimit),
    header(name) {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
  };
}

async function readBytes(incoming: IncomingMessage, limit: number): Promise<Uint8Array | 'too large'> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Reads the rest of a body that is too large: a client whose sending is cut gets no answer.
  for await (const chunk of incoming) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.byteLength;
    if (size <= limit) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > limit ? 'too large' : Buffer.concat(chunks);
}

/** The body, unless it exceeds the limit. §7 lists neither 413 nor 415: the status is 400. */
function wholeBody(arrival: Arrival): Uint8Array {
  if (arrival.body !== 'too large') return arrival.body;
  throw new Refusal('body_too_large', 'The body is too large.');
}

const mostLevels = 50;

/** The JSON body with the digits of its numbers; `undefined` without a body. Throws 400. */
export function readJson(arrival: Arrival): unknown {
  const body = wholeBody(arrival);
  if (body.byteLength === 0) return undefined;
  const type = arrival.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new Refusal('unsupported_content_type', 'The Content-Type must be application/json.');
  }
  const value = parseJson(body);
  if (isTooDeep(value, mostLevels)) throw invalid('', `Must have at most ${mostLevels} levels.`);
  return value;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw new Refusal('malformed_json', `The body is not JSON: ${messageOf(error)}`);
  }
}

/** What nobody checks must at least not exhaust the stack of what walks through it or writes it. */
function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isTooDeep(each, levels - 1));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The parts of a form by name, in lower case: the published descriptions spell the names differently. */
type Form = ReadonlyMap<string, Buffer>;

const mostParts = 20;

/**
 * Reads `multipart/form-data` (RFC 7578). Of two parts with one name the later one wins. Throws 400 for anything
 * else.
 */
export async function readForm(arrival: Arrival): Promise<Form> {
  const type = arrival.header('content-type') ?? '';
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(type)) {
    throw new Refusal('unsupported_content_type', 'The Content-Type must be multipart/form-data with a boundary.');
  }
  const parts = Object.entries(await parse(type, wholeBody(arrival)));
  if (parts.flatMap(([, values]) => values).length > mostParts) {
    throw malformed(`A form may have at most ${mostParts} parts.`);
  }
  const form = new Map<string, Buffer>();
  for (const [name, values] of parts) {
    const last = [values].flat().at(-1) ?? '';
    form.set(name.toLowerCase(), typeof last === 'string' ? Buffer.from(last) : Buffer.from(await last.arrayBuffer()));
  }
  return form;
}

async function parse(type: string, body: Uint8Array) {
  const headers = { 'content-type': type };
  const request = new Request('http://form', { method: 'POST', headers, body: new Uint8Array(body) });
  try {
    return await parseBody(request, { all: true });
  } catch {
    throw malformed('The body is not valid multipart/form-data (RFC 7578).');
  }
}

function malformed(message: string): Refusal {
  return new Refusal('malformed_request', message);
}
