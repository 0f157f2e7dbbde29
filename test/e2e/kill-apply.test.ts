import { expect, it } from 'vitest';
import {
  clearFaults,
  fiscal,
  inProcess,
  holdAnswers,
  killWhenHeld,
  newWorld,
  put,
  start,
  withSandbox,
  type World,
} from './program.js';

const CREATED = 40;
const OLD = 40;
const KILLS = 8;
const CONCURRENCY = 3;

type Row = Readonly<Record<string, unknown>>;

function lineOf(sku: string, rate: string): string {
  const icms = { cst: '00', pICMS: rate };
  const customTax = [{ operationCode: 121, intraState: { cfop: '5102', icms } }];
  return `${JSON.stringify({ sku, description: sku, origin: 'National', customTax })}\n`;
}

const oldSkus = Array.from({ length: OLD }, (_, index) => `OLD-${index + 1}`);
const newSkus = Array.from({ length: CREATED }, (_, index) => `NEW-${index + 1}`);

interface LedgerEntry {
  readonly path: string;
  readonly effect: { readonly created?: string; readonly id?: string; readonly sku?: string } | null;
}

async function ledger(url: string, filter: string): Promise<readonly LedgerEntry[]> {
  const answer = await fetch(`${url}/__sandbox/ledger?${filter}&limit=1000`);
  // The ledger's shape is asserted by the sandbox's own tests.
  const { entries } = (await answer.json()) as { entries: LedgerEntry[] };
  return entries;
}

/** The ids that the ledger has for each SKU. */
async function createdAt(url: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const ids = new Map<string, readonly string[]>();
  for (const { effect } of await ledger(url, 'operation=product.create&effects=true')) {
    if (effect?.created !== 'product' || effect.sku === undefined) continue;
    ids.set(effect.sku, [...(ids.get(effect.sku) ?? []), effect.id ?? '']);
  }
  return ids;
}

function rowsOf(stdout: string): readonly Row[] {
  return stdout
    .trim()
    .split('\n')
    .map((line): Row => JSON.parse(line));
}

/** A person looks at the service and says what became of each request in doubt. */
async function resolveAll(world: World, url: string, rows: readonly Row[]): Promise<void> {
  const ids = await createdAt(url);
  for (const row of rows) {
    if (row['state'] !== 'uncertain') continue;
    const [, , , item = ''] = String(row['next']).split(' ');
    const isUpdate = row['productId'] !== undefined;
    const [found] = isUpdate ? [] : (ids.get(String(row['label'])) ?? []);
    const said = found === undefined ? ['--as', 'not-sent', '--yes'] : ['--as', 'succeeded', '--resource', found];
    expect((await inProcess(world, 'job', 'resolve', item, ...said)).exitCode).toBe(0);
  }
}

it('kill -9 during an apply, then the same command: one product per SKU, every update made', async () => {
  const { world, ready, stop } = await withSandbox(newWorld());
  try {
    const before = put(world, 'before.ndjson', oldSkus.map((sku) => lineOf(sku, '18.00')).join(''));
    expect((await inProcess(world, 'product', 'apply', before, '--yes', '--wait')).exitCode).toBe(0);
    const wanted = [...oldSkus, ...newSkus].map((sku) => lineOf(sku, '12.00')).join('');
    const file = put(world, 'products.ndjson', wanted);
    const argv = ['product', 'apply', file, '--concurrency', String(CONCURRENCY), '-o', 'ndjson', '--yes'];
    for (let kill = 0; kill < KILLS; kill += 1) {
      // First among the creates, then among the updates; of each there are enough for its half of the kills.
      const isCreate = kill < KILLS / 2;
      const skip = kill % (KILLS / 2);
      await holdAnswers(ready, isCreate ? 'product.create' : 'product.update', { skip, slowMs: 40 });
      expect((await killWhenHeld(ready, start(world, argv))).signal).toBe('SIGKILL');
    }
    await clearFaults(ready);
    const asking = await fiscal(world, ...argv, '--wait');
    const uncertain = rowsOf(asking.stdout).filter((row) => row['state'] === 'uncertain');
    expect(asking.exitCode).toBe(3);
    // Only a request in flight at a kill asks a person: each kill among the creates met one. An update that arrived is
    // found by reading the product, so one that asks was killed on its way to the service.
    const updates = uncertain.filter((row) => row['productId'] !== undefined);
    const updated = (await ledger(ready.url, 'operation=product.update')).map(({ path }) => path);
    expect(updates.filter((row) => updated.some((path) => path.endsWith(`/${String(row['productId'])}`)))).toEqual([]);
    expect(uncertain.length - updates.length).toBeGreaterThanOrEqual(KILLS / 2);
    expect(uncertain.length).toBeLessThanOrEqual(KILLS * CONCURRENCY);
    await resolveAll(world, ready.url, rowsOf(asking.stdout));

    const last = await fiscal(world, ...argv, '--wait');
    expect(rowsOf(last.stdout).filter((row) => row['type'] === 'item' && row['state'] !== 'succeeded')).toEqual([]);
    expect(last.exitCode).toBe(0);
    const done = await inProcess(world, ...argv);
    expect(done.exitCode).toBe(0);
    expect(rowsOf(done.stdout).at(-1)).toMatchObject({ unchanged: OLD + CREATED, create: 0, update: 0 });

    const ids = await createdAt(ready.url);
    expect([...ids.keys()].sort()).toEqual([...oldSkus, ...newSkus].sort());
    expect([...ids.values()].filter((each) => each.length !== 1)).toEqual([]);
    const known = rowsOf((await inProcess(world, 'product', 'list', '-o', 'ndjson')).stdout);
    expect(known.map((row) => row['id']).sort()).toEqual([...ids.values()].flat().sort());
  } finally {
    stop();
  }
});
