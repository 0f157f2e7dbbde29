import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/** A host that redirects lead to. It must never see a key. */
export class OtherHost {
  requests = 0;
  keys = 0;
  readonly #server: Server = createServer((request, response) => {
    this.requests += 1;
    const hasKey = request.headers.authorization !== undefined || request.url?.includes('apikey') === true;
    if (hasKey) this.keys += 1;
    response.writeHead(503).end();
  });

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
