import type { IncomingMessage, ServerResponse } from 'node:http';
import { json, serve, type Reply, type TestServer } from '../../client/support/server.js';
import { testHost, type TestHost, type TestHostOptions } from '../../support/host.js';

export type Answers = Readonly<Record<string, Reply | ((request: IncomingMessage) => Reply | Promise<Reply>)>>;

export interface Service extends TestServer {
  /** A host whose environment points at the imitation. */
  readonly host: TestHost;
  /** What was asked, without the query: `GET /v2/…`. */
  asked(): readonly string[];
}

/** A bare imitation: answers by `METHOD /path`; anything else is 404. Company c1 is set, and known from earlier. */
export async function imitate(answers: Answers, options: TestHostOptions = {}): Promise<Service> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const found = answers[wordsOf(request.method, request.url)];
    const reply = typeof found === 'function' ? await found(request) : (found ?? notFound);
    // The service has the clock of the test, where that is not the real one.
    if (options.clock !== undefined) response.setHeader('date', new Date(options.clock.now()).toUTCString());
    send(response, counted(reply, request.url));
  };
  const server = await serve((request, response) => void answer(request, response));
  // What lists the companies itself is asked.
  const companies = 'GET /v2/companies' in answers ? [] : ['c1'];
  const env = { FISCAL_PRODUCT_URL: server.url, FISCAL_INVOICE_KEY: 'i-key', FISCAL_COMPANY: 'c1', ...options.env };
  return {
    ...server,
    host: testHost({ companies, ...options, env }),
    asked: () => server.seen.map(({ method, path }) => wordsOf(method, path)),
  };
}

const notFound = json(404, { error: { code: 'not_found', message: 'no such thing' } });

/** A list by OData is one page, with nothing behind it, unless the test says how many rows there are or links to more. */
function counted(reply: Reply, url = ''): Reply {
  if (typeof reply.body !== 'string' || !reply.body.startsWith('{"value":[')) return reply;
  const body = JSON.parse(reply.body) as { readonly value: readonly unknown[] };
  if ('@odata.count' in body || '@odata.nextLink' in body) return reply;
  const query = new URL(url, 'http://x').searchParams;
  const isBehind = query.has('$skip') || /(?:accessKey|eventKey) g[et] '/.test(query.get('$filter') ?? '');
  const value = isBehind ? [] : body.value;
  const count = query.get('$count') === 'true' ? { '@odata.count': value.length } : {};
  return { ...reply, body: JSON.stringify({ ...count, ...body, value }) };
}

function wordsOf(method = '', path = ''): string {
  return `${method} ${path.split('?')[0] ?? ''}`;
}

function send(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, reply.headers).end(reply.body);
}
