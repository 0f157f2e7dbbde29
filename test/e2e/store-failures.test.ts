import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  clearFaults,
  control,
  createdSkus,
  type Ended,
  ended,
  errorOf,
  inProcess,
  product,
  products,
  put,
  type ReadyLine,
  records,
  newWorld,
  withSandbox,
  worldAt,
  type World,
} from './program.js';

const program = join(import.meta.dirname, '../../bin/fiscal.js');
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

let ready: ReadyLine;
let stop: () => void;
beforeAll(async () => {
  ({ ready, stop } = await withSandbox(newWorld()));
});
afterAll(() => stop());

const count = 150;

async function skusOf(prefix: string): Promise<readonly string[]> {
  return (await createdSkus(ready)).filter((sku) => sku.startsWith(prefix));
}

/** Starts an import through a line of the shell, so that its limits hold for this process alone. */
function importUnder(world: World, shell: string, user?: number) {
  const who = user === undefined ? {} : { uid: user, gid: user };
  return spawn('bash', ['-c', `${shell}; exec "$0" "$@"`, process.execPath, program, ...argvOf], {
    cwd: join(world.root, 'work'),
    env: world.env,
    ...who,
  });
}

const argvOf = ['product', 'apply', '--create-only', 'p.ndjson', '--concurrency', '4', '--yes', '-o', 'ndjson'];

/** The run ended 5 with true numbers, and the same command, once the store can be written, ends without anything twice. */
async function goesOn(world: World, prefix: string, first: Ended, user?: number): Promise<void> {
  const { code, exitCode, message, sent, retryable, resume } = errorOf(first);
  expect([first.exitCode, exitCode, code, retryable]).toEqual([5, 5, 'job.store_failed', true]);
  expect(first.stderr).not.toMatch(/\n\s+at /);
  const [, sends, unknown] = /(\d+) .*?(\d+)/.exec(String(message)) ?? [];
  const there = await skusOf(prefix);
  expect(there.length).toBeGreaterThan(0);
  expect(there.length).toBeLessThan(count);
  expect(Number(sends)).toBe(there.length);
  expect(sent).toBe(Number(unknown) > 0 ? 'unknown' : 'yes');
  expect(String(resume)).toContain('fiscal product apply');
  await clearFaults(ready);
  const second = await ended(importUnder(world, 'true', user));
  const summary = records(second).at(-1) ?? {};
  const skus = await skusOf(prefix);
  expect(new Set(skus).size).toBe(skus.length);
  expect(Number(summary['succeeded']) + Number(summary['pending']) + Number(summary['uncertain'])).toBe(count);
  expect(Number(summary['uncertain'])).toBeLessThanOrEqual(4);
  // What is uncertain was sent and not written down: it exists, once.
  expect(skus.length).toBe(count);
}

async function slowly(prefix: string): Promise<World> {
  const world = worldAt(ready);
  put(world, 'p.ndjson', products(count, prefix));
  await control(ready, 'faults', { operation: 'product.create', kind: 'slow', delayMs: 20 });
  return world;
}

// With each size the write that fails is another one: of a claim, of an answer, of a lease, of the history.
test.each([900, 1100, 1500, 1700])(
  'a file size limit of %i kB, reached during an import: exit 5 with counts, and it continues',
  async (size) => {
    const world = await slowly(`LIMIT${size}`);
    const first = await ended(importUnder(world, `ulimit -f ${size}`));
    await goesOn(world, `LIMIT${size}`, first);
  },
);

test.skipIf(!isRoot)(
  'a state folder that becomes read-only during an import: exit 5 with counts, and it continues',
  async () => {
    const world = await slowly('CLOSED');
    const state = join(world.root, 'state');
    spawnSync('chown', ['-R', `${nobody}`, world.root]);
    const end = ended(importUnder(world, 'true', nobody));
    while ((await skusOf('CLOSED')).length < 5) await pause(5);
    chmodSync(state, 0o000);
    const first = await end;
    chmodSync(state, 0o700);
    await goesOn(world, 'CLOSED', first, nobody);
  },
);

