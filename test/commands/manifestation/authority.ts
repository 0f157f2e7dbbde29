import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the service saw it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

type Body = Readonly<Record<string, unknown>>;
type Answer = { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> };

/** What to do instead of answering properly: an answer, or `cut` after the effect. */
export type Fault = (seen: Seen) => Answer | 'cut' | undefined;

interface Event {
  readonly triple: string;
  readonly fields: Body;
  reads: number;
  end: Body;
}

/** The manifestation routes (§4), as little of them as the tests need: decided after so many reads. */
export class Authority {
  readonly seen: Seen[] = [];
  /** Reads of an event until it is decided. */
  readsUntilDecided = 2;
  fault: Fault = () => undefined;
  /** What the authority says of the next events. */
  decide: (fields: Body) => Body = () => ({ status: 'Accepted', protocol: '135260000000001' });
  /** Who has captured a note. */
  captures: (companyId: string, accessKey: string) => boolean = () => true;
  /** The companies of the account. */
  companies: readonly string[] = ['c1', 'c2'];
  /** Whether a 409 names the event that is live. */
  namesLive = true;
  readonly events: Event[] = [];
  readonly #server: Server;
  #base = '';

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    this.#base = `http://127.0.0.1:${port}`;
    return this.#base;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The submissions in the order of arrival. */
  get posts(): readonly Seen[] {
    return this.seen.filter(({ method }) => method === 'POST');
  }

  /** The reads of events; those that show whose note it is are left out. */
  get gets(): readonly Seen[] {
    return this.seen.filter(({ method, path }) => method === 'GET' && path.includes('manifestation'));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const seen: Seen = {
      method: request.method ?? '',
      path: request.url ?? '',
      body: text === '' ? undefined : JSON.parse(text),
    };
    this.seen.push(seen);
    const fault = this.fault(seen);
    const answer = fault === undefined || fault === 'cut' ? this.#answer(seen) : fault;
    if (fault === 'cut') {
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
  }

  #answer({ method, path, body }: Seen): Answer {
    const { pathname } = new URL(path, 'http://x');
    const [, accessKey, kind] = /by-access-key\/(\w+)\/(manifestation-events|manifestations)$/.exec(pathname) ?? [];
    if (accessKey !== undefined) {
      if (method === 'GET') return { status: 200, body: { items: this.#ofKey(accessKey) } };
      return this.#submit({ accessKey, ...(body as Body) }, kind === 'manifestations' ? 'nfse' : 'nfe');
    }
    const [, companyId = '', captured] =
      /^\/v2\/companies\/(\w+)\/inbound\/nfs?e\/(\w{44}|\w{50})$/.exec(pathname) ?? [];
    if (captured !== undefined) {
      return this.captures(companyId, captured)
        ? { status: 200, body: { accessKey: captured, companyId } }
        : refusal(404, 'not_found', []);
    }
    if (pathname === '/v2/companies') {
      return { status: 200, body: { companies: this.companies.map((id) => ({ id })), hasMore: false } };
    }
    const id = pathname.split('/').at(-1);
    const event = this.events.find(({ fields }) => fields['id'] === id);
    if (event === undefined) return refusal(404, 'not_found', []);
    event.reads += 1;
    return { status: 200, body: this.#shown(event) };
  }

  #submit(fields: Body, family: 'nfe' | 'nfse'): Answer {
    const triple = `${String(fields['accessKey'])} ${String(fields['eventCode'])} ${String(fields['nSequencia'] ?? 1)}`;
    const live = this.events.find((event) => event.triple === triple && this.#isLive(event));
    if (live !== undefined) {
      const named = { field: 'id', message: String(live.fields['id']) };
      return refusal(409, 'conflict', this.namesLive ? [named] : []);
    }
    const id = `e-${this.events.length + 1}`;
    const event: Event = { triple, fields: { id, ...fields }, reads: 0, end: this.decide(fields) };
    this.events.push(event);
    const place =
      family === 'nfe' ? '/productinvoices/manifestation-events' : '/v2/companies/c1/inbound/nfse/manifestations';
    return { status: 202, headers: { location: `${this.#base}${place}/${id}` }, body: this.#shown(event) };
  }

  #ofKey(accessKey: string): readonly unknown[] {
    return this.events.filter(({ fields }) => fields['accessKey'] === accessKey).map((event) => this.#shown(event));
  }

  #isLive(event: Event): boolean {
    return ['Pending', 'Accepted'].includes(String(this.#shown(event)['status']));
  }

  #shown(event: Event): Body {
    const isDecided = event.reads >= this.readsUntilDecided;
    return { ...event.fields, ...(isDecided ? event.end : { status: 'Pending' }) };
  }
}

function refusal(status: number, code: string, details: readonly unknown[]): Answer {
  return { status, body: { error: { code, message: `${code} here`, details, requestId: 'r-1' } } };
}
