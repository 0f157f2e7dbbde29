import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { look } from '../../scripts/quickstart/look.js';
import { schemes } from '../../src/receiver/schemes.js';
import { environmentIn } from '../running-sandbox.js';

interface SlowConnectionSizes {
  readonly connections: number;
  readonly seconds: number;
}

interface SlowConnectionFindings {
  /** Slow connections, those that were opened again included. */
  readonly opened: number;
  /** The most connections that the listener had at once. */
  readonly heldMost: number;
  /** Signed deliveries that were answered 200. */
  readonly delivered: number;
  readonly failed: number;
  readonly slowestMs: number;
  readonly exitCode: number | null;
  readonly endedMs: number;
}

const secret = 'drill-secret-drill-secret-drill-0';
const addresses = 40;
const everyMs = 250;
/** A closed connection is opened again after this. */
const reopenMs = 1_000;

const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
/** What the slow connections send first; nothing at all, too. */
const beginnings = ['', 'P', head, `${head}Content-Length: 900000\r\n\r\n{`, '\r\n'];

/** The real program, its sender, and many that want to keep it from listening. */
export async function drillSlowConnections(sizes: SlowConnectionSizes): Promise<SlowConnectionFindings> {
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-slow-'));
  const secretFile = join(folder, 'secret');
  await writeFile(secretFile, secret);
  const words = ['webhook', 'listen', '--port', '0', '--secret-file', secretFile, '-o', 'ndjson'];
  const child = spawn(process.execPath, [join(process.cwd(), 'bin/fiscal.js'), ...words], {
    env: environmentIn(folder),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const slow = new SlowConnections(0);
  try {
    const lines = createInterface(child.stdout);
    const [ready] = await once(lines, 'line');
    lines.on('line', () => undefined);
    slow.port = Number(new URL(String(look(JSON.parse(String(ready)), 'url'))).port);
    await slow.open(sizes.connections);
    const { heldMost, ...deliveries } = await deliverFor(sizes.seconds, slow.port, child);
    // The end comes while they are still there.
    const endsAt = Date.now();
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
    const endedMs = Date.now() - endsAt;
    return { opened: slow.opened, heldMost, ...deliveries, exitCode: child.exitCode, endedMs };
  } finally {
    slow.stop();
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

/** They never close, read no answer, and come again when they are closed. */
class SlowConnections {
  opened = 0;
  readonly #open = new Set<Socket>();
  #isStopped = false;

  constructor(public port: number) {}

  async open(count: number): Promise<void> {
    for (let nth = 0; nth < count; nth += 1) {
      this.#add(nth);
      if (nth % 50 === 49) await pause(5);
    }
  }

  stop(): void {
    this.#isStopped = true;
    for (const socket of this.#open) socket.destroy();
  }

  #add(nth: number): void {
    if (this.#isStopped) return;
    this.opened += 1;
    const localAddress = `127.0.0.${String(2 + (nth % addresses))}`;
    const socket = connect({ host: '127.0.0.1', port: this.port, localAddress, allowHalfOpen: true });
    this.#open.add(socket);
    const beginning = beginnings[nth % beginnings.length] ?? '';
    socket.on('connect', () => void socket.write(beginning));
    // Half of them drip: the far side closes both ways of those that do before they notice.
    const drip = nth % 2 === 0 ? setInterval(() => socket.write('x'), 1_000) : undefined;
    socket.on('error', () => undefined).on('end', () => socket.destroy());
    socket.on('close', () => {
      clearInterval(drip);
      this.#open.delete(socket);
      setTimeout(() => this.#add(nth), reopenMs);
    });
    socket.resume();
  }
}

async function deliverFor(seconds: number, port: number, child: ChildProcess) {
  const found = { delivered: 0, failed: 0, slowestMs: 0, heldMost: 0 };
  const until = Date.now() + seconds * 1_000;
  for (let nth = 0; Date.now() < until; nth += 1) {
    const startedAt = Date.now();
    const localAddress = nth % 2 === 0 ? '127.0.0.1' : '127.0.0.2';
    const status = await deliver(port, nth, localAddress);
    if (status === 200) found.delivered += 1;
    else found.failed += 1;
    const tookMs = Date.now() - startedAt;
    found.slowestMs = Math.max(found.slowestMs, tookMs);
    found.heldMost = Math.max(found.heldMost, heldBy(port, child));
    await pause(Math.max(0, everyMs - tookMs));
  }
  return found;
}

/** The connections to the port that are established, as the kernel counts them. */
function heldBy(port: number, { pid }: ChildProcess): number {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync(`/proc/${String(pid)}/net/tcp`, 'latin1')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) === true && state === '01').length;
}

function deliver(port: number, nth: number, localAddress: string): Promise<number | undefined> {
  const body = Buffer.from(JSON.stringify({ action: 'product.active', payload: { id: `p-${String(nth)}` } }));
  const headers = schemes['hub-sha1'].sign({ id: `d-${String(nth)}`, body, now: 0 }, secret);
  const type = { 'content-type': 'application/json', 'content-length': String(body.length) };
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, method: 'POST', localAddress, agent: false, timeout: 30_000 };
    const call = request({ ...options, headers: { ...headers, ...type } });
    call.on('response', (answer) => resolve(answer.resume().statusCode));
    call.on('error', () => resolve(undefined)).on('timeout', () => call.destroy());
    call.end(body);
  });
}
