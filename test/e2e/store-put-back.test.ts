import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import {
  clearFaults,
  createdSkus,
  type Ended,
  errorOf,
  fiscal,
  holdAnswers,
  inProcess,
  killWhenHeld,
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

const PRODUCTS = 40;

/** A machine, and what an administrator does with its store. */
interface Kept {
  readonly world: World;
  backUp(): Promise<void>;
  putBack(): Promise<void>;
}

let server: PostgresServer;
let sandbox: Awaited<ReturnType<typeof withSandbox>>;

beforeAll(async () => {
  [server, sandbox] = await Promise.all([startPostgres(), withSandbox(newWorld())]);
});

afterAll(async () => {
  sandbox.stop();
  await server.stop();
});

function folder(ready: ReadyLine): Promise<Kept> {
  const world = worldAt(ready);
  const [state, backup] = [join(world.root, 'state'), join(world.root, 'backup')];
  return Promise.resolve({
    world,
    backUp: () => Promise.resolve(cpSync(state, backup, { recursive: true })),
    putBack() {
      rmSync(state, { recursive: true });
      return Promise.resolve(cpSync(backup, state, { recursive: true }));
    },
  });
}

/** The server stays, its timeline as well: only the rows go back. */
async function database(ready: ReadyLine): Promise<Kept> {
  const url = await server.newDatabase();
  const name = new URL(url).pathname.slice(1);
  let backup = '';
  return {
    world: withEnv(worldAt(ready), { FISCAL_STORE_URL: url }),
    backUp: async () => void (backup = await server.newDatabase(url)),
    async putBack() {
      await server.dropDatabase(url);
      await server.query(`CREATE DATABASE ${name} TEMPLATE ${new URL(backup).pathname.slice(1)}`);
    },
  };
}

const importOf = (file: string, ...flags: string[]): string[] => [
  ...['product', 'apply', '--create-only', file, '--wait', '--yes', '-o', 'ndjson', ...flags],
];

const summaryOf = (run: Ended): Record<string, unknown> => records(run).at(-1) ?? {};

async function created(prefix: string): Promise<readonly string[]> {
  return (await createdSkus(sandbox.ready)).filter((sku) => sku.startsWith(`${prefix}-`));
}

describe.each([
  ['a state folder', 'F', folder],
  ['a database', 'D', database],
] as const)('%s that is put back', (_what, mark, keep) => {
  it('in the middle of an import: what it calls unsent is not sent again, and nothing is lost', async () => {
    const prefix = `${mark}MIDDLE`;
    const { world, backUp, putBack } = await keep(sandbox.ready);
    put(world, 'products.ndjson', products(PRODUCTS, prefix));
    const argv = importOf('products.ndjson', '--concurrency', '2', '--lock-wait', '2m');
    await holdAnswers(sandbox.ready, 'product.create', { skip: 15 });
    expect((await killWhenHeld(sandbox.ready, start(world, argv), 2)).signal).toBe('SIGKILL');
    await clearFaults(sandbox.ready);
    await backUp();
    const rest = await fiscal(world, ...argv);
    expect(summaryOf(rest)).toMatchObject({ succeeded: PRODUCTS - 2, uncertain: 2 });
    await putBack();

    const required = await fiscal(world, ...argv, '--require-store');
    expect([required.exitCode, errorOf(required)['code']]).toEqual([2, 'store.went_back']);
    const again = await fiscal(world, ...argv);
    expect(again.stderr).toContain('this store was put back');
    expect([again.exitCode, summaryOf(again)]).toMatchObject([
      3,
      { succeeded: 15, uncertain: PRODUCTS - 15, stopped: 'complete', newStore: true },
    ]);
    const skus = await created(prefix);
    expect([skus.length, new Set(skus).size]).toEqual([PRODUCTS, PRODUCTS]);
  });

  it('before an import: nothing is sent again until a person lets it send', async () => {
    const prefix = `${mark}BEFORE`;
    const { world, backUp, putBack } = await keep(sandbox.ready);
    put(world, 'first.ndjson', products(3, `${prefix}-1`));
    put(world, 'second.ndjson', products(5, `${prefix}-2`));
    put(world, 'third.ndjson', products(2, `${prefix}-3`));
    await inProcess(world, ...importOf('first.ndjson'));
    await backUp();
    expect((await inProcess(world, ...importOf('second.ndjson'))).exitCode).toBe(0);
    await putBack();

    for (const file of ['second.ndjson', 'third.ndjson']) {
      const refused = await inProcess(world, ...importOf(file));
      expect([refused.exitCode, summaryOf(refused)['stopped']]).toEqual([2, 'went-back']);
      expect(refused.stderr).toContain('fiscal store release');
    }
    const required = await inProcess(world, ...importOf('second.ndjson', '--require-store'));
    expect([required.exitCode, errorOf(required)['code']]).toEqual([2, 'store.went_back']);
    // A second time: the note in the store is gone with it, and what this machine has seen is not.
    await putBack();
    expect((await inProcess(world, ...importOf('second.ndjson'))).exitCode).toBe(2);
    expect((await created(prefix)).length).toBe(8);

    const status = await inProcess(world, 'store', 'status', '-o', 'json');
    expect(JSON.parse(status.stdout)).toMatchObject({ wentBack: true });
    const examined = await inProcess(world, 'doctor', '-o', 'ndjson');
    expect(records(examined)).toContainEqual(expect.objectContaining({ check: 'store', status: 'problem' }));
    const release = await inProcess(world, 'store', 'release', '--yes', '-o', 'json');
    expect([release.exitCode, JSON.parse(release.stdout)]).toMatchObject([
      0,
      { released: true, missingSince: expect.any(String), missingUntil: expect.any(String) },
    ]);
    const third = await inProcess(world, ...importOf('third.ndjson', '--require-store'));
    expect([third.exitCode, summaryOf(third)['succeeded']]).toEqual([0, 2]);
    expect((await created(`${prefix}-3`)).length).toBe(2);
  });

  it('jobs that a person deleted are not missing', async () => {
    const { world } = await keep(sandbox.ready);
    put(world, 'products.ndjson', products(3, `${mark}PRUNED`));
    await inProcess(world, ...importOf('products.ndjson'));
    expect((await inProcess(world, 'job', 'prune', '--older-than', '0s', '--yes')).exitCode).toBe(0);
    const status = await inProcess(world, 'store', 'status', '-o', 'json');
    expect(JSON.parse(status.stdout)).toMatchObject({ wentBack: false });
  });
});
