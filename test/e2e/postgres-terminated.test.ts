import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import {
  createdSkus,
  inProcess,
  newWorld,
  products,
  put,
  records,
  withEnv,
  withSandbox,
  worldAt,
} from './program.js';

const PRODUCTS = 2;
const argv = [
  'product',
  'import',
  'products.ndjson',
  '--wait',
  '--yes',
  '--interval',
  '50ms',
  '-o',
  'ndjson',
];

let server: PostgresServer;
let sandbox: Awaited<ReturnType<typeof withSandbox>>;
let proxy: TcpProxy;
let url: string;

/** Where the server ends the sessions of the program: before it gets a statement, while it works on it, or before the answer is heard. */
const places = ['before', 'during', 'answer'] as const;
let chunks = { client: 0, server: 0 };
let target: { readonly place: (typeof places)[number]; readonly at: number } | undefined;

beforeAll(async () => {
  [server, sandbox] = await Promise.all([startPostgres(), withSandbox(newWorld())]);
  url = await server.newDatabase();
  const { hostname, port } = new URL(url);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) }, { onChunk });
});

afterAll(async () => {
  await proxy.close();
  sandbox.stop();
  await server.stop();
});

function onChunk(from: 'client' | 'server'): Promise<'drop' | undefined> | undefined {
  chunks[from] += 1;
  const { place, at } = target ?? {};
  if (chunks[from] !== at || (from === 'server') !== (place === 'answer')) return undefined;
  if (place === 'during') return void terminate();
  return terminate().then(() => (place === 'answer' ? 'drop' : undefined));
}

async function terminate(): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await server.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND application_name LIKE 'fiscal%'`,
  );
}

/** Imports products of a prefix in a state folder of its own; the sessions are ended once. */
async function importOnce(prefix: string, ended: typeof target) {
  const world = withEnv(worldAt(sandbox.ready), { FISCAL_STORE_URL: proxy.through(url) });
  put(world, 'products.ndjson', products(PRODUCTS, prefix));
  chunks = { client: 0, server: 0 };
  target = ended;
  const run = await inProcess(world, ...argv);
  const count = chunks;
  target = undefined;
  const created = async () =>
    (await createdSkus(sandbox.ready)).filter((sku) => sku.startsWith(`${prefix}-`)).toSorted();
  return { run, count, created, again: () => inProcess(world, ...argv) };
}

/** All steps take minutes (`FISCAL_TEST_ALL_STEPS=1`): each run takes every 16th, from another one on. */
const STEP = process.env['FISCAL_TEST_ALL_STEPS'] === '1' ? 1 : 16;

it('sessions that the server ends at any step of an import lose nothing and double nothing', async () => {
  // The first run also makes the tables.
  await importOnce('FIRST', undefined);
  const { count } = await importOnce('COUNT', undefined);
  const offset = Math.floor(Math.random() * STEP);
  const exits: Record<string, number> = {};
  for (const place of places) {
    const last = place === 'answer' ? count.server : count.client;
    for (let at = 1 + ((offset + places.indexOf(place) * 2) % STEP); at <= last; at += STEP) {
      const prefix = `${place}${at}`;
      const { run, created, again } = await importOnce(prefix, { place, at });
      const exitCode = String(run.exitCode);
      exits[exitCode] = (exits[exitCode] ?? 0) + 1;
      const said = records(run).at(-1);
      // It claims no more than the service has.
      const succeeded = said?.['type'] === 'summary' ? Number(said['succeeded']) : 0;
      expect([prefix, run.stderr, succeeded <= (await created()).length]).toEqual([prefix, run.stderr, true]);
      if (run.exitCode === 0) expect([prefix, said]).toMatchObject([prefix, { succeeded: PRODUCTS }]);
      const end = await again();
      expect([prefix, end.exitCode, end.stderr, await created()]).toMatchObject([
        ...[prefix, 0, end.stderr],
        [`${prefix}-1`, `${prefix}-2`],
      ]);
    }
  }
  // A lost session is made again: few of these runs notice it.
  expect(Object.keys(exits).filter((code) => code !== '0' && code !== '5')).toEqual([]);
});
