import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import {
  control,
  createdSkus,
  errorOf,
  inProcess,
  newWorld,
  products,
  put,
  records,
  withEnv,
  withSandbox,
  worldAt,
} from './program.js';

const PRODUCTS = 300;
/** An empty database takes 8 MB of it. */
const DISK_MIB = 16;
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

const disk = mkdtempSync(join(tmpdir(), 'fiscal-disk-'));
let hasDisk = false;
let server: PostgresServer;
let sandbox: Awaited<ReturnType<typeof withSandbox>>;
let url: string;

/** A disk of its own for one database: only root on Linux may have one. */
function mountDisk(owner: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,uid=${owner},mode=700`, 'none', disk], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

beforeAll(async () => {
  [server, sandbox] = await Promise.all([startPostgres(), withSandbox(newWorld())]);
  chmodSync(disk, 0o755);
  const [row] = await server.query('SHOW data_directory');
  hasDisk = mountDisk(statSync(String(row?.['data_directory'])).uid);
  if (!hasDisk) return;
  await server.query(`CREATE TABLESPACE small LOCATION '${disk}'`);
  await server.query('CREATE DATABASE small TABLESPACE small');
  // The address of a database, whose name is all that differs.
  url = (await server.newDatabase()).replace(/[^/]+$/, 'small');
});

afterAll(async () => {
  sandbox.stop();
  await server.stop();
  if (hasDisk) execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
});

/** Takes all that is left of the disk, but some pages. */
async function fill(): Promise<void> {
  await server.query(
    'CREATE TABLE ballast (bytes text); ALTER TABLE ballast ALTER bytes SET STORAGE PLAIN',
    url,
  );
  for (const size of [100, 1]) {
    const rows = `INSERT INTO ballast SELECT repeat('x', 7000) FROM generate_series(1, ${size})`;
    try {
      for (;;) await server.query(rows, url);
    } catch (error) {
      expect(error).toMatchObject({ code: '53100' });
    }
  }
}

it('a disk of the server that is full stops an import before the next send, and loses nothing', async (context) => {
  if (!hasDisk) return context.skip('only root on Linux may mount a disk');
  const world = withEnv(worldAt(sandbox.ready), { FISCAL_STORE_URL: url });
  await inProcess(world, 'store', 'status');
  await fill();
  await control(sandbox.ready, 'faults', { kind: 'slow', operation: 'product.create', delayMs: 50 });
  put(world, 'products.ndjson', products(PRODUCTS, 'FULL'));
  const first = await inProcess(world, ...argv);
  expect([first.exitCode, errorOf(first)]).toMatchObject([5, { code: 'store.full' }]);
  expect(first.stderr).not.toContain('pw-of-owner');
  const early = (await createdSkus(sandbox.ready)).length;
  expect(early).toBeLessThan(PRODUCTS);
  // With space again it goes on, until the disk is full in the middle of its sends.
  await server.query('DROP TABLE ballast', url);
  const again = inProcess(world, ...argv);
  await expect
    .poll(async () => (await createdSkus(sandbox.ready)).length, { timeout: 60_000 })
    .toBeGreaterThan(early);
  await fill();
  const second = await again;
  const created = (await createdSkus(sandbox.ready)).length;
  expect([second.exitCode, errorOf(second)]).toMatchObject([
    5,
    { code: 'job.store_failed', message: expect.stringContaining('no space left') },
  ]);
  expect(created).toBeLessThan(PRODUCTS);
  await server.query('DROP TABLE ballast', url);
  const last = await inProcess(world, ...argv);
  expect([last.exitCode, last.stderr, records(last).at(-1)]).toMatchObject([
    ...[0, last.stderr],
    { succeeded: PRODUCTS, uncertain: 0 },
  ]);
  const skus = await createdSkus(sandbox.ready);
  expect([skus.length, new Set(skus).size]).toEqual([PRODUCTS, PRODUCTS]);
});
