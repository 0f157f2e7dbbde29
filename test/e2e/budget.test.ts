import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  clearFaults,
  createdSkus,
  fiscal,
  holdAnswers,
  killWhenHeld,
  newWorld,
  products,
  put,
  records,
  start,
  withSandbox,
} from './program.js';

/** 10 calls of 0.10 for calls without a company, as those of the registry are. */
const costs = `prices:
  - of: engine
    from: 2020-01-01
    price: 0.10
budgets:
  - amount: 1.00
`;

it('a billed call that a kill interrupts stays counted, and two processes together keep the budget', async () => {
  const { world, ready, stop } = await withSandbox(newWorld());
  try {
    const budget = put(world, 'costs.yaml', costs);
    const first = put(world, 'first.ndjson', products(4, 'A', 'billed'));
    const argv = (file: string) => [
      ...['product', 'apply', '--create-only', file, '--yes', '--concurrency', '2', '--budget', budget, '-o', 'ndjson'],
    ];
    await holdAnswers(ready, 'product.create', { skip: 1 });
    expect((await killWhenHeld(ready, start(world, argv(first)), 2)).signal).toBe('SIGKILL');
    await clearFaults(ready);
    // One was answered; two were on their way.
    const usage = records(await fiscal(world, 'usage', '-o', 'ndjson'));
    expect(usage).toMatchObject([{ operation: 'product.create', billed: 1, unknown: 2 }]);

    const several = ['B', 'C'].map((prefix) => put(world, `${prefix}.ndjson`, products(8, prefix, 'billed')));
    const ends = await Promise.all(
      several.map(async (file, nth) => {
        await pause(nth * 50);
        return await fiscal(world, ...argv(file));
      }),
    );
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([14, 14]);
    // 3 of the first file count, so 7 of the others fit.
    const created = (await createdSkus(ready)).filter((sku) => !sku.startsWith('A'));
    expect(created).toHaveLength(7);
    const sums = records(await fiscal(world, 'usage', '--month', monthNow(), '--budget', budget, '-o', 'ndjson'));
    expect(sums.at(-1)).toMatchObject({ type: 'summary', billed: 8, unknown: 2, cost: '0.8', unknownCost: '0.2' });
  } finally {
    stop();
  }
});

/** In Brasília. */
function monthNow(): string {
  return new Date(Date.now() - 10_800_000).toISOString().slice(0, 7);
}
