import { isIPv6, type Socket } from 'node:net';

export interface ConnectionLimits {
  /** Over all addresses. */
  readonly connections: number;
  /** Of one address that wait at the same time. */
  readonly perAddress: number;
  /** How long a connection may go without delivering anything, in milliseconds. */
  readonly waitMs: number;
}

/** Why a connection was closed: for its place, or because it delivered nothing in time. */
export type Closed = 'crowded' | 'slow';

interface Connection {
  readonly socket: Socket;
  /** Where its limit is counted. */
  readonly address: string;
  timer: NodeJS.Timeout;
}

/**
 * The open connections of a server. A new one always gets a place: when there is none, the connection that has waited
 * longest at the address with most of them is closed. So senders that open many connections and send little push out each
 * other, and a sender that delivers at once passes between them, even from the same address. A connection whose delivery
 * is being stored keeps its place.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #closed: (why: Closed) => void;
  /** All that are open, by address and port of the far side: a TLS socket and the socket below it share them. */
  readonly #open = new Map<string, Connection>();
  /** Those that wait, by address, longest first. */
  readonly #waiting = new Map<string, Set<Connection>>();

  constructor(limits: ConnectionLimits, closed: (why: Closed) => void) {
    this.#limits = limits;
    this.#closed = closed;
  }

  add(socket: Socket): void {
    const name = nameOf(socket);
    const address = networkOf(socket.remoteAddress ?? '');
    const connection: Connection = { socket, address, timer: this.#deadline(socket) };
    this.#open.set(name, connection);
    socket.once('close', () => {
      clearTimeout(connection.timer);
      this.#leave(connection);
      if (this.#open.get(name) === connection) this.#open.delete(name);
    });
    this.#wait(connection);
    const own = this.#waiting.get(address);
    if (own !== undefined && own.size > this.#limits.perAddress) this.#closeFirst(own);
    else if (this.#open.size > this.#limits.connections) this.#closeFirst(this.#largest());
  }

  /** Keeps the place of a connection while its delivery is stored; then it waits anew. */
  async keepWhile(socket: Socket, store: () => Promise<void>): Promise<void> {
    const connection = this.#open.get(nameOf(socket));
    if (connection === undefined) return await store();
    clearTimeout(connection.timer);
    this.#leave(connection);
    try {
      await store();
    } finally {
      if (!connection.socket.destroyed) {
        connection.timer = this.#deadline(connection.socket);
        this.#wait(connection);
      }
    }
  }

  closeAll(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }

  #deadline(socket: Socket): NodeJS.Timeout {
    return setTimeout(() => this.#close(socket, 'slow'), this.#limits.waitMs);
  }

  #wait(connection: Connection): void {
    const { address } = connection;
    const own = this.#waiting.get(address) ?? new Set();
    this.#waiting.set(address, own.add(connection));
  }

  #leave(connection: Connection): void {
    const own = this.#waiting.get(connection.address);
    own?.delete(connection);
    if (own?.size === 0) this.#waiting.delete(connection.address);
  }

  #largest(): ReadonlySet<Connection> {
    let largest: ReadonlySet<Connection> = new Set();
    for (const own of this.#waiting.values()) if (own.size > largest.size) largest = own;
    return largest;
  }

  #closeFirst(own: ReadonlySet<Connection>): void {
    const [first] = own;
    if (first === undefined) return;
    this.#leave(first);
    this.#close(first.socket, 'crowded');
  }

  #close(socket: Socket, why: Closed): void {
    socket.destroy();
    this.#closed(why);
  }
}

function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${String(remotePort)}`;
}

/** One machine usually has a whole /64 of IPv6 to itself. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('::');
  const [start, end] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''));
  const missing = 8 - (start?.length ?? 0) - (end?.length ?? 0);
  return [...(start ?? []), ...Array.from({ length: missing }, () => '0'), ...(end ?? [])].slice(0, 4).join(':');
}

/**
 * Destroys a connection that is at its end, at the latest after `graceMs`: the far side may neither read nor close. Until
 * then what it still sends is discarded, since closing at once would reset the connection before it has read the answer.
 */
export function destroyAfter(socket: Socket, graceMs: number): void {
  const timer = setTimeout(() => socket.destroy(), graceMs);
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
}
