import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.js';
import {
  clearFaults,
  control,
  createdSkus,
  type Ended,
  ended,
  errorOf,
  inProcess,
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

const PRODUCTS = 150;
const argv = [
  'product',
  'apply',
  '--create-only',
  'products.ndjson',
  '--wait',
  '--yes',
  '--concurrency',
  '4',
  '-o',
  'ndjson',
];

/** Elsewhere nothing that a test may do fills a disk of the server. */
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

let sandbox: Awaited<ReturnType<typeof withSandbox>>;

beforeAll(async () => {
  sandbox = await withSandbox(newWorld());
});

afterAll(() => sandbox.stop());

/** An import at whose beginning `meanwhile` happens: when some of its answers have come and others are under way. */
async function importWhile(url: string, prefix: string, meanwhile: () => Promise<void>) {
  const world = withEnv(worldAt(sandbox.ready), { FISCAL_STORE_URL: url });
  put(world, 'products.ndjson', products(PRODUCTS, prefix, 'billed'));
  await control(sandbox.ready, 'faults', { kind: 'slow', operation: 'product.create', delayMs: 100 });
  const run = ended(start(world, argv));
  await expect.poll(async () => (await skusOf(prefix)).length, { timeout: 60_000 }).toBeGreaterThan(7);
  await meanwhile();
  const end = await run;
  await clearFaults(sandbox.ready);
  return { world, end };
}

async function skusOf(prefix: string): Promise<readonly string[]> {
  return (await createdSkus(sandbox.ready)).filter((sku) => sku.startsWith(`${prefix}-`));
}

function keptAnswers(world: World): number {
  const names = readdirSync(world.root, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.startsWith(join('state', 'answers')) && name.endsWith('.answer')).length;
}

/** The run ended 5 with one sentence. */
function expectEnded(end: Ended, reason: RegExp): void {
  expect([end.exitCode, errorOf(end)]).toMatchObject([
    5,
    {
      code: expect.stringMatching(/^job\.(answers_kept|store_failed)$/),
      message: expect.stringMatching(reason),
      retryable: true,
      resume: expect.stringMatching(/^fiscal (product apply|job resume) /),
    },
  ]);
  expect(end.stderr).not.toMatch(/pw-of-owner|\n\s+at /);
}

/** Everything that was sent has its row, and what became of each send is in the store or on this machine. */
async function expectNothingLost(server: PostgresServer, scene: { url: string; world: World; prefix: string }) {
  const { url, world, prefix } = scene;
  const sent = await server.query("SELECT label FROM fiscal.items WHERE attempts > 0 AND state <> 'prepared'", url);
  const labels = sent.map(({ label }) => String(label));
  expect((await skusOf(prefix)).filter((sku) => !labels.includes(sku))).toEqual([]);
  // One that certainly did not leave is kept as well, and one that the store took late may be.
  const open = await server.query("SELECT label FROM fiscal.items WHERE state = 'sending'", url);
  expect(keptAnswers(world)).toBeGreaterThanOrEqual(open.length);
}

async function expectGoesOn({ world, prefix }: { world: World; prefix: string }): Promise<void> {
  const last = await inProcess(world, ...argv);
  expect([last.exitCode, records(last).at(-1)]).toMatchObject([0, { succeeded: PRODUCTS, uncertain: 0 }]);
  expect(keptAnswers(world)).toBe(0);
  const skus = await skusOf(prefix);
  expect([skus.length, new Set(skus).size]).toEqual([PRODUCTS, PRODUCTS]);
}

describe.skipIf(!isRoot)('a disk of the server that is full in the middle of an import (root mounts one)', () => {
  let disk: SmallDisk;
  let server: PostgresServer;

  afterAll(async () => {
    disk.free();
    await server.stop();
    disk.unmount();
  });

  it('the disk of the tables: one sentence, exit 5, and with space again the same command goes on', async () => {
    [disk, server] = [mountSmallDisk(32), await startPostgres(['-c', 'autovacuum=off'])];
    await server.query(`CREATE TABLESPACE small LOCATION '${disk.folderOf('postgres')}'`);
    const url = await server.newDatabase();
    const name = new URL(url).pathname.slice(1);
    await server.query(`ALTER DATABASE ${name} SET TABLESPACE small`);
    const { world, end } = await importWhile(url, 'DATA', async () => disk.fill());
    expectEnded(end, /no space left to write postgres:/);
    await expectNothingLost(server, { url, world, prefix: 'DATA' });
    // How far it comes depends on what the last pages still hold.
    const again = await inProcess(world, ...argv);
    expect([again.exitCode, errorOf(again)['message']]).toEqual([5, expect.stringContaining('no space left')]);
    await expectNothingLost(server, { url, world, prefix: 'DATA' });
    disk.free();
    await expectGoesOn({ world, prefix: 'DATA' });
  });
});

describe.skipIf(!isRoot)('a disk of the log of the server that is full (root mounts one)', () => {
  let disk: SmallDisk;
  let server: PostgresServer;

  afterAll(async () => {
    disk.free();
    await server.stop();
    disk.unmount();
  });

  it('the server goes down: the run waits, ends 5, and the same command goes on when the server is back', async () => {
    disk = mountSmallDisk(32);
    server = await startPostgres(
      ['-c', 'min_wal_size=2MB'],
      [`--waldir=${disk.folderOf('postgres')}`, '--wal-segsize=1'],
    );
    const url = await server.newDatabase();
    const { world, end } = await importWhile(url, 'LOG', async () => {
      disk.fill();
      const more = 'CREATE TABLE more (); DROP TABLE more; SELECT pg_switch_wal()';
      const isUp = () =>
        server.query(more).then(
          () => true,
          () => false,
        );
      // Whoever needs a new file of the log then stops the server.
      while (await isUp());
    });
    expectEnded(end, /cannot be reached/);
    disk.free();
    await server.revive();
    await expectNothingLost(server, { url, world, prefix: 'LOG' });
    await expectGoesOn({ world, prefix: 'LOG' });
  });
});
