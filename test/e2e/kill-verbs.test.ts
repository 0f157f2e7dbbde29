import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  control,
  createdSkus,
  ended,
  fiscal,
  ledger,
  newWorld,
  products,
  put,
  records,
  start,
  withSandbox,
  type ReadyLine,
} from './program.js';

const PRODUCTS = 60;

async function untilMore(ready: ReadyLine, count: number, child: ChildProcess): Promise<void> {
  const before = (await ledger(ready)).length;
  while (child.exitCode === null && (await ledger(ready)).length < before + count) await pause(5);
}

it('job cancel and job retry, killed in the middle: the same command goes on and ends, nothing twice', async () => {
  const { world, ready, stop } = await withSandbox(newWorld());
  try {
    const killed = async (requests: number, ...argv: string[]) => {
      const child = start(world, argv);
      const end = ended(child);
      await untilMore(ready, requests, child);
      child.kill('SIGKILL');
      expect((await end).signal).toBe('SIGKILL');
    };
    await control(ready, 'faults', { kind: 'slow', operation: 'product.create', delayMs: 60 });
    const file = put(world, 'products.ndjson', products(PRODUCTS, 'V'));
    const lanes = ['--concurrency', '4', '-o', 'ndjson'];
    await killed(8, 'product', 'import', file, ...lanes, '--yes');
    const [job] = records(await fiscal(world, 'job', 'list', '-o', 'ndjson'));
    const id = String(job?.['id']);
    expect((await fiscal(world, 'job', 'cancel', id, '--yes')).exitCode).toBe(0);

    const retry = ['job', 'retry', id, ...lanes, '--yes'];
    for (let kill = 0; kill < 3; kill += 1) await killed(6, ...retry);
    const last = await fiscal(world, ...retry, '--wait');
    expect(last.stderr).toContain('were left open by an earlier run and go on');
    expect(last.exitCode).toBe(3);

    const there = new Set(await createdSkus(ready));
    const uncertain = records(last).filter(({ state }) => state === 'uncertain');
    expect(uncertain.length).toBeGreaterThan(0);
    const rows = records(await fiscal(world, 'job', 'items', id, '--state', 'uncertain', '-o', 'ndjson'));
    for (const row of rows) {
      const sku = String(row['label']).split(' ')[0] ?? '';
      const said = there.has(sku) ? ['--as', 'succeeded'] : ['--as', 'not-sent', '--yes'];
      for (const _twice of [1, 2]) {
        expect((await fiscal(world, 'job', 'resolve', String(row['id']), ...said)).exitCode).toBe(0);
      }
    }
    const end = await fiscal(world, 'job', 'resume', id, '--wait', '-o', 'ndjson');
    const summary = records(end).at(-1);
    expect([end.exitCode, summary?.['succeeded'], summary?.['total']]).toEqual([0, PRODUCTS, PRODUCTS]);
    const skus = await createdSkus(ready);
    expect(skus.length).toBe(PRODUCTS);
    expect(new Set(skus).size).toBe(PRODUCTS);

    const nothing = await fiscal(world, ...retry);
    expect(nothing.exitCode).toBe(10);
  } finally {
    stop();
  }
}, 120_000);
