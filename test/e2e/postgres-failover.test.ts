import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresPair, startPostgresPair } from '../support/postgres-pair.js';
import {
  clearFaults,
  control,
  createdSkus,
  ended,
  inProcess,
  newWorld,
  products,
  put,
  records,
  start,
  withEnv,
  withSandbox,
  worldAt,
} from './program.js';

const PRODUCTS = 40;
const argv = [
  'product',
  'apply',
  '--create-only',
  'products.ndjson',
  '--wait',
  '--yes',
  '--concurrency',
  '2',
  '-o',
  'ndjson',
];

let servers: PostgresPair;
let sandbox: Awaited<ReturnType<typeof withSandbox>>;

beforeAll(async () => {
  [servers, sandbox] = await Promise.all([startPostgresPair(), withSandbox(newWorld())]);
});

afterAll(async () => {
  sandbox.stop();
  await servers.stop();
});

it('a standby that lacks the last commits takes over: what looks unsent is not sent again', async () => {
  const { ready } = sandbox;
  const worlds = [0, 1].map(() => withEnv(worldAt(ready), { FISCAL_STORE_URL: servers.url }));
  for (const world of worlds) put(world, 'products.ndjson', products(PRODUCTS, 'MOVED'));
  const [one, other] = worlds;
  if (one === undefined || other === undefined) throw new Error('two machines');
  const examined = await inProcess(one, 'doctor', '-o', 'ndjson');
  expect(records(examined)).toContainEqual(expect.objectContaining({ check: 'store', status: 'warn' }));
  await control(ready, 'faults', { kind: 'slow', operation: 'product.create', delayMs: 400 });
  const run = ended(start(one, argv));
  const created = async () => (await createdSkus(ready)).length;
  await expect.poll(created, { timeout: 60_000 }).toBeGreaterThan(4);
  servers.replication.cut();
  const before = await created();
  await expect.poll(created, { timeout: 60_000 }).toBeGreaterThan(before + 8);
  await servers.failOver();
  const first = await run;
  // 11 where the new server does not know its claims either.
  expect([5, 11]).toContain(first.exitCode);
  await clearFaults(ready);
  // The answers that the new server did not take are those of this machine.
  const again = await inProcess(one, ...argv);
  expect(again.stderr).toContain('failed over or was restored');
  for (const each of [again, await inProcess(other, ...argv)]) {
    const { succeeded, uncertain } = records(each).at(-1) ?? {};
    expect([each.exitCode, Number(succeeded) + Number(uncertain)]).toEqual([3, PRODUCTS]);
  }
  const skus = await createdSkus(ready);
  expect(skus.length).toBeGreaterThan(before + 8);
  expect(new Set(skus).size).toBe(skus.length);
});
