import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Stands between programs and a server: adds delay, and cuts the connections at any moment. */
export class TcpProxy {
  cuts = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly target: number,
    private readonly delayMs: number,
  ) {
    this.#server = createServer((from) => this.#join(from));
  }

  /** `target` is a port of this machine; `delayMs` is added to each direction. */
  static async open(target: number, delayMs = 0): Promise<TcpProxy> {
    const proxy = new TcpProxy(target, delayMs);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  }

  /** Ends every connection without a word, whatever is under way in it. */
  cut(): void {
    this.cuts += 1;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(from: Socket): void {
    const to = connect(this.target, '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      this.#sockets.add(one);
      one.setNoDelay(true);
      one.on('data', (chunk: Buffer) => void this.#pass(chunk, other));
      one.on('error', () => undefined);
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }

  /** Timers of the same length end in the order of their beginning, so the bytes stay in order. */
  async #pass(chunk: Buffer, to: Socket): Promise<void> {
    if (this.delayMs > 0) await pause(this.delayMs);
    to.write(chunk);
  }
}
