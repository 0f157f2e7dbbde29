import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Shipment } from './webhook-plan.js';

const retryMs = 20;
/** After 503, as a service waits that is asked to come later. */
const laterMs = 200;

/** What the machines of one store have acknowledged. */
export class Acknowledged {
  /** The numbers of each resource in the order in which they were acknowledged. */
  readonly orders = new Map<string, number[]>();
  /** Deliveries that were answered 2xx, copies included. */
  deliveries = 0;
}

/** Sends as the service does: at least once, again until it is acknowledged. */
export class Sender {
  /** By book. */
  readonly acknowledged: readonly Acknowledged[];
  /** SHA-256 of what was signed and acknowledged, hex. */
  readonly digests = new Set<string>();
  genuine = 0;
  copies = 0;
  forgedRefused = 0;
  forgedTaken = 0;
  /** Tries that were not answered: the receiver was dead, or died. */
  unanswered = 0;
  /** Tries that were answered 503. */
  askedLater = 0;
  readonly #agent = new Agent({ keepAlive: true });

  /** One receiver on each port; `bookOf` gives the book of a receiver. */
  constructor(
    private readonly ports: readonly number[],
    private readonly bookOf: (machine: number) => number,
  ) {
    const books = new Set(ports.map((_, machine) => bookOf(machine))).size;
    this.acknowledged = Array.from({ length: books }, () => new Acknowledged());
  }

  /** One lane: what stands in it goes out one after the other, so the order of its acknowledgements is known. */
  async send(lane: readonly Shipment[]): Promise<void> {
    for (const shipment of lane) this.#count(shipment, await this.#deliver(shipment));
  }

  close(): void {
    this.#agent.destroy();
  }

  #count({ kind, machine, resource, number, body }: Shipment, status: number): void {
    if (kind === 'forged') {
      if (status === 401) this.forgedRefused += 1;
      else this.forgedTaken += 1;
      return;
    }
    if (status < 200 || status > 299) throw new Error(`a genuine event was answered with ${status}`);
    const acknowledged = this.acknowledged[this.bookOf(machine)];
    if (acknowledged === undefined) return;
    acknowledged.deliveries += 1;
    const order = acknowledged.orders.get(resource) ?? [];
    acknowledged.orders.set(resource, order);
    // A copy may be what was acknowledged first, when the sender mixed them.
    if (!order.includes(number)) order.push(number);
    if (kind === 'copy') this.copies += 1;
    this.digests.add(createHash('sha256').update(body).digest('hex'));
    if (kind === 'genuine') this.genuine += 1;
  }

  async #deliver(shipment: Shipment): Promise<number> {
    for (;;) {
      const status = await this.#post(shipment);
      if (status !== undefined && status < 500) return status;
      if (status === undefined) this.unanswered += 1;
      else this.askedLater += 1;
      await pause(status === undefined ? retryMs : laterMs);
    }
  }

  #post({ body, headers, machine }: Shipment): Promise<number | undefined> {
    return new Promise((resolve) => {
      const length = Buffer.byteLength(body);
      const call = request({
        ...{ host: '127.0.0.1', port: this.ports[machine], method: 'POST', agent: this.#agent },
        headers: { ...headers(), 'content-type': 'application/json', 'content-length': length },
      });
      call.on('response', (answer) => {
        answer.resume();
        answer.on('close', () => resolve(answer.statusCode));
      });
      call.on('error', () => resolve(undefined));
      call.end(body);
    });
  }
}
