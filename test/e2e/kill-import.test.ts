import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  clearFaults,
  createdSkus,
  fiscal,
  holdAnswers,
  killWhenHeld,
  newWorld,
  start,
  withSandbox,
  type World,
} from './program.js';

const PRODUCTS = 200;
const KILLS = 12;
/** More than Node's ten listeners: it must not take them for a leak. */
const CONCURRENCY = 12;

function writeProducts(world: World): string {
  const path = join(world.root, 'products.ndjson');
  const lines = Array.from({ length: PRODUCTS }, (_, index) =>
    JSON.stringify({
      sku: `SKU-${index + 1}`,
      description: `Product ${index + 1}`,
      origin: 'National',
      customTax: [{ operationCode: 121, intraState: { cfop: '5102', icms: { cst: '00', pICMS: '18.00' } } }],
    }),
  );
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** A repeatable chain of moments: the same run kills at the same times. */
function moments(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

it('kill -9 at any moment of an import, then the same command: no product twice, none lost', async () => {
  const { world, ready, stop } = await withSandbox(newWorld());
  try {
    const file = writeProducts(world);
    const argv = [
      'product',
      'apply',
      '--create-only',
      file,
      '--concurrency',
      String(CONCURRENCY),
      '-o',
      'ndjson',
      '--yes',
    ];
    const next = moments(7);
    for (let kill = 0; kill < KILLS; kill += 1) {
      // Few enough answers that there are products left for all the kills.
      await holdAnswers(ready, 'product.create', { skip: Math.floor(next() * 5), slowMs: 40 });
      expect((await killWhenHeld(ready, start(world, argv))).signal).toBe('SIGKILL');
    }
    await clearFaults(ready);
    const last = await fiscal(world, ...argv, '--wait');
    const records = last.stdout
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line));
    const summary = records.at(-1) ?? {};
    const asking = records.filter((record) => record['state'] === 'uncertain');
    const skus = await createdSkus(ready);

    expect(new Set(skus).size).toBe(skus.length);
    expect(records.filter((record) => record['type'] === 'item').length).toBe(PRODUCTS);
    expect(Number(summary['succeeded']) + asking.length).toBe(PRODUCTS);
    // Only a request in flight at a kill may ask a person, and each kill met one at least.
    expect(asking.length).toBeGreaterThanOrEqual(KILLS);
    expect(asking.length).toBeLessThanOrEqual(KILLS * CONCURRENCY);
    const unasked = records.filter((record) => record['state'] === 'succeeded').map((record) => record['label']);
    expect(unasked.filter((label) => !skus.some((sku) => String(label).includes(sku)))).toEqual([]);
    expect(last.stderr).not.toContain('Warning');
    expect(last.exitCode).toBe(asking.length > 0 ? 3 : 0);
  } finally {
    stop();
  }
});
