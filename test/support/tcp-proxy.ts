import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a program and a server, and hands every byte on, until it is told to cut. */
export interface TcpProxy {
  readonly port: number;
  /** How many connections are open. */
  readonly connections: number;
  /** The address of the server, through the proxy: `postgres://…` with another host and port. */
  through(url: string): string;
  /** Ends every connection as a lost network does, and from then on each new one. */
  cut(): void;
  /** Ends every connection once; new ones are handed on. */
  cutOnce(): void;
  /** Hands new connections on again. */
  mend(): void;
  /** Cuts when the server next says something, which is lost. */
  cutAtAnswer(): void;
  /** New connections go to another server. */
  moveTo(port: number): void;
  close(): Promise<void>;
}

/** What the client says is changed by `rewrite`; `delayMs`: how long each chunk of bytes is on its way, in either direction. */
export async function startTcpProxy(
  { host, port: firstPort }: { readonly host: string; readonly port: number },
  {
    delayMs = 0,
    rewrite = (bytes) => bytes,
  }: { readonly delayMs?: number; readonly rewrite?: (bytes: Buffer) => Buffer } = {},
): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let isCut = false;
  let isAnswerLost = false;
  let targetPort = firstPort;
  const endAll = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };
  const keep = (socket: Socket, other: Socket, isServer: boolean): void => {
    open.add(socket);
    // An end of one side, in whatever way, is one of both.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      other.destroy();
    });
    socket.on('data', (said: Buffer) => {
      const bytes = isServer ? said : rewrite(said);
      if (isServer && isAnswerLost) {
        isAnswerLost = false;
        isCut = true;
        return endAll();
      }
      if (delayMs === 0) other.write(bytes);
      else setTimeout(() => other.write(bytes), delayMs);
    });
    socket.on('end', () => setTimeout(() => other.end(), delayMs));
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (isCut) return void client.on('error', () => undefined).resetAndDestroy();
    const upstream = connect({ host, port: targetPort, noDelay: true, allowHalfOpen: true });
    keep(client, upstream, false);
    keep(upstream, client, true);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    get connections() {
      return open.size / 2;
    },
    through: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    cut() {
      isCut = true;
      endAll();
    },
    cutOnce: endAll,
    cutAtAnswer: () => void (isAnswerLost = true),
    mend: () => void (isCut = false),
    moveTo: (next) => void (targetPort = next),
    async close() {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
