import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { look } from '../../scripts/quickstart/look.js';

/** One request for an effect, as it passed between a machine and the service. */
export interface Send {
  readonly name: string;
  /** Stands as Idempotency-Key in the ledger of the service, which does not heed it. */
  readonly mark: string;
  /** What the whole of its answer said; `nothing` also where no answer came. */
  answer: 'nothing' | 'named' | 'refused';
  /** When the answer had left for the machine, or the connection was gone. */
  endedAt: number;
}

/** Tells which thing a request wants to come into being; `undefined`: none. */
export type NameOf = (path: string, body: unknown) => string | undefined;

/**
 * Stands between one machine and the service, changes nothing and writes down which answers reached the machine: what the
 * machine can know, by other evidence than its own word.
 */
export class Wire {
  readonly sends: Send[] = [];
  readonly #server: Server;

  private constructor(
    private readonly machine: string,
    private readonly target: URL,
    private readonly nameOf: NameOf,
  ) {
    this.#server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
  }

  static async open(machine: string, target: string, nameOf: NameOf): Promise<Wire> {
    const wire = new Wire(machine, new URL(target), nameOf);
    await new Promise<void>((resolve) => wire.#server.listen(0, '127.0.0.1', resolve));
    return wire;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Nobody is connected any more: what is sent from now on is sent by the next life of the machine. */
  async quiet(): Promise<void> {
    const connections = async (): Promise<number> =>
      await new Promise((resolve, reject) => {
        this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      });
    do await pause(5);
    while ((await connections()) > 0);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await bytesOf(incoming).catch(() => undefined);
    // The machine died in the middle of its request, which the service never saw whole.
    if (body === undefined) return;
    const send = this.#note(incoming, body);
    const headers = { ...incoming.headers, ...(send && { 'idempotency-key': send.mark }) };
    const { method, url: path } = incoming;
    outgoing.on('close', () => {
      if (send !== undefined) send.endedAt = performance.now();
    });
    const onward = request(new URL(path ?? '/', this.target), { method, headers });
    onward.on('response', (answer) => this.#answer(answer, outgoing, send));
    onward.on('error', () => outgoing.destroy());
    onward.end(body);
  }

  #note({ method, url = '' }: IncomingMessage, body: Buffer): Send | undefined {
    const name = method === 'POST' ? this.nameOf(url, jsonOf(body)) : undefined;
    if (name === undefined) return undefined;
    const send: Send = { name, mark: `${this.machine}/${this.sends.length}`, answer: 'nothing', endedAt: Infinity };
    this.sends.push(send);
    return send;
  }

  #answer(answer: IncomingMessage, outgoing: ServerResponse, send: Send | undefined): void {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    bytesOf(answer).then(
      (bytes) =>
        outgoing.end(bytes, () => {
          if (send !== undefined) send.answer = meaning(answer, bytes);
        }),
      () => outgoing.destroy(),
    );
    outgoing.flushHeaders();
  }
}

function meaning({ statusCode = 0, headers }: IncomingMessage, bytes: Buffer): Send['answer'] {
  if (statusCode >= 400) return statusCode < 500 ? 'refused' : 'nothing';
  const id = look(jsonOf(bytes), 'id') ?? headers.location;
  return id === undefined ? 'nothing' : 'named';
}

/** Rejects when the other side goes before its end. */
async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
