import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  control,
  errorOf,
  inProcess as fiscal,
  newWorld,
  product,
  put,
  records,
  type ReadyLine,
  withSandbox,
  worldAt,
} from './program.js';

let ready: ReadyLine;
let stop: () => void;

beforeAll(async () => {
  ({ ready, stop } = await withSandbox(newWorld()));
});
afterAll(() => stop());

test('a product that was created without waiting is found the next day and followed to its end', async () => {
  const world = worldAt(ready);
  await control(ready, 'clock', { freeze: true });
  const created = await fiscal(world, 'product', 'create', '--file', put(world, 'p.json', product('DAY-1', 'billed')));
  const { id, jobId, status } = JSON.parse(created.stdout) as Record<string, string>;
  expect([created.exitCode, status]).toEqual([0, 'Created']);
  expect(created.stderr).toContain('the tax engine bills this call');
  const [job] = records(await fiscal(world, 'job', 'list', '-o', 'ndjson'));
  expect(job).toMatchObject({ id: jobId, state: 'open', items: 1, done: 0 });

  await control(ready, 'clock', { freeze: false });
  await control(ready, 'clock', { advance: '1d' });
  const resumed = await fiscal(world, 'job', 'resume', String(jobId), '--wait', '-o', 'ndjson');
  expect([resumed.exitCode, ...records(resumed)]).toMatchObject([
    0,
    { type: 'item', label: 'DAY-1', state: 'succeeded', status: 'Active', productId: id },
    { type: 'summary', jobId, total: 1, succeeded: 1, billedCalls: 0, exitCode: 0 },
  ]);
  const [known] = records(await fiscal(world, 'product', 'list', '-o', 'ndjson'));
  expect(known).toMatchObject({ id, sku: 'DAY-1', status: 'Active' });
  const [after] = records(await fiscal(world, 'job', 'list', '-o', 'ndjson'));
  expect(after).toMatchObject({ id: jobId, state: 'done', done: 1 });
});

test('a product with wrong rules exits 13 with the reason and the next command', async () => {
  const world = worldAt(ready);
  const wrong = product('DAY-2', 'billed').replace('5102', '9999');
  const ended = await fiscal(world, 'product', 'create', '--file', put(world, 'p.json', wrong), '--wait');
  expect([ended.exitCode, ended.stdout]).toEqual([13, '']);
  expect(errorOf(ended)).toMatchObject({ code: 'outcome.ended_badly', sent: 'yes', exitCode: 13 });
  expect(String(errorOf(ended)['message'])).toMatch(/ended as Error: .*9999/);
  expect(String(errorOf(ended)['hint'])).toContain('fiscal product update');
});

test('a wall clock that jumped since an earlier run is reported once, in the language of the user', async () => {
  const world = worldAt(ready);
  const create = async (sku: string, ...words: string[]) =>
    await fiscal(world, 'product', 'create', '--file', put(world, 'p.json', product(sku)), ...words);
  expect((await create('JUMP-1')).stderr).not.toContain('jumped');
  const jump = (sql: string) => {
    const database = new Sqlite(join(world.env['FISCAL_STATE_DIR'] ?? '', 'state.db'));
    database.exec(`UPDATE timeline SET wall_offset_ms = wall_offset_ms ${sql}`);
    database.close();
  };
  jump('- 3600000');
  const forward = await create('JUMP-2');
  expect([forward.exitCode, forward.stderr]).toEqual([
    0,
    expect.stringContaining('the clock of this machine has jumped forward by 60 min since an earlier run'),
  ]);
  expect((await create('JUMP-3')).stderr).not.toContain('jumped');
  jump('+ 90000');
  const back = await create('JUMP-4', '--lang', 'pt-BR');
  expect(back.stderr).toContain('o relógio desta máquina saltou 90 s para trás desde uma execução anterior');
});
