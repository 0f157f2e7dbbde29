import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import {
  clearFaults,
  createdSkus,
  ended,
  fiscal,
  holdAnswers,
  killWhenHeld,
  newWorld,
  products,
  put,
  records,
  start,
  withEnv,
  withSandbox,
  type World,
  worldAt,
} from './program.js';

const PRODUCTS = 120;

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await server.stop();
});

/** Two machines of their own, with one sandbox and one store. */
async function twoMachines() {
  const url = await server.newDatabase();
  const sandbox = await withSandbox(newWorld());
  const machines = [sandbox.world, worldAt(sandbox.ready)].map((world) => {
    const shared = withEnv(world, { FISCAL_STORE_URL: url });
    put(shared, 'products.ndjson', products(PRODUCTS, 'SKU', 'billed'));
    return shared;
  });
  const [one, other] = machines;
  if (one === undefined || other === undefined) throw new Error('two machines');
  return { ...sandbox, one, other, url };
}

const argv = ['product', 'apply', '--create-only', 'products.ndjson', '--wait', '--yes', '-o', 'ndjson'];

async function jobsOf(world: World): Promise<number> {
  const listed = await fiscal(world, 'job', 'list', '-o', 'ndjson');
  return records(listed).filter(({ type }) => type === 'job').length;
}

it('the same import on two machines at once is one job: each product once', async () => {
  const { one, other, ready, stop, url } = await twoMachines();
  try {
    const both = await Promise.all([one, other].map((world) => ended(start(world, argv))));
    expect(both.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
      [0, expect.any(String)],
      [0, expect.any(String)],
    ]);
    const skus = await createdSkus(ready);
    expect([skus.length, new Set(skus).size]).toEqual([PRODUCTS, PRODUCTS]);
    expect(await jobsOf(other)).toBe(1);
  } finally {
    stop();
    await server.dropDatabase(url);
  }
});

it('what a killed machine had begun is taken over by another one: nothing twice, nothing lost', async () => {
  const { one, other, ready, stop, url } = await twoMachines();
  try {
    await holdAnswers(ready, 'product.create', { skip: 5, slowMs: 40 });
    expect((await killWhenHeld(ready, start(one, argv))).signal).toBe('SIGKILL');
    await clearFaults(ready);
    // Its lease would run out in a minute; here the time of the server is what counts.
    await server.query('UPDATE fiscal.workers SET expires_at = 0', url);
    const last = await fiscal(other, ...argv);
    const summary = records(last).at(-1) ?? {};
    const skus = await createdSkus(ready);
    expect(new Set(skus).size).toBe(skus.length);
    const uncertain = Number(summary['uncertain']);
    expect(Number(summary['succeeded']) + uncertain).toBe(PRODUCTS);
    expect(uncertain).toBeGreaterThan(0);
    expect(last.exitCode).toBe(3);
    expect(await jobsOf(other)).toBe(1);
  } finally {
    stop();
    await server.dropDatabase(url);
  }
});

it('when the server ends, the run ends with it: exit 5, and the same command goes on', async () => {
  const { one, ready, stop, url } = await twoMachines();
  try {
    await holdAnswers(ready, 'product.create', { skip: 5, slowMs: 40 });
    const run = ended(start(one, argv));
    await expect.poll(async () => (await createdSkus(ready)).length, { timeout: 60_000 }).toBeGreaterThan(0);
    const name = new URL(url).pathname.slice(1);
    await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    await clearFaults(ready);
    const { exitCode, stderr } = await run;
    expect({ exitCode, stderr }).toEqual({
      exitCode: 5,
      stderr: expect.stringMatching(/"code":"job.(?:store_failed|answers_kept)"/),
    });
    expect(stderr).not.toContain('pw-of-owner');
    await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await server.query('UPDATE fiscal.workers SET expires_at = 0', url);
    await fiscal(one, ...argv);
    const skus = await createdSkus(ready);
    expect(new Set(skus).size).toBe(skus.length);
  } finally {
    stop();
    await server.dropDatabase(url);
  }
});
