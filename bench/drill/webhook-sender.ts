import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Shipment } from './webhook-plan.js';

const retryMs = 20;

/** Sends as the service does: at least once, again until it is acknowledged. */
export class Sender {
  /** The numbers of each resource in the order in which they were acknowledged. */
  readonly acknowledged = new Map<string, number[]>();
  /** SHA-256 of what was signed and acknowledged, hex. */
  readonly digests = new Set<string>();
  genuine = 0;
  copies = 0;
  forgedRefused = 0;
  forgedTaken = 0;
  /** Tries that were not answered: the receiver was dead, or died. */
  unanswered = 0;
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(port: number) {
    this.#port = port;
  }

  /** One lane: what stands in it goes out one after the other, so the order of its acknowledgements is known. */
  async send(lane: readonly Shipment[]): Promise<void> {
    for (const shipment of lane) this.#count(shipment, await this.#deliver(shipment));
  }

  close(): void {
    this.#agent.destroy();
  }

  #count({ kind, resource, number, body }: Shipment, status: number): void {
    if (kind === 'forged') {
      if (status === 401) this.forgedRefused += 1;
      else this.forgedTaken += 1;
      return;
    }
    if (status < 200 || status > 299) throw new Error(`a genuine event was answered with ${status}`);
    const order = this.acknowledged.get(resource) ?? [];
    this.acknowledged.set(resource, order);
    // A copy may be what was acknowledged first, when the sender mixed them.
    if (order.includes(number)) this.copies += 1;
    else order.push(number);
    if (kind !== 'genuine') return;
    this.genuine += 1;
    this.digests.add(createHash('sha256').update(body).digest('hex'));
  }

  async #deliver(shipment: Shipment): Promise<number> {
    for (;;) {
      const status = await this.#post(shipment);
      if (status !== undefined && status < 500) return status;
      this.unanswered += 1;
      await pause(retryMs);
    }
  }

  #post({ body, headers }: Shipment): Promise<number | undefined> {
    return new Promise((resolve) => {
      const length = Buffer.byteLength(body);
      const call = request({
        ...{ host: '127.0.0.1', port: this.#port, method: 'POST', agent: this.#agent },
        headers: { ...headers, 'content-type': 'application/json', 'content-length': length },
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
