import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noon } from '../store/samples.js';
import { FakeClock } from '../support/clock.js';
import { runFiscal, testHost } from '../support/host.js';
import { records, seed } from './seed.js';
import { addUsage, type UsageCall } from '../support/usage.js';

const dayMs = 86_400_000;
const create: UsageCall = {
  at: noon,
  profile: 'acme',
  operation: 'product.create',
  billed: 'engine',
  outcome: 'billed',
};

async function seededHost() {
  const host = testHost({ clock: new FakeClock(noon + dayMs) });
  await seed(host, async ({ usage }) => {
    await addUsage(usage, create);
    await addUsage(usage, { ...create, at: noon + dayMs });
    await addUsage(usage, { ...create, at: noon + dayMs, outcome: 'unknown' });
    await addUsage(usage, { ...create, operation: 'nfse.fetchByKey', billed: 'doc-by-key' });
    await addUsage(usage, { ...create, at: noon - 30 * dayMs });
  });
  return host;
}

test('usage counts by operation, with unknown outcomes separate', async () => {
  const { exitCode, stdout, stderr } = await runFiscal(['usage', '--lang', 'en'], await seededHost());
  expect([exitCode, records(stdout)]).toEqual([
    0,
    [
      {
        type: 'usage',
        profile: 'acme',
        operation: 'nfse.fetchByKey',
        billedAs: 'doc-by-key',
        billed: 1,
        unknown: 0,
        freeRepeats: 0,
      },
      {
        type: 'usage',
        profile: 'acme',
        operation: 'product.create',
        billedAs: 'engine',
        billed: 2,
        unknown: 1,
        freeRepeats: 0,
      },
    ],
  ]);
  expect(stderr).toBe('some calls were sent and their outcome is unknown: the service may have billed them\n');
});

test('usage counts by day, newest first, over the given period', async () => {
  const { stdout, stderr } = await runFiscal(['usage', '--by', 'day,operation', '--since', '36h'], await seededHost());
  const row = { profile: 'acme', operation: 'product.create', billedAs: 'engine' };
  expect(records(stdout)).toEqual([
    { type: 'usage', day: '2026-05-05', ...row, billed: 1, unknown: 1, freeRepeats: 0 },
    {
      type: 'usage',
      day: '2026-05-04',
      ...row,
      operation: 'nfse.fetchByKey',
      billedAs: 'doc-by-key',
      billed: 1,
      unknown: 0,
      freeRepeats: 0,
    },
    { type: 'usage', day: '2026-05-04', ...row, billed: 1, unknown: 0, freeRepeats: 0 },
  ]);
  expect(stderr).not.toBe('');
});

test('--company excludes calls for other companies and those without one', async () => {
  const host = testHost({ companies: ['c1', 'c2', 'c3'], clock: new FakeClock(noon), env: { FISCAL_COMPANY: 'c9' } });
  await seed(host, async ({ usage }) => {
    await addUsage(usage, create);
    for (const companyId of ['c1', 'c2', 'c3']) await addUsage(usage, { ...create, companyId, operation: 'nfe.issue' });
  });
  const companies = async (...words: string[]) =>
    records((await runFiscal(['usage', ...words], host)).stdout).map((row) => (row as { company?: string }).company);
  expect(await companies()).toEqual(['c1', 'c2', 'c3', undefined]);
  expect(await companies('--company', 'c1,c3')).toEqual(['c1', 'c3']);
});

test('usage without calls says since when, and of which machine', async () => {
  const { exitCode, stdout, stderr } = await runFiscal(
    ['usage', '--lang', 'en'],
    testHost({ clock: new FakeClock(noon) }),
  );
  expect([exitCode, stdout]).toEqual([0, '']);
  expect(stderr).toMatch(
    /^the store has no billed call since \d{4}-\d\d-\d\d; machines with another store are not counted\n$/,
  );
});

