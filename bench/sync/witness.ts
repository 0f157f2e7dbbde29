import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { look } from '../../scripts/quickstart/look.js';

/**
 * Stands between one machine and the service, lets everything pass as it is, and remembers what was listed: the documents and
 * events that the program has been told of. It knows nothing of the program's own records.
 */
export class Witness {
  /** What the runs that ended by themselves were told of, as `company/family/key` or `company/family/key/event`. */
  readonly #told = new Set<string>();
  #now = new Set<string>();
  readonly #server: Server;

  constructor(private readonly service: string) {
    this.#server = createServer((incoming, answer) => this.#pass(incoming, answer));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return `http://127.0.0.1:${address.port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** What this machine has been told of by the end of a run. Of a run that was killed, nothing counts. */
  endRun(wasKilled: boolean): ReadonlySet<string> {
    if (!wasKilled) for (const name of this.#now) this.#told.add(name);
    this.#now = new Set();
    return this.#told;
  }

  #pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const { url = '/', method, headers } = incoming;
    const onward = request(new URL(url, this.service), { method, headers });
    onward.on('response', (given) => {
      const chunks: Buffer[] = [];
      const list = listOf(url);
      if (list !== undefined && given.statusCode === 200) {
        given.on('data', (chunk: Buffer) => chunks.push(chunk));
        given.on('end', () => this.#note(list, Buffer.concat(chunks).toString()));
      }
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
      given.on('error', () => answer.destroy());
      given.on('aborted', () => answer.destroy());
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }

  #note(list: string, text: string): void {
    for (const row of rowsIn(text)) {
      const [key, event] = [look(row, 'accessKey'), look(row, 'eventKey')];
      if (typeof key !== 'string') continue;
      this.#now.add([list, key, ...(typeof event === 'string' ? [event] : [])].join('/'));
    }
  }
}

const lists: readonly (readonly [family: string, path: RegExp])[] = [
  ['nfe', /^\/v2\/companies\/([^/]+)\/inbound\/nfe$/],
  ['cte', /^\/v2\/companies\/([^/]+)\/inbound\/odata\/TransportationInvoices$/],
  ['nfse', /^\/v2\/companies\/([^/]+)\/inbound\/nfse$/],
  ['nfe', /^\/v2\/companies\/([^/]+)\/inbound\/odata\/ProductInvoiceEvents$/],
  ['cte', /^\/v2\/companies\/([^/]+)\/inbound\/odata\/TransportationInvoiceEvents$/],
];

/** Company and family, where the address is that of a list. */
function listOf(url: string): string | undefined {
  const path = url.split('?', 1)[0] ?? '';
  for (const [family, pattern] of lists) {
    const company = pattern.exec(path)?.[1];
    if (company !== undefined) return `${company}/${family}`;
  }
  return undefined;
}

/** None in what is broken: nobody was told of anything. */
function rowsIn(text: string): readonly unknown[] {
  try {
    const body: unknown = JSON.parse(text);
    const rows = look(body, 'value') ?? look(body, 'documents');
    return Array.isArray(rows) ? rows : [];
  } catch {
    return [];
  }
}