/** A world with one known product, whose state folder this user, or everybody, can only read. */
async function readOnlyWorld(sku: string): Promise<{ world: World; id: string; free(): void }> {
  const world = worldAt(ready);
  const state = join(world.root, 'state');
  mkdirSync(state, { mode: 0o700 });
  if (isRoot) spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=700', 'tmpfs', state]);
  const created = await inProcess(
    world,
    'product',
    'create',
    '--file',
    put(world, 'p.json', product(sku)),
    '-o',
    'json',
  );
  const { id } = JSON.parse(created.stdout) as { id: string };
  if (isRoot) spawnSync('mount', ['-o', 'remount,ro', state]);
  else chmodSync(state, 0o500);
  const free = () => (isRoot ? spawnSync('umount', [state]) : chmodSync(state, 0o700));
  expect(() => writeFileSync(join(state, 'probe'), '')).toThrow();
  return { world, id, free: () => void free() };
}

test('a read-only state folder allows reads, is reported once, and refuses each write before it is sent', async () => {
  const { world, id, free } = await readOnlyWorld('READ-1');
  const state = join(world.root, 'state');
  const before = readdirSync(state).map((name) => [name, readFileSync(join(state, name)).length]);
  try {
    const reads = [
      ['lookup', 'cnpj', '11222333000181'],
      ['inbound', 'list', '--type', 'nfe'],
      ['product', 'get', id],
      ['product', 'list'],
      ['company', 'list'],
      ['job', 'list', '--all'],
      ['history'],
      ['product', 'apply', '--create-only', put(world, 'more.ndjson', products(2, 'READ-MORE')), '--dry-run'],
    ];
    for (const argv of reads) {
      const { exitCode, stderr, stdout } = await inProcess(world, ...argv, '-o', 'json');
      expect([argv.join(' '), exitCode, stderr]).toEqual([
        argv.join(' '),
        0,
        expect.stringContaining('this run only reads'),
      ]);
      expect(stderr.split('this run only reads').length).toBe(2);
      expect(stdout).not.toBe('');
    }
    const listed = await inProcess(world, 'product', 'list', '-o', 'json');
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id }]);
    const requests = async () =>
      ((await (await fetch(`${ready.url}/__sandbox/status`)).json()) as { requests: number }).requests;
    const sent = await requests();
    const writes = [
      ['product', 'create', '--file', put(world, 'q.json', product('READ-2'))],
      ['product', 'apply', '--create-only', 'more.ndjson', '--yes'],
      ['product', 'revalidate', id],
      ['webhook', 'ping', 'w-1'],
      ['webhook', 'listen', '--port', '0'],
      ['api', 'POST', '/v2/companies', '--data-file', put(world, 'c.json', '{}'), '--yes'],
    ];
    for (const argv of writes) {
      const result = await inProcess(world, ...argv, '-o', 'json');
      expect([argv.join(' '), result.exitCode, result.stdout]).toEqual([argv.join(' '), 2, '']);
      expect(errorOf(result)).toMatchObject({ code: 'store.unwritable', sent: 'no' });
    }
    expect(await requests()).toBe(sent);
    expect(readdirSync(state).map((name) => [name, readFileSync(join(state, name)).length])).toEqual(before);
  } finally {
    free();
  }
});

test('rows that are only in the WAL are read too, with or without its index', async () => {
  const world = worldAt(ready);
  const state = join(world.root, 'state');
  put(world, 'p.ndjson', products(3, 'JOURNAL'));
  await control(ready, 'faults', { operation: 'product.create', kind: 'slow', delayMs: 400 });
  const child = importUnder(world, 'true');
  const end = ended(child);
  while ((await skusOf('JOURNAL')).length < 1) await pause(5);
  child.kill('SIGKILL');
  await end;
  await clearFaults(ready);
  expect(existsSync(join(state, 'state.db-wal'))).toBe(true);
  const copy = join(world.root, 'copy');
  for (const isIndexed of [true, false]) {
    mkdirSync(copy);
    if (isRoot) spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32m,mode=700', 'tmpfs', copy]);
    spawnSync('sh', ['-c', `cp ${state}/* ${copy}/`]);
    if (!isIndexed) rmSync(join(copy, 'state.db-shm'));
    if (isRoot) spawnSync('mount', ['-o', 'remount,ro', copy]);
    else chmodSync(copy, 0o500);
    const list = await inProcess(
      { ...world, env: { ...world.env, FISCAL_STATE_DIR: copy } },
      'job',
      'list',
      '-o',
      'json',
    );
    expect([list.exitCode, JSON.parse(list.stdout).length]).toEqual([0, 1]);
    if (isRoot) spawnSync('umount', [copy]);
    else chmodSync(copy, 0o700);
    rmSync(copy, { recursive: true });
  }
});
