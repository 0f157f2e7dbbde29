import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { look } from '../../scripts/quickstart/look.js';

const cycleMs = 1_500;

/** What one machine has forwarded. */
class Taken {
  /** The numbers of each resource, as they were taken, repeats included. */
  readonly orders = new Map<string, number[]>();
  taking = 0;
  /** Different events. */
  distinct = 0;
}

/** The program that events are forwarded to: away for the last third of every cycle, by 503 and by cut connections in turn. */
export class ForwardTarget {
  readonly machines: readonly Taken[];
  refusedWhileDown = 0;
  isAlwaysUp = false;
  readonly #server: Server;
  readonly #startedAt = Date.now();

  constructor(machines: number) {
    this.machines = Array.from({ length: machines }, () => new Taken());
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  /** Resolves with the address for each machine. */
  async listen(): Promise<readonly string[]> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return this.machines.map((_, machine) => `http://127.0.0.1:${address.port}/${machine}`);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get distinct(): number {
    return this.machines.reduce((sum, { distinct }) => sum + distinct, 0);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const cycle = (Date.now() - this.#startedAt) / cycleMs;
      if (!this.isAlwaysUp && cycle % 1 >= 2 / 3) return this.#refuse(response, Math.floor(cycle));
      this.#take(Number(request.url?.slice(1)), JSON.parse(Buffer.concat(chunks).toString()));
      response.end();
    });
  }

  #refuse(response: ServerResponse, cycle: number): void {
    this.refusedWhileDown += 1;
    if (cycle % 2 === 0) response.writeHead(503).end();
    else response.destroy();
  }

  #take(machine: number, body: unknown): void {
    const payload = look(body, 'payload');
    const [resource, number] = [String(look(payload, 'id')), Number(look(payload, 'number'))];
    const taken = this.machines[machine];
    if (taken === undefined) return;
    const numbers = taken.orders.get(resource) ?? [];
    taken.orders.set(resource, numbers);
    if (!numbers.includes(number)) taken.distinct += 1;
    numbers.push(number);
    taken.taking += 1;
  }
}