test('usage by user and by machine counts what each caused, on a store that several share', async () => {
  const host = testHost({ clock: new FakeClock(noon) });
  const ana = { machine: 'office-1', user: 'ana' };
  await seed(host, ({ usage }) => addUsage(usage, create), ana);
  await seed(host, ({ usage }) => addUsage(usage, create), { machine: 'office-2', user: 'rui' });
  await seed(host, ({ usage }) => addUsage(usage, create), { machine: 'office-1', user: 'rui' });
  const by = async (part: 'machine' | 'user') =>
    records((await runFiscal(['usage', '--by', part], host)).stdout).map((row) => {
      const { billed, ...rest } = row as Record<string, unknown>;
      return [rest[part], billed];
    });
  expect(await by('user')).toEqual([
    ['ana', 1],
    ['rui', 2],
  ]);
  expect(await by('machine')).toEqual([
    ['office-1', 2],
    ['office-2', 1],
  ]);
});

const october = Date.UTC(2026, 9, 1, 3);
const byKey: UsageCall = { ...create, operation: 'nfse.fetchByKey', billed: 'doc-by-key', at: october };

async function octoberHost() {
  const host = testHost({ companies: ['c1', 'c2'], clock: new FakeClock(october + 20 * dayMs) });
  await seed(host, async ({ usage }) => {
    await addUsage(usage, { ...create, at: october - 1 });
    for (const companyId of ['c1', 'c1', 'c2']) await addUsage(usage, { ...byKey, companyId });
    await addUsage(usage, { ...byKey, companyId: 'c1', outcome: 'unknown' });
    await addUsage(usage, { ...create, at: october + 14 * dayMs });
    await addUsage(usage, { ...create, at: october + 15 * dayMs });
  });
  return host;
}

const prices = `prices:
  - of: doc-by-key
    from: 2026-01-01
    price: 0.35
  - of: engine
    from: 2026-01-01
    until: 2026-10-15
    price: 0.1
  - of: product.create
    from: 2026-10-16
    price: 0.123456
`;

async function usageWith(files: Readonly<Record<string, string>>, ...words: string[]) {
  const host = await octoberHost();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(host.cwd, name), text);
  return await runFiscal(['usage', '--month', '2026-10', '--lang', 'en', ...words], host);
}

test('a month has its costs by the price of each day, to the last digit, and a total', async () => {
  const { exitCode, stdout, stderr } = await usageWith({ 'prices.yaml': prices }, '--prices', 'prices.yaml');
  const rows = records(stdout);
  expect([exitCode, stderr.includes('the month is not over')]).toEqual([0, true]);
  expect(rows).toMatchObject([
    { operation: 'nfse.fetchByKey', company: 'c1', billed: 2, unknown: 1, cost: '0.7', unknownCost: '0.35' },
    { operation: 'nfse.fetchByKey', company: 'c2', billed: 1, unknown: 0, cost: '0.35', unknownCost: '0' },
    { operation: 'product.create', billed: 2, cost: '0.223456', unknownCost: '0' },
    { type: 'summary', month: '2026-10', billed: 5, unknown: 1, cost: '1.273456', unknownCost: '0.35' },
  ]);
});

test('--by divides by exactly what is named', async () => {
  const { stdout } = await usageWith({}, '--by', 'company');
  expect(records(stdout)).toEqual([
    { type: 'usage', profile: 'acme', billed: 2, unknown: 0, freeRepeats: 0 },
    { type: 'usage', profile: 'acme', company: 'c1', billed: 2, unknown: 1, freeRepeats: 0 },
    { type: 'usage', profile: 'acme', company: 'c2', billed: 1, unknown: 0, freeRepeats: 0 },
    { type: 'summary', month: '2026-10', billed: 5, unknown: 1, freeRepeats: 0 },
  ]);
  const wrong = await usageWith({}, '--by', 'company,colour');
  expect([wrong.exitCode, wrong.stdout]).toEqual([2, '']);
  expect(wrong.stderr).toContain('colour');
});

test.each([
  [
    'a gap',
    prices.replace('from: 2026-10-16', 'from: 2026-10-17'),
    /product\.create \(engine\) has no price on 2026-10-16.*prices\[1\] ends on 2026-10-15/,
  ],
  [
    'two prices',
    prices.replace('until: 2026-10-15', 'until: 2026-10-20').replace('product.create', 'engine'),
    /prices\[2\].*second price on 2026-10-16, beside prices\[1\]/,
  ],
  ['a negative price', prices.replace('0.35', '-0.35'), /prices\[0\]\.price.*must not be negative/],
  ['a comma', prices.replace('0.35', '"0,35"'), /prices\[0\]\.price.*must be a number with a point/],
  ['an unknown operation', prices.replace('of: engine', 'of: motor'), /prices\[1\]\.of.*must be one of engine/],
  ['no list', 'prices: 0.35', /must be a list of prices/],
])('a file of prices with %s is refused with the place, and nothing is summed', async (_name, text, message) => {
  const { exitCode, stdout, stderr } = await usageWith({ 'prices.yaml': text }, '--prices', 'prices.yaml');
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
});

