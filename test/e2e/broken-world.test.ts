import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import Database from 'better-sqlite3';
import { builtProgram } from '../support/built-program.js';
import {
  clearFaults,
  control,
  createdSkus,
  ended,
  errorOf,
  inProcess,
  ledger,
  newWorld,
  product,
  products,
  put,
  records,
  type ReadyLine,
  start,
  withEnv,
  withSandbox,
  type World,
  worldAt,
} from './program.js';

let ready: ReadyLine;
let stop: () => void;

beforeAll(async () => {
  ({ ready, stop } = await withSandbox(newWorld()));
});
afterAll(() => stop());

/** Creates a product where that is not possible: one sentence, and nothing was sent. */
async function create(world: World, sku: string): Promise<Record<string, unknown>> {
  const ended = await inProcess(world, 'product', 'create', '--file', put(world, 'p.json', product(sku)));
  const error = errorOf(ended);
  expect([ended.exitCode, ended.stdout]).toEqual([error['exitCode'], '']);
  expect(ended.stderr).not.toMatch(/\n\s+at /);
  expect(await createdSkus(ready)).not.toContain(sku);
  return error;
}

function stateOf(world: World): string {
  const folder = join(world.root, 'state');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, 'state.db');
}

test('a state folder below a file is reported with the next step', async () => {
  const world = worldAt(ready);
  const below = join(put(world, 'a-file', 'x'), 'state');
  const error = await create(withEnv(world, { FISCAL_STATE_DIR: below }), 'WORLD-1');
  expect(error).toMatchObject({ code: 'store.unwritable', exitCode: 2 });
  expect(String(error['message'])).toContain(below);
  expect(String(error['hint'])).toContain('fiscal doctor');
});

// Root may write anywhere: only a read-only mount would stop it.
test.skipIf(process.getuid?.() === 0)('a state folder without write permission is reported', async () => {
  const world = worldAt(ready);
  mkdirSync(join(world.root, 'state'), { mode: 0o500 });
  expect(await create(world, 'WORLD-2')).toMatchObject({ code: 'store.unwritable', exitCode: 2 });
  chmodSync(join(world.root, 'state'), 0o700);
});

test('a damaged store is reported, not changed, and explained by doctor', async () => {
  const world = worldAt(ready);
  const path = stateOf(world);
  const garbage = Buffer.alloc(20_000, 'no database ');
  writeFileSync(path, garbage, { mode: 0o600 });
  expect(await create(world, 'WORLD-3')).toMatchObject({ code: 'store.damaged', exitCode: 2 });
  const doctor = await inProcess(world, 'doctor', '-o', 'json');
  expect(JSON.parse(doctor.stdout)).toContainEqual(
    expect.objectContaining({
      check: 'store',
      status: 'problem',
      advice: expect.objectContaining({ en: expect.stringContaining('backup') }),
    }),
  );
  expect(readFileSync(path).equals(garbage)).toBe(true);
});

test('a store with a damaged page is reported too', async () => {
  const world = worldAt(ready);
  await inProcess(world, 'product', 'create', '--file', put(world, 'p.json', product('WORLD-4')));
  const bytes = readFileSync(stateOf(world));
  bytes.fill('x', 4096);
  for (const ending of ['-wal', '-shm']) spawnSync('rm', ['-f', `${stateOf(world)}${ending}`]);
  writeFileSync(stateOf(world), bytes);
  expect(await create(world, 'WORLD-5')).toMatchObject({ code: 'store.damaged', exitCode: 2 });
});

test('a store of a newer program is not changed', async () => {
  const world = worldAt(ready);
  await inProcess(world, 'product', 'create', '--file', put(world, 'p.json', product('WORLD-6')));
  const database = new Database(stateOf(world));
  database.pragma('user_version = 999');
  database.close();
  copyFileSync(stateOf(world), join(world.root, 'copy.db'));
  expect(await create(world, 'WORLD-7')).toMatchObject({ code: 'store.newer', exitCode: 2 });
  expect(readFileSync(stateOf(world)).equals(readFileSync(join(world.root, 'copy.db')))).toBe(true);
});

