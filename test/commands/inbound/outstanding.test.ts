import { expect, test } from 'vitest';
import { noteSyncFailure } from '../../../src/services/company/activity.js';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import type { Store } from '../../../src/store/store.js';
import { FakeClock } from '../../support/clock.js';
import { runFiscal, testHost } from '../../support/host.js';
import { seedReadings } from '../../support/readings.js';
import { seed } from '../seed.js';

const now = Date.UTC(2026, 0, 15, 12);

async function outstanding(write: (store: Store) => Promise<unknown>, ...words: string[]) {
  const host = testHost({ clock: new FakeClock(), companies: ['c1'], env: { FISCAL_COMPANY: 'c1' } });
  await seed(host, write);
  return await runFiscal(['inbound', 'outstanding', ...words], host);
}

test('an empty list is whole where every captured family was read to its end', async () => {
  const { exitCode, stdout } = await outstanding((store) => seedReadings(store, { companyId: 'c1', at: now }));
  expect([exitCode, stdout]).toEqual([0, '']);
});

test('a family that was never read is named, unless only others are asked for', async () => {
  const begun = async (store: Store) => {
    const group = { profile: 'environment', companyId: 'c1', family: 'nfe' } as const;
    await store.workers.register({ id: 'w', pid: 1, machine: 'm', processStart: '1', expiresAt: now });
    await store.cursors.hold(group, 'w', now);
    await store.cursors.save({ ...group, stream: 'documents' }, { position: { endedAt: now }, at: now, workerId: 'w' });
    await store.cursors.save({ ...group, stream: 'events' }, { position: {}, at: now, workerId: 'w' });
  };
  const { exitCode, stderr } = await outstanding(begun);
  expect(exitCode).toBe(3);
  expect(stderr).toContain('no sync has read these lists to their end, or the last one failed: c1 (cte, nfse)');
  expect((await outstanding(begun, '--type', 'nfe')).exitCode).toBe(0);
});

test('after a sync that failed the list may lack something', async () => {
  const { exitCode, stderr } = await outstanding(async (store) => {
    await seedReadings(store, { companyId: 'c1', at: now - 1 });
    const error = new FiscalError('usage.missing', { names: 'x' });
    const group = { profile: 'environment', companyId: 'c1', family: 'nfe' };
    await noteSyncFailure(store, [group], { error, at: now });
  });
  expect(exitCode).toBe(3);
  expect(stderr).toContain('c1 (nfe)');
});