test('the bill of the service is compared call by call; what unknown outcomes explain is no difference', async () => {
  const bill = 'operação;empresa;quantidade;valor\nnfse.fetchByKey;c1;3;1,05\nnfse.fetchByKey;c2;1;0,35\n';
  const both = { 'prices.yaml': prices, 'bill.csv': bill };
  const { exitCode, stdout } = await usageWith(both, '--bill', 'bill.csv', '--prices', 'prices.yaml');
  expect(exitCode).toBe(3);
  expect(records(stdout)).toMatchObject([
    {
      type: 'comparison',
      company: 'c1',
      billed: 2,
      unknown: 1,
      billCalls: 3,
      difference: 1,
      amountDifference: '0.35',
      verdict: 'within-unknown',
    },
    { company: 'c2', billed: 1, billCalls: 1, difference: 0, amountDifference: '0', verdict: 'equal' },
    { name: 'product.create', billed: 2, billCalls: 0, difference: -2, verdict: 'different' },
    { type: 'summary', rows: 3, different: 1, withinUnknown: 1, exitCode: 3 },
  ]);
});

test('a bill that names the ways of billing is compared by them', async () => {
  const bill = 'operation,calls\ndoc-by-key,3\nengine,2\n';
  const { exitCode, stdout } = await usageWith({ 'bill.csv': bill }, '--bill', 'bill.csv');
  expect([exitCode, records(stdout)]).toMatchObject([
    0,
    [
      { name: 'doc-by-key', billed: 3, unknown: 1, billCalls: 3, verdict: 'equal' },
      { name: 'engine', billed: 2, billCalls: 2, verdict: 'equal' },
      { different: 0 },
    ],
  ]);
});

test.each([
  ['operation,calls\nnfse.fetchByKey,3\ndoc-by-key,3\n', /names nfse\.fetchByKey and doc-by-key, which contains it/],
  ['operation,calls\nother,3\n', /line 2.*operation .*other.* is none that is billed/],
  ['operation,calls\nengine,many\n', /line 2.*calls .*many.* is no whole number/],
  ['operation,calls,company\nengine,2,nobody\n', /line 2.*nobody/],
  ['operation\nengine\n', /calls/],
  ['operation,calls,Chamadas\nengine,5,7\n', /calls.*columns .*calls.* and .*Chamadas.* both stand for it/],
  ['', /has no records/],
])('a bill that cannot be read is refused with the line: %j', async (bill, message) => {
  const { exitCode, stdout, stderr } = await usageWith({ 'bill.csv': bill }, '--bill', 'bill.csv');
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
});

test('amounts are compared in every form of the bill; where a row has none, that is said', async () => {
  const files = { 'prices.yaml': prices, 'bill.json': '[{"operação":"engine","quantidade":2,"valor":1}]' };
  const priced = ['--prices', 'prices.yaml'];
  const json = records((await usageWith(files, '--bill', 'bill.json', ...priced)).stdout);
  expect(json[0]).toMatchObject({ name: 'engine', amount: '1', cost: '0.223456', verdict: 'different' });
  const csv = { 'prices.yaml': prices, 'bill.csv': 'Operação;Chamadas;Valor (R$)\nengine;2;1.234\n' };
  const read = await usageWith(csv, '--bill', 'bill.csv', '--decimal', 'comma', ...priced);
  expect(records(read.stdout)[0]).toMatchObject({ amount: '1234', verdict: 'different' });
  const none = { 'prices.yaml': prices, 'bill.csv': 'operation,calls\nengine,2\ndoc-by-key,3\n' };
  const { stderr } = await usageWith(none, '--bill', 'bill.csv', ...priced);
  expect(stderr).toContain('of these only the number of calls was compared');
});

test('a bill needs its month', async () => {
  const { exitCode, stderr } = await runFiscal(['usage', '--bill', 'bill.csv', '--lang', 'en'], await octoberHost());
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--month')]);
});
