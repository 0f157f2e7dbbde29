import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { FiscalError } from '../errors/fiscal-error.js';
import { Connections, destroyAfter } from './connections.js';
import { serveDeliveries, type Reception } from './serve.js';

export interface ReceiverOptions extends Reception {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** PEM. Absent: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly limits?: Partial<ReceiverLimits>;
}

/** Limits against senders that open many connections and send little. */
export interface ReceiverLimits {
  /** For the head of a request, in milliseconds from the first byte, or from the connection for the first request. */
  readonly headersMs: number;
  /** For a whole request, likewise. */
  readonly requestMs: number;
  /** Between two requests of a connection, in milliseconds. */
  readonly idleMs: number;
  /** For the sender to read a refusal and close, in milliseconds. */
  readonly lingerMs: number;
  readonly connections: number;
  /** Of one address, while they deliver nothing. */
  readonly perAddress: number;
}

export interface RunningReceiver {
  /** The address: scheme, host, port and path. */
  readonly url: string;
  /** Accepts no new request, answers those in progress (for at most `graceMs`), and stops. */
  close(graceMs: number): Promise<void>;
}

const defaultLimits: ReceiverLimits = {
  ...{ headersMs: 10_000, requestMs: 30_000, idleMs: 15_000, lingerMs: 2_000 },
  ...{ connections: 1_000, perAddress: 250 },
};

/**
 * Starts listening for deliveries. Throws `webhook.port_taken`; `webhook.cannot_listen` when the address is not of this machine, or
 * the TLS files are unusable.
 */
export async function startReceiver(options: ReceiverOptions): Promise<RunningReceiver> {
  const { host, port, path, tls } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const { connections: most, perAddress, idleMs, requestMs, lingerMs } = limits;
  // Node counts a request from its first byte: what comes between two requests could hold a connection for ever.
  const waitMs = idleMs + requestMs + lingerMs;
  const connections = new Connections({ connections: most, perAddress, waitMs }, (why) => options.refused(why, {}));
  const listener = serveDeliveries(options, { connections, lingerMs });
  const server = createServer(options, { limits, listener });
  server.on('connection', (socket) => connections.add(socket));
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    // Counted already: the client still sends while its connection is closed.
    if (socket.writableEnded) return void socket.destroy();
    const isSlow = slowCodes.has(error.code ?? '');
    options.refused(isSlow ? 'slow' : brokenBy(error), {});
    if (!socket.writable) return void socket.destroy();
    const status = isSlow ? '408 Request Timeout' : '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    destroyAfter(socket, lingerMs);
  });
  // With its own listener, the sender of a large body is refused before sending it.
  server.on('checkContinue', listener);
  await listen(server, host, port);
  const scheme = tls === undefined ? 'http' : 'https';
  const name = host.includes(':') ? `[${host}]` : host;
  const url = `${scheme}://${name}:${portOf(server, port)}${path}`;
  return { url, close: (graceMs) => close(server, connections, graceMs) };
}

const goneCodes = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** A client that went away has not said anything that is no HTTP. */
function brokenBy({ code = '' }: { readonly code?: string }): 'reset' | 'malformed' {
  return goneCodes.has(code) ? 'reset' : 'malformed';
}

const slowCodes = new Set(['ERR_HTTP_REQUEST_TIMEOUT', 'ERR_TLS_HANDSHAKE_TIMEOUT']);

interface ServerOptions {
  readonly limits: ReceiverLimits;
  readonly listener: RequestListener;
}

function createServer({ host, port, tls }: ReceiverOptions, { limits, listener }: ServerOptions): Server {
  const settings = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
    keepAliveTimeout: limits.idleMs,
    noDelay: true,
  };
  if (tls === undefined) return createHttpServer(settings, listener);
  try {
    const { cert, key } = tls;
    // A server without a certificate would start, and refuse every connection.
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) throw new Error('another key');
    return createHttpsServer({ ...settings, cert, key, handshakeTimeout: limits.headersMs }, listener);
  } catch (cause) {
    const reason = { en: 'certificate and key do not fit', pt: 'o certificado e a chave não servem' };
    throw new FiscalError('webhook.cannot_listen', { address: `${host}:${port}`, reason }, { cause });
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: Error & { code?: string }) => {
      const address = `${host}:${port}`;
      if (cause.code === 'EADDRINUSE') {
        return reject(new FiscalError('webhook.port_taken', { address }, { cause, sent: 'no', retryable: true }));
      }
      const values = { address, reason: cause.code ?? cause.message };
      reject(new FiscalError('webhook.cannot_listen', values, { cause }));
    });
    server.listen({ host, port, backlog: 1_024 }, resolve);
  });
  // After the start, socket errors concern single connections.
  server.removeAllListeners('error').on('error', () => undefined);
}

function portOf(server: Server, wanted: number): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : wanted;
}

const sweepMs = 50;

async function close(server: Server, connections: Connections, graceMs: number): Promise<void> {
  const timer = setTimeout(() => connections.closeAll(), graceMs);
  // A kept-alive connection becomes idle once its last request is answered.
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
  clearInterval(sweep);
}
