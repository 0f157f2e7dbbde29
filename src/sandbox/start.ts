import { randomUUID } from 'node:crypto';
import { type Server, createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { RunningSandbox, SandboxOptions, SandboxReady } from '../contract/sandbox.js';
import { allRoles } from './core/callers.js';
import { type Core, openCore } from './core/core.js';
import { Refusal } from './core/refusal.js';
import { type App, buildApp, buildByteApp } from './http/app.js';
import { answerOf, refusalReply } from './http/reply.js';
import { runDueWork } from './http/serve.js';
import { openSender } from './webhook/sender.js';

const backgroundEveryMs = 100;
const lastWaitMs = 2_000;
const tokenLifeMs = 365 * 86_400_000;

export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const core = openCore({
    path: options.path,
    clockOffsetMs: options.clockOffsetMs,
    account: options.account,
    seed: options.seed ?? 1,
    rate: options.rate,
    alphanumericKeys: options.alphanumericKeys ?? false,
    bytes: options.bytes ?? 'bytes',
    validationDelayMs: options.validationDelayMs ?? 300,
    mode: {
      lagMs: options.lagMs ?? 0,
      idempotencyKeys: options.idempotencyKeys ?? 'ignored',
      externalIds: options.externalIds ?? 'any',
      lists: options.lists ?? 'envelope',
      lenient: options.lenient ?? false,
    },
  });
  const sender = openSender(core);
  const host = options.host ?? '127.0.0.1';
  try {
    const server = await listen(buildApp({ core, sender }), host, options);
    const byteServer = await listen(buildByteApp(core), host, { ...options, port: 0 });
    core.byteHost.openAt(addressOf(byteServer, host));
    const timer = setInterval(() => {
      workInBackground(core);
      sender.pump();
    }, backgroundEveryMs).unref();
    const url = addressOf(server, host);
    return {
      url,
      ready: readyLine(core, url),
      async close() {
        clearInterval(timer);
        // An embedded sandbox ends with its process.
        if (options.keepsProcess === false) await sender.drain(lastWaitMs);
        sender.close();
        await Promise.all([closeServer(server), closeServer(byteServer)]);
        core.close();
      },
    };
  } catch (error) {
    sender.close();
    core.close();
    throw error;
  }
}

/**
 * Idle connections stay open this long. Node closes them after 5 seconds, and a caller that was busy for as long sends its next
 * request into a connection that is being closed, and gets an unknown outcome for no good reason (assumed).
 */
const keepAliveTimeout = 65_000;

/** `overrideGlobalObjects` stays off: an embedded sandbox must not change the `Request` of the program. */
async function listen(app: App, host: string, options: SandboxOptions): Promise<Server> {
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler: refuseUnreadable });
  const server = createServer({ keepAliveTimeout }, (incoming, outgoing) => void listener(incoming, outgoing));
  if (options.keepsProcess === false) {
    server.unref();
    server.on('connection', (socket) => socket.unref());
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port: options.port ?? 0 }, resolve);
  });
  return server;
}

/** A request that hono cannot read, e.g. with an invalid host header. */
function refuseUnreadable(): Response {
  const requestId = randomUUID();
  const refusal = new Refusal('malformed_request', 'The request cannot be read.');
  const { status, headers } = answerOf(refusalReply(refusal, requestId), requestId);
  return new Response(JSON.stringify(refusalReply(refusal, requestId).body), { status, headers });
}

function addressOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Every request does due work; this covers times without requests. A busy file is retried at the next interval. */
function workInBackground(core: Core): void {
  try {
    if (core.work.isDue(core.clock.now())) core.transaction(() => runDueWork(core));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY'))) throw error;
  }
}

function readyLine(core: Core, url: string): SandboxReady {
  const { tenantId, companyId, invoiceKey, dataKey } = core.account;
  const expiresAt = core.clock.now() + tokenLifeMs;
  const jwt = core.callers.token(tenantId, { kind: 'both', roles: allRoles, expiresAt });
  return { type: 'ready', url, invoiceKey, dataKey, tenantId, companyId, jwt };
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
