import { afterEach, expect, test } from 'vitest';
import { dataOf, historyService } from './history.js';

const service = historyService({ companies: 4, documents: 20 });
const fast = ['--wait', '--interval', '300ms', '--timeout', '40s'];
const release = 'nfse.backfill.release';

afterEach(() => service.control('DELETE', 'faults'));

function confirmed(id: string): readonly string[] {
  return ['--company', id, '--confirm', id, '--yes'];
}

test('a release without an answer is found by a read and not sent again', async () => {
  const id = service.company(0);
  await service.control('POST', 'faults', { operation: release, kind: 'cut-after', count: 1 });
  const before = await service.asked();
  const run = dataOf(await service.backfill(service.newHost(), 'release', ...confirmed(id), ...fast));
  expect({ exitCode: run.exitCode, data: run.data }).toMatchObject({
    exitCode: 0,
    data: { companyId: id, released: true, hiddenDocumentsCount: 0, state: 'succeeded' },
  });
  expect((await service.asked()) - before).toBe(1);
});

test('a summary that temporarily fails is read again, and the release is followed to its end', async () => {
  const id = service.company(1);
  const faults = { operation: 'nfse.backfill.summary', kind: '503', rate: 0.5, count: 4 };
  await service.control('POST', 'faults', faults);
  const run = dataOf(await service.backfill(service.newHost(), 'release', ...confirmed(id), ...fast));
  expect([run.exitCode, run.data?.['state']]).toEqual([0, 'succeeded']);
});

test('a release that is not sent yet is not sent after a revoke', async () => {
  const id = service.company(2);
  const host = service.newHost();
  await service.control('POST', 'faults', { operation: release, kind: '503', retryAfter: 3, count: 1 });
  const held = await service.backfill(host, 'release', ...confirmed(id), '--max-retry-wait', '1s');
  // The revoke waits until the service may be asked again.
  const revoked = await service.backfill(host, 'revoke', ...confirmed(id));
  const before = await service.asked();
  const waited = dataOf(await service.backfill(host, 'show', '--wait', '--company', id, '--interval', '300ms'));
  expect([held.exitCode, dataOf(revoked).data?.['state'], waited.exitCode, waited.data]).toEqual([
    ...[12, 'skipped', 0],
    expect.objectContaining({ released: false, state: 'settled' }),
  ]);
  expect(await service.asked()).toBe(before);
  const shown = dataOf(await service.backfill(host, 'show', '--company', id));
  expect(shown.data).toMatchObject({ released: false, hiddenDocumentsCount: 5 });
});
