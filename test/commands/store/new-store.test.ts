import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testService } from '../../conformance/service.js';
import type { TestHostOptions } from '../../support/host.js';
import { errorOf, machineBefore, type Machine, type Run } from '../../support/service-host.js';

const service = testService();
const file = 'sku,description,origin\nTEA-1,Tea,National\nTEA-2,Tea,National\n';

function machine(options: TestHostOptions = {}): Machine {
  const made = machineBefore(service.ready(), options);
  made.put('products.csv', file);
  return made;
}

const records = (run: Run) =>
  run.stdout
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));

async function creates(): Promise<number> {
  const ledger: { entries: readonly unknown[] } = await service.control('GET', 'ledger?operation=product.create');
  return ledger.entries.length;
}

const words = ['product', 'apply', '--create-only', 'products.csv', '--yes', '-o', 'ndjson'];

test('the first batch of a store reports that it is new, and later ones do not', async () => {
  const one = machine();
  const first = await one.fiscal(...words);
  expect([first.exitCode, records(first).at(-1)]).toMatchObject([0, { newStore: true }]);
  expect(first.stderr).toContain('this store is new');
  one.put('more.csv', 'sku,description,origin\nTEA-3,Tea,National\n');
  const second = await one.fiscal('product', 'apply', '--create-only', 'more.csv', '--yes', '-o', 'ndjson');
  expect(records(second).at(-1)).not.toHaveProperty('newStore');
  expect(second.stderr).not.toContain('this store is new');
});

test('with --require-store nothing is sent from a new store', async () => {
  const before = await creates();
  const run = await machine().fiscal(...words, '--require-store');
  expect([run.exitCode, errorOf(run)]).toMatchObject([2, { code: 'store.required', sent: 'no' }]);
  expect(await creates()).toBe(before);
});

test('a second machine that adopts the list of the first creates no duplicates', async () => {
  const one = machine();
  await one.fiscal(...words);
  const list = await one.fiscal('product', 'list', '-o', 'ndjson');
  const two = machine();
  two.put('known.ndjson', list.stdout);
  const adopted = await two.fiscal('store', 'adopt', 'known.ndjson', '-o', 'ndjson');
  expect([adopted.exitCode, records(adopted).at(-1)]).toMatchObject([0, { adopted: 2, failed: 0 }]);
  const before = await creates();
  const again = await two.fiscal('product', 'apply', 'products.csv', '--yes', '--require-store');
  expect([again.exitCode, await creates()]).toEqual([0, before]);
});

test('a product that does not exist is not adopted, and the store stays new', async () => {
  const one = machine({ columns: 200 });
  one.put('known.csv', 'id,sku\n00000000-0000-4000-8000-000000000000,TEA-9\n');
  const run = await one.fiscal('store', 'adopt', 'known.csv', '-o', 'ndjson');
  expect([run.exitCode, records(run)[0]]).toMatchObject([3, { state: 'not-found', sku: 'TEA-9' }]);
  const shown = await one.fiscal('store', 'adopt', 'known.csv', '-o', 'table', '--lang', 'pt-BR');
  expect(shown.stdout).toContain('não encontrado (HTTP 404)');
  const status = await one.fiscal('store', 'status');
  expect(JSON.parse(status.stdout)).toMatchObject({ new: true });
});

test('a second profile name for an account is said before its first send, and refused with --require-store', async () => {
  const one = machine();
  const as = (profile: string, ...more: string[]) => one.fiscal(...words, '--profile', profile, ...more);
  const config = join(one.host.root, 'config');
  mkdirSync(config, { mode: 0o700 });
  const profiles = JSON.stringify({ profiles: { office: {}, agency: {} } });
  writeFileSync(join(config, 'config.json'), profiles, { mode: 0o600 });
  expect((await as('office')).exitCode).toBe(0);
  const before = await creates();
  const required = await as('agency', '--require-store');
  expect([required.exitCode, errorOf(required)]).toMatchObject([2, { code: 'store.required', sent: 'no' }]);
  expect(await creates()).toBe(before);
  const said = await as('agency');
  expect(said.stderr).toContain('the profile office has sent for this account from this store');
  expect([said.exitCode, records(said).at(-1)]).toMatchObject([0, { newStore: true }]);
  one.put('products.csv', 'sku,description,origin\nTEA-8,Tea,National\n');
  const later = await as('agency', '--require-store');
  expect([later.exitCode, later.stderr.includes('the profile office')]).toEqual([0, false]);
});
