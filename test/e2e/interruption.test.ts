import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  clearFaults,
  control,
  createdSkus,
  ended,
  errorOf,
  fiscal,
  inProcess,
  ledger,
  newWorld,
  products,
  put,
  records,
  type ReadyLine,
  start,
  withSandbox,
  worldAt,
} from './program.js';

const COUNT = 40;

let ready: ReadyLine;
let stop: () => void;

beforeAll(async () => {
  ({ ready, stop } = await withSandbox(newWorld()));
});
beforeEach(async () => {
  await clearFaults(ready);
  await control(ready, 'faults', { operation: 'product.create', kind: 'slow', delayMs: 150 });
});
afterAll(() => stop());

/** Resolves when the sandbox has seen a create of this test: the import is in the middle of its work. */
async function sendsBegan(prefix: string): Promise<void> {
  while (!(await createdSkus(ready)).some((sku) => sku.startsWith(prefix))) {
    await pause(5);
  }
}

function importing(prefix: string): {
  readonly child: ChildProcess;
  readonly argv: readonly string[];
  readonly world: ReturnType<typeof worldAt>;
} {
  const world = worldAt(ready);
  put(world, 'p.ndjson', products(COUNT, prefix));
  const argv = ['product', 'apply', '--create-only', 'p.ndjson', '--concurrency', '2', '-o', 'ndjson'];
  return { world, argv, child: start(world, argv) };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s lets requests in flight finish, exits %i, and the same command continues: nothing twice',
  async (signal, exitCode) => {
    const { world, argv, child } = importing(signal);
    const end = ended(child);
    await sendsBegan(signal);
    child.kill(signal);
    const first = await end;
    expect([first.exitCode, first.signal]).toEqual([exitCode, null]);
    const said = records(first);
    expect(said.map(({ type }) => type)).toEqual([...Array.from({ length: COUNT }, () => 'item'), 'summary']);
    expect(said.at(-1)).toMatchObject({
      ...{ total: COUNT, stopped: 'interrupted', errorCode: 'job.interrupted', exitCode },
      pending: said.filter(({ state }) => state === 'pending').length,
      prepared: said.filter(({ state }) => state === 'prepared').length,
    });
    expect(first.stderr).toMatch(/^finishing [12] requests?; Ctrl-C again leaves at once$/m);
    expect(errorOf(first)).toMatchObject({
      code: 'job.interrupted',
      message: 'interrupted; the state is saved',
      resume: `fiscal product apply p.ndjson --create-only --concurrency 2 --tenant ${ready.tenantId}`,
      exitCode,
    });
    const [job] = records(await inProcess(world, 'job', 'list', '-o', 'ndjson'));
    expect(job).toMatchObject({ state: 'open', items: COUNT, uncertain: 0 });
    expect((await createdSkus(ready)).filter((sku) => sku.startsWith(signal)).length).toBeLessThan(COUNT);

    await clearFaults(ready);
    const second = await fiscal(world, ...argv, '--wait');
    expect([second.exitCode, records(second).at(-1)]).toMatchObject([0, { total: COUNT, succeeded: COUNT }]);
    const skus = (await createdSkus(ready)).filter((sku) => sku.startsWith(signal));
    expect([skus.length, new Set(skus).size]).toEqual([COUNT, COUNT]);
  },
);

test('a second SIGINT exits immediately, even with a request in flight', async () => {
  await clearFaults(ready);
  await control(ready, 'faults', { operation: 'product.create', kind: 'stall' });
  const { child } = importing('TWICE');
  const end = ended(child);
  await sendsBegan('TWICE');
  child.kill('SIGINT');
  // Another program runs from its start to its end meanwhile.
  await fiscal(newWorld(), 'job', 'list');
  expect(child.exitCode).toBe(null);
  child.kill('SIGINT');
  expect(await end).toMatchObject({ exitCode: 130, signal: null, stdout: '' });
});

test('two processes on the same file share the work: nothing twice, both exit 0', async () => {
  const { child, argv, world } = importing('SHARED');
  const first = ended(child);
  const second = fiscal(world, ...argv);
  for (const { exitCode, stdout } of await Promise.all([first, second])) {
    expect(exitCode).toBe(0);
    expect(
      records({ exitCode, stdout, stderr: '', signal: null }).filter((record) => record['type'] === 'item').length,
    ).toBe(COUNT);
  }
  const skus = (await ledger(ready))
    .flatMap(({ effect }) => effect?.sku ?? [])
    .filter((sku) => sku.startsWith('SHARED'));
  expect([skus.length, new Set(skus).size]).toEqual([COUNT, COUNT]);
  const jobs = records(await inProcess(world, 'job', 'list', '-o', 'ndjson'));
  expect(jobs.length).toBe(1);
});
