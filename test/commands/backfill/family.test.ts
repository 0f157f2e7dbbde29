import { expect, test } from 'vitest';
import { sweepMeter } from '../../../src/commands/backfill/family.js';
import type { ItemRow } from '../../../src/store/store.js';

function item(id: string, input: object, remoteStatus?: string): ItemRow {
  const row = { id, jobId: 'j', ordinal: 1, label: id, dedupeKey: id, input, billed: false, attempts: 1 };
  const times = { dueAt: 0, updatedAt: 0, epoch: 1, idempotencyKey: 'k', state: 'pending' } as const;
  return { ...row, ...times, ...(remoteStatus === undefined ? {} : { remoteStatus }) };
}

async function* stream(items: readonly ItemRow[]): AsyncGenerator<ItemRow> {
  yield* items;
  await Promise.resolve();
}

async function meterOf(...items: readonly ItemRow[]) {
  return await sweepMeter(stream(items));
}

test('the progress of a release counts the documents no longer hidden, and continues in a second run', async () => {
  const one = item('one', { companyId: 'one', released: true, hidden: 100 }, 'released=true hidden=40 steady=1');
  const other = item('other', { companyId: 'other', released: true, hidden: 50 });
  const meter = await meterOf(one, other);
  const begun = [meter.done, meter.total];
  meter.see(other, 'released=true hidden=20 steady=1');
  const later = [meter.done, meter.total];
  meter.see(one, 'released=true hidden=0 steady=1');
  expect([begun, later, [meter.done, meter.total]]).toEqual([
    [60, 150],
    [90, 150],
    [130, 150],
  ]);
});

test('the progress of a revoke counts the hidden documents, up to the expected number', async () => {
  const revoke = item('one', { companyId: 'one', released: false, hidden: 0, expected: 10 });
  const meter = await meterOf(revoke);
  meter.see(revoke, 'released=false hidden=4 steady=1');
  const first = meter.done;
  meter.see(revoke, 'released=false hidden=12 steady=1');
  expect([first, meter.done, meter.total]).toEqual([4, 10, 10]);
});

test('the progress of a release never becomes negative while documents are captured', async () => {
  const release = item('one', { companyId: 'one', released: true, hidden: 5 });
  const meter = await meterOf(release);
  meter.see(release, 'released=true hidden=9 steady=1');
  expect([meter.done, meter.total]).toEqual([0, 5]);
});