test('a damaged configuration names its file, and is not replaced', async () => {
  const world = worldAt(ready);
  const path = join(world.root, 'config', 'config.json');
  mkdirSync(join(world.root, 'config'));
  writeFileSync(path, '{"profiles": [');
  const error = await create(world, 'WORLD-8');
  expect(error).toMatchObject({ code: 'config.invalid', exitCode: 2, sent: 'no' });
  expect([String(error['message']).includes(path), readFileSync(path, 'utf8')]).toEqual([true, '{"profiles": [']);
});

const mounted = process.getuid?.() === 0 && canMount();

// Only root can mount a file system that is small enough to be filled.
test.skipIf(!mounted)(
  'a full disk stops the import before the next send: nothing is sent before it is written',
  async () => {
    const world = worldAt(ready);
    const folder = join(world.root, 'state');
    mkdirSync(folder);
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=320k,mode=700', 'tmpfs', folder]);
    try {
      put(world, 'p.ndjson', products(2000, 'FULL'));
      const result = await inProcess(world, 'product', 'apply', '--create-only', 'p.ndjson', '-o', 'ndjson');
      expect([result.exitCode, result.stdout]).toEqual([5, '']);
      expect(errorOf(result)).toMatchObject({ code: 'store.full' });
      expect((await createdSkus(ready)).filter((sku) => sku.startsWith('FULL'))).toEqual([]);
    } finally {
      spawnSync('umount', [folder]);
    }
  },
);

test.skipIf(!mounted)(
  'a disk that fills up during an import loses nothing: with space again it continues',
  async () => {
    const world = worldAt(ready);
    const folder = join(world.root, 'state');
    mkdirSync(folder);
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=700', 'tmpfs', folder]);
    try {
      put(world, 'p.ndjson', products(1000, 'FILLED'));
      await control(ready, 'faults', { operation: 'product.create', kind: 'slow', delayMs: 5 });
      const argv = ['product', 'apply', '--create-only', 'p.ndjson', '-o', 'ndjson'];
      const end = ended(start(world, argv));
      while (!(await createdSkus(ready)).includes('FILLED-1')) await pause(5);
      spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'ballast')}`, 'bs=64k'], { stdio: 'ignore' });
      const first = await end;
      expect([first.exitCode, errorOf(first)['code']]).toEqual([5, 'job.store_failed']);
      expect(records(first).at(-1)).toMatchObject({
        type: 'summary',
        stopped: 'store-failed',
        exitCode: 5,
        succeeded: 0,
      });
      expect(first.stderr).not.toMatch(/\n\s+at /);
      rmSync(join(folder, 'ballast'));
      const second = await inProcess(world, ...argv, '--wait');
      const skus = (await createdSkus(ready)).filter((sku) => sku.startsWith('FILLED'));
      expect([new Set(skus).size, records(second).at(-1)]).toMatchObject([skus.length, { total: 1000 }]);
      const { succeeded, uncertain } = records(second).at(-1) ?? {};
      expect(Number(succeeded) + Number(uncertain)).toBe(1000);
    } finally {
      spawnSync('umount', [folder]);
      await clearFaults(ready);
    }
  },
);

function canMount(): boolean {
  const folder = join(newWorld().root, 'mount');
  mkdirSync(folder);
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status === 0;
  if (isMounted) spawnSync('umount', [folder]);
  return isMounted;
}

test('a reader that closes the pipe after one line ends the program quietly', async () => {
  const world = worldAt(ready);
  put(world, 'p.ndjson', products(300, 'PIPE'));
  await inProcess(world, 'product', 'apply', '--create-only', 'p.ndjson', '--concurrency', '20', '-o', 'ndjson');
  const before = (await ledger(ready)).length;
  const line = `"$0" "$1" product list -q -o ndjson; echo "ended $?" >&2`;
  const shell = spawn('sh', ['-c', `(${line}) | head -1`, process.execPath, builtProgram], {
    cwd: world.root,
    env: world.env,
  });
  const { stdout, stderr } = await ended(shell);
  expect([stdout.split('\n').length, stderr]).toEqual([2, 'ended 0\n']);
  expect((await ledger(ready)).length).toBe(before);
});
