import { expect, test } from 'vitest';
import type { NewUsage } from '../../src/store/store.js';
import { noon } from '../store/samples.js';
import { FakeClock } from '../support/clock.js';
import { runFiscal, testHost } from '../support/host.js';
import { records, seed } from './seed.js';

const dayMs = 86_400_000;
const create: NewUsage = {
  at: noon,
  profile: 'acme',
  operation: 'product.create',
  billed: 'engine',
  outcome: 'billed',
};

async function seededHost() {
  const host = testHost({ clock: new FakeClock(noon + dayMs) });
  await seed(host, async ({ usage }) => {
    await usage.add(create);
    await usage.add({ ...create, at: noon + dayMs });
    await usage.add({ ...create, at: noon + dayMs, outcome: 'unknown' });
    await usage.add({ ...create, operation: 'nfse.fetchByKey', billed: 'doc-by-key' });
    await usage.add({ ...create, at: noon - 30 * dayMs });
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
  expect(stderr).toBe(
    'some calls were sent and their outcome is unknown: the service may have billed them\n',
  );
});

test('usage counts by day, newest first, over the given period', async () => {
  const { stdout, stderr } = await runFiscal(['usage', '--by', 'day', '--since', '36h'], await seededHost());
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
  const host = testHost({
    companies: ['c1', 'c2', 'c3'],
    clock: new FakeClock(noon),
    env: { FISCAL_COMPANY: 'c9' },
  });
  await seed(host, async ({ usage }) => {
    await usage.add(create);
    for (const companyId of ['c1', 'c2', 'c3'])
      await usage.add({ ...create, companyId, operation: 'nfe.issue' });
  });
  const companies = async (...words: string[]) =>
    records((await runFiscal(['usage', ...words], host)).stdout).map(
      (row) => (row as { company?: string }).company,
    );
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
  await seed(host, ({ usage }) => usage.add(create), ana);
  await seed(host, ({ usage }) => usage.add(create), { machine: 'office-2', user: 'rui' });
  await seed(host, ({ usage }) => usage.add(create), { machine: 'office-1', user: 'rui' });
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
