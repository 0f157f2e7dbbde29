import type { ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import {
  clearFaults,
  control,
  createdSkus,
  ended,
  errorOf,
  inProcess,
  ledger,
  newWorld,
  products,
  put,
  type ReadyLine,
  records,
  start,
  withEnv,
  withSandbox,
  type World,
  worldAt,
} from './program.js';

const PRODUCTS = 4;
const argv = ['product', 'apply', '--create-only', 'products.ndjson', '--wait', '--yes', '-o', 'ndjson'];

let server: PostgresServer;
let sandbox: Awaited<ReturnType<typeof withSandbox>>;

beforeAll(async () => {
  [server, sandbox] = await Promise.all([startPostgres(), withSandbox(newWorld())]);
});

const running: ChildProcess[] = [];

afterEach(() => {
  for (const run of running.splice(0)) run.kill('SIGKILL');
});

afterAll(async () => {
  sandbox.stop();
  await server.stop();
});

/** A machine whose way to the store goes through a proxy, and one that reaches it directly. */
async function machines(prefix: string) {
  const url = await server.newDatabase();
  const { hostname, port } = new URL(url);
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  const at = (address: string): World => {
    const world = withEnv(worldAt(sandbox.ready), { FISCAL_STORE_URL: address });
    put(world, 'products.ndjson', products(PRODUCTS, prefix, 'billed'));
    return world;
  };
  return { proxy, url, cutOff: at(proxy.through(url)), other: at(url), ready: sandbox.ready };
}

/** Files with answers that wait on this machine. */
function kept(world: World): readonly string[] {
  const names = readdirSync(world.root, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.startsWith(join('state', 'answers')) && name.endsWith('.answer'));
}

/** Starts an import, and cuts the way to the store while all its requests are answered. */
async function cutWhileAnswered(world: World, proxy: TcpProxy, ready: ReadyLine) {
  const before = (await ledger(ready)).length;
  await clearFaults(ready);
  await control(ready, 'faults', { kind: 'slow', operation: 'product.create', delayMs: 3_000 });
  const run = start(world, argv);
  running.push(run);
  const end = ended(run);
  await expect.poll(async () => (await ledger(ready)).length - before, { timeout: 60_000 }).toBe(PRODUCTS);
  proxy.cut();
  await expect.poll(() => kept(world).length, { timeout: 30_000 }).toBe(PRODUCTS);
  await clearFaults(ready);
  return { run, end };
}

async function skusOf(ready: ReadyLine, prefix: string): Promise<readonly string[]> {
  return (await createdSkus(ready)).filter((sku) => sku.startsWith(prefix));
}

it('an answer that came outlives the store and the program: the next command writes it, and nothing is uncertain', async () => {
  const { cutOff, proxy, ready, url } = await machines('KILL');
  try {
    const { run, end } = await cutWhileAnswered(cutOff, proxy, ready);
    run.kill('SIGKILL');
    await end;
    proxy.mend();
    const status = await inProcess(cutOff, 'store', 'status', '-o', 'json');
    expect(status.stderr).toContain(`the store has taken the answers that were kept on this machine: ${PRODUCTS}`);
    expect(JSON.parse(status.stdout)).toMatchObject({ keptAnswers: { waiting: 0, damaged: [] } });
    const last = await inProcess(cutOff, ...argv);
    expect([last.exitCode, records(last).at(-1)]).toMatchObject([0, { succeeded: PRODUCTS, uncertain: 0 }]);
    const skus = await skusOf(ready, 'KILL');
    expect([skus.length, new Set(skus).size]).toEqual([PRODUCTS, PRODUCTS]);
  } finally {
    await proxy.close();
    await server.dropDatabase(url);
  }
});

it('a run that cannot store its answers ends 5 and names them; doctor shows them', async () => {
  const { cutOff, proxy, ready, url } = await machines('ENDS');
  try {
    const end = await (await cutWhileAnswered(cutOff, proxy, ready)).end;
    expect([end.exitCode, errorOf(end)]).toMatchObject([
      5,
      {
        code: 'job.answers_kept',
        message: expect.stringContaining(`${PRODUCTS} answers are kept on this machine`),
        sent: 'yes',
      },
    ]);
    expect(end.stderr).not.toContain('pw-of-owner');
    proxy.mend();
    const examined = await inProcess(cutOff, 'doctor', '-o', 'ndjson');
    expect(records(examined)).toContainEqual(expect.objectContaining({ check: 'answers', status: 'warn' }));
    expect((await inProcess(cutOff, ...argv)).exitCode).toBe(0);
    expect(kept(cutOff)).toEqual([]);
    expect(await skusOf(ready, 'ENDS')).toHaveLength(PRODUCTS);
  } finally {
    await proxy.close();
    await server.dropDatabase(url);
  }
});

it('a request that certainly did not leave is kept as such: the next command sends it, and nothing is uncertain', async () => {
  const { cutOff, proxy, ready, url } = await machines('UNSENT');
  const other = new pg.Client({ connectionString: url });
  try {
    await inProcess(cutOff, 'store', 'status');
    await other.connect();
    // Each item is marked as being sent, and waits until its call is counted.
    await other.query('BEGIN; LOCK TABLE fiscal.usage');
    const sent = (await ledger(ready)).length;
    const end = ended(start(cutOff, argv));
    const sending = "SELECT 1 FROM fiscal.items WHERE state = 'sending'";
    await expect.poll(async () => (await server.query(sending, url)).length, { timeout: 60_000 }).toBe(PRODUCTS);
    const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'fiscal.usage'::regclass";
    await expect.poll(async () => (await server.query(waiting, url)).length, { timeout: 60_000 }).toBe(PRODUCTS);
    proxy.cut();
    expect(errorOf(await end)).toMatchObject({ code: 'store.unreachable', exitCode: 5 });
    expect((await ledger(ready)).length).toBe(sent);
    expect(kept(cutOff)).toHaveLength(PRODUCTS);
    proxy.mend();
    await other.end();
    const last = await inProcess(cutOff, ...argv);
    expect([last.exitCode, records(last).at(-1)]).toMatchObject([0, { succeeded: PRODUCTS, uncertain: 0 }]);
    expect(await skusOf(ready, 'UNSENT')).toHaveLength(PRODUCTS);
  } finally {
    await other.end();
    await proxy.close();
    await server.dropDatabase(url);
  }
});

it('answers win over the uncertainty of a machine that took the items over, with no second send', async () => {
  const { cutOff, other, proxy, ready, url } = await machines('TAKEN');
  try {
    const { run, end } = await cutWhileAnswered(cutOff, proxy, ready);
    run.kill('SIGKILL');
    await end;
    // The lease of the killed run is over.
    await server.query('UPDATE fiscal.workers SET expires_at = 0', url);
    const taken = await inProcess(other, ...argv);
    expect([taken.exitCode, records(taken).at(-1)]).toMatchObject([3, { uncertain: PRODUCTS }]);
    proxy.mend();
    await inProcess(cutOff, 'store', 'status');
    expect(kept(cutOff)).toEqual([]);
    const again = await inProcess(other, ...argv);
    expect([again.exitCode, records(again).at(-1)]).toMatchObject([0, { succeeded: PRODUCTS, uncertain: 0 }]);
    expect(await skusOf(ready, 'TAKEN')).toHaveLength(PRODUCTS);
  } finally {
    await proxy.close();
    await server.dropDatabase(url);
  }
});
