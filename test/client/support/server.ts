import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createNetServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as a test wants to see it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface TestServer {
  readonly url: string;
  readonly seen: readonly Seen[];
}

/** An answer: a status with headers and body, or a function that does with the response what it likes. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A real server on loopback that answers with the given replies in turn, the last one for ever. */
export async function serve(...replies: readonly (Reply | RequestListener)[]): Promise<TestServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const reply = replies[Math.min(seen.length, replies.length - 1)];
      const { method = '', url: path = '', headers } = request;
      seen.push({ method, path, headers, body: Buffer.concat(chunks).toString('utf8') });
      if (typeof reply === 'function') return reply(request, response);
      response.writeHead(reply?.status ?? 500, reply?.headers).end(reply?.body);
    });
  });
  return { url: await listen(server), seen };
}

/** A server below HTTP: it gets the bare connection. */
export async function serveSocket(onSocket: (socket: Socket) => void): Promise<string> {
  const server = createNetServer((socket) => {
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  return await listen(server);
}

/** A port of this machine on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createNetServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = addressOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export function json(status: number, data: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(data) };
}

async function listen(server: Server | ReturnType<typeof createNetServer>): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${String(addressOf(server).port)}`;
}

function addressOf(server: { address(): AddressInfo | string | null }): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address;
}
