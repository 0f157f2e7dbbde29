import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testHost, type TestHost } from '../../support/host.js';

/** A request as the registry saw it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

type Answer = { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> };

/** What to do instead of answering properly: an answer, or `cut` after the effect. */
export type Fault = (seen: Seen, created: number) => Answer | 'cut' | undefined;

/** The four product operations (§4), as little of them as the tests need: validated after so many reads. */
export class Registry {
  readonly seen: Seen[] = [];
  /** Reads of a product until its validation ends. */
  readsUntilValid = 2;
  fault: Fault = () => undefined;
  readonly #products = new Map<string, { content: Record<string, unknown>; reads: number }>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** Starts it, and a machine whose environment points at it. */
  async open(): Promise<TestHost> {
    const env = { FISCAL_INVOICE_KEY: 'invoice-key', FISCAL_TENANT: 't1' };
    return testHost({ env: { ...testHost().env, ...env, FISCAL_PRODUCT_URL: await this.start() } });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The bodies of the creates, in the order of arrival. */
  get creates(): readonly unknown[] {
    return this.seen.filter(({ method, path }) => method === 'POST' && path === '/t1/products').map((s) => s.body);
  }

  get count(): number {
    return this.#products.size;
  }

  /** Another hand replaces a product. */
  edit(id: string, content: Record<string, unknown>): void {
    this.#products.set(id, { content, reads: 0 });
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
    const fault = this.fault(seen, this.#products.size);
    const answer = fault === undefined || fault === 'cut' ? this.#answer(seen) : fault;
    if (fault === 'cut') {
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
  }

  #answer({ method, path, body }: Seen): Answer {
    const content = (body ?? {}) as Record<string, unknown>;
    if (method === 'POST' && path === '/t1/products') {
      const id = `p-${this.#products.size + 1}`;
      this.#products.set(id, { content, reads: 0 });
      return { status: 201, body: { id } };
    }
    const [, id = '', verb] = /^\/t1\/products\/([^/]+)(\/revalidate)?$/.exec(path) ?? [];
    const product = this.#products.get(id);
    if (product === undefined) {
      return { status: 404, body: { error: { code: 'not_found', message: `no product ${id}`, requestId: 'r-404' } } };
    }
    if (verb !== undefined) return { status: 200, body: this.#state(product) };
    if (method === 'PUT') {
      this.#products.set(id, { content, reads: 0 });
      return { status: 204 };
    }
    product.reads += 1;
    return { status: 200, body: { ...product.content, id, ...this.#state(product) } };
  }

  #state(product: { content: Record<string, unknown>; reads: number }): Record<string, string> {
    if (product.reads < this.readsUntilValid) return { status: product.reads === 0 ? 'Created' : 'CustomTaxPending' };
    const isBad = JSON.stringify(product.content).includes('9999');
    return isBad ? { status: 'Error', errorMessage: 'CFOP 9999 does not exist' } : { status: 'Active' };
  }
}
