import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ended, fiscal, newWorld, start, withSandbox, type World } from './program.js';

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

interface LedgerEntry {
  readonly effect: { readonly created?: string; readonly sku?: string } | null;
}

async function createdSkus(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/__sandbox/ledger?operation=product.create&effects=true&limit=1000`);
  // The ledger's shape is asserted by the sandbox's own tests.
  const { entries } = (await answer.json()) as { entries: LedgerEntry[] };
  return entries.flatMap(({ effect }) => (effect?.created === 'product' ? [effect.sku ?? ''] : []));
}

/** Ends when one more request than `before` has reached the service, or the child is gone. */
async function moreThan(before: number, url: string, child: ChildProcess): Promise<void> {
  while ((await requests(url)) <= before && child.exitCode === null && child.signalCode === null) {
    await pause(5);
  }
}

async function requests(url: string): Promise<number> {
  const status = (await (await fetch(`${url}/__sandbox/status`)).json()) as { requests: number };
  return status.requests;
}

/** A repeatable chain of moments: the same run kills at the same times. */
function moments(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

it('kill -9 at any moment of an import, then the same command again: no product twice, none lost', async () => {
  const { world, ready, stop } = await withSandbox(newWorld());
  try {
    const file = writeProducts(world);
    // Slow enough that the kills find requests in flight.
    await fiscal(
      world,
      'sandbox',
      'fault',
      'add',
      '--kind',
      'slow',
      '--operation',
      'product.create',
      '--delay',
      '40ms',
    );
    const argv = ['product', 'import', file, '--concurrency', String(CONCURRENCY), '-o', 'ndjson', '--yes'];
    const next = moments(7);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = await requests(ready.url);
      const child = start(world, argv);
      const end = ended(child);
      // However slow the machine is, work is on its way then.
      await moreThan(before + Math.floor(next() * 15), ready.url, child);
      child.kill('SIGKILL');
      await end;
    }
    const last = await fiscal(world, ...argv, '--wait');
    const records = last.stdout
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line));
    const summary = records.at(-1) ?? {};
    const asking = records.filter((record) => record['state'] === 'uncertain');
    const skus = await createdSkus(ready.url);

    expect(new Set(skus).size).toBe(skus.length);
    expect(records.filter((record) => record['type'] === 'item').length).toBe(PRODUCTS);
    expect(Number(summary['succeeded']) + asking.length).toBe(PRODUCTS);
    expect(asking.length).toBeGreaterThan(0);
    // Only a request in flight at a kill may ask a person.
    expect(asking.length).toBeLessThanOrEqual(KILLS * CONCURRENCY);
    const unasked = records
      .filter((record) => record['state'] === 'succeeded')
      .map((record) => record['label']);
    expect(unasked.filter((label) => !skus.some((sku) => String(label).includes(sku)))).toEqual([]);
    expect(last.stderr).not.toContain('Warning');
    expect(last.exitCode).toBe(asking.length > 0 ? 3 : 0);
  } finally {
    stop();
  }
}, 120_000);
