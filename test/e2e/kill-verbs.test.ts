import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import {
  clearFaults,
  createdSkus,
  ended,
  fiscal,
  inProcess,
  holdAnswers,
  killWhenHeld,
  newWorld,
  products,
  put,
  records,
  start,
  withSandbox,
  type ReadyLine,
  type World,
} from './program.js';

const PRODUCTS = 60;

/** How many items stand in these states, read beside the program. */
function itemsIn(world: World, ...states: string[]): number {
  const path = join(world.env['FISCAL_STATE_DIR'] ?? '', 'state.db');
  const database = new Sqlite(path, { readonly: true, timeout: 1_000 });
  const list = states.map((state) => `'${state}'`).join(', ');
  const count = database.prepare(`SELECT count(*) FROM items WHERE replaced = 0 AND state IN (${list})`).pluck().get();
  database.close();
  return Number(count);
}

/** Runs the program and kills it as soon as something is so. False: it ended before. */
async function killedWhen(world: World, argv: readonly string[], isSo: () => boolean): Promise<boolean> {
  const child = start(world, argv);
  const end = ended(child);
  while (child.exitCode === null && !isSo()) await pause(1);
  child.kill('SIGKILL');
  return (await end).signal === 'SIGKILL';
}

/** Kills the program while answers to its requests are held, after so many were given. */
async function killWhileSending(
  world: World,
  ready: ReadyLine,
  argv: readonly string[],
  answered: number,
): Promise<void> {
  await holdAnswers(ready, 'product.create', { skip: answered, slowMs: 40 });
  expect((await killWhenHeld(ready, start(world, argv))).signal).toBe('SIGKILL');
}

it('job cancel, resume and resolve, killed at three points each: the same command continues', async () => {
  const { world, ready, stop } = await withSandbox(newWorld());
  try {
    const many = 3_000;
    const file = put(world, 'products.ndjson', products(many, 'W'));
    const importing = ['product', 'apply', '--create-only', file, '--concurrency', '2', '-o', 'ndjson', '--yes'];
    await killWhileSending(world, ready, importing, 10);
    const [job] = records(await inProcess(world, 'job', 'list', '-o', 'ndjson'));
    const id = String(job?.['id']);

    const resume = ['job', 'resume', id, '--concurrency', '2', '-o', 'ndjson'];
    for (let kill = 0; kill < 3; kill += 1) await killWhileSending(world, ready, resume, 15);
    await clearFaults(ready);

    // Its pages of items are cancelled one after another.
    const cancel = ['job', 'cancel', id, '--yes', '-o', 'json'];
    const kills: boolean[] = [];
    for (const count of [1, 600, 1_600]) {
      kills.push(await killedWhen(world, cancel, () => itemsIn(world, 'cancelled') >= count));
    }
    expect(kills).toContain(true);
    const ended = await fiscal(world, ...cancel);
    expect([ended.exitCode, itemsIn(world, 'prepared')]).toEqual([0, 0]);

    await inProcess(world, 'job', 'resume', id, '-o', 'ndjson');
    const there = new Set(await createdSkus(ready));
    const isThere = (row: Record<string, unknown>) => there.has(String(row['label']).split(' ')[0] ?? '');
    const uncertain = records(await inProcess(world, 'job', 'items', id, '--state', 'uncertain', '-o', 'ndjson'));
    // Each kill met one request at least that had no answer.
    expect(uncertain.length).toBeGreaterThanOrEqual(4);
    for (const [index, row] of uncertain.entries()) {
      const resolve = ['job', 'resolve', String(row['id']), '--as', isThere(row) ? 'succeeded' : 'failed'];
      const startedAt = Date.now();
      // At its beginning, while it opens the store, and as soon as its answer is written.
      if (index === 0) await killedWhen(world, resolve, () => true);
      if (index === 1) await killedWhen(world, resolve, () => Date.now() - startedAt > 250);
      if (index === 2) {
        const left = uncertain.length - index;
        await killedWhen(world, resolve, () => itemsIn(world, 'uncertain') < left);
      }
      expect((await inProcess(world, ...resolve)).exitCode).toBe(0);
    }
    // Where all of them had arrived, no item failed.
    const failed = itemsIn(world, 'failed');
    expect(failed).toBe(uncertain.filter((row) => !isThere(row)).length);
    const { exitCode } = await fiscal(world, 'job', 'resume', id, '--wait', '-o', 'ndjson');
    expect(exitCode).toBe(failed > 0 ? 3 : 0);
    expect(itemsIn(world, 'uncertain', 'sending', 'prepared', 'pending')).toBe(0);
    expect([itemsIn(world, 'succeeded'), (await createdSkus(ready)).length]).toEqual([there.size, there.size]);
  } finally {
    stop();
  }
});

it('job cancel and job resume --failed, killed midway: the same command continues and finishes, nothing twice', async () => {
  const { world, ready, stop } = await withSandbox(newWorld());
  try {
    const file = put(world, 'products.ndjson', products(PRODUCTS, 'V'));
    const lanes = ['--concurrency', '2', '-o', 'ndjson'];
    await killWhileSending(world, ready, ['product', 'apply', '--create-only', file, ...lanes, '--yes'], 8);
    const [job] = records(await inProcess(world, 'job', 'list', '-o', 'ndjson'));
    const id = String(job?.['id']);
    expect((await inProcess(world, 'job', 'cancel', id, '--yes')).exitCode).toBe(0);

    const retry = ['job', 'resume', '--failed', id, ...lanes, '--yes'];
    for (let kill = 0; kill < 3; kill += 1) await killWhileSending(world, ready, retry, 6);
    await clearFaults(ready);
    const last = await fiscal(world, ...retry, '--wait');
    expect(last.stderr).toContain('were left open by an earlier run and are continued');
    expect(last.exitCode).toBe(3);

    const there = new Set(await createdSkus(ready));
    const uncertain = records(last).filter(({ state }) => state === 'uncertain');
    expect(uncertain.length).toBeGreaterThan(0);
    const rows = records(await inProcess(world, 'job', 'items', id, '--state', 'uncertain', '-o', 'ndjson'));
    for (const row of rows) {
      const sku = String(row['label']).split(' ')[0] ?? '';
      const said = there.has(sku) ? ['--as', 'succeeded'] : ['--as', 'not-sent', '--yes'];
      for (const _twice of [1, 2]) {
        expect((await inProcess(world, 'job', 'resolve', String(row['id']), ...said)).exitCode).toBe(0);
      }
    }
    const end = await fiscal(world, 'job', 'resume', id, '--wait', '-o', 'ndjson');
    const summary = records(end).at(-1);
    expect([end.exitCode, summary?.['succeeded'], summary?.['total']]).toEqual([0, PRODUCTS, PRODUCTS]);
    const skus = await createdSkus(ready);
    expect(skus.length).toBe(PRODUCTS);
    expect(new Set(skus).size).toBe(PRODUCTS);

    const nothing = await inProcess(world, ...retry);
    expect(nothing.exitCode).toBe(10);
  } finally {
    stop();
  }
});
