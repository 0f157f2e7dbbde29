import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a proxy was asked for before the tunnel was open. */
export interface Asked {
  readonly target: string | undefined;
  readonly authorization: string | undefined;
  readonly head: string;
}

/** A proxy that tunnels every CONNECT to `port`, or refuses it with `status`, and writes down what it was asked. */
export async function tunnel(port: number, status = 200) {
  const asked: Asked[] = [];
  const server = createHttpServer();
  server.on('connect', (request, socket: Socket, head: Buffer) => {
    asked.push({ target: request.url, authorization: request.headers['proxy-authorization'], head: head.toString() });
    if (status !== 200) return socket.end(`HTTP/1.1 ${String(status)} No\r\n\r\n`);
    const far = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      far.pipe(socket).pipe(far);
    });
    for (const end of [far, socket]) end.on('error', () => far.destroy());
    return undefined;
  });
  return { port: await listening(server), asked };
}

/** The port of a server on loopback, until the test ends. */
export async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  // listen() on a port gives an address with a port.
  return (server.address() as AddressInfo).port;
}
