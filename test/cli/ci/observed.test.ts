import { expect, test } from 'vitest';
import { Observed } from '../../../src/cli/ci/observed.js';

async function* stream(records: readonly unknown[]) {
  for (const record of records) yield await Promise.resolve(record);
}

async function read(data: unknown): Promise<readonly unknown[]> {
  const records: unknown[] = [];
  // `watch` gives back what it got: a stream.
  for await (const record of data as AsyncIterable<unknown>) records.push(record);
  return records;
}

const records = [
  { type: 'item', line: 2, label: 'A', state: 'succeeded' },
  { type: 'item', line: 3, label: 'B', state: 'rejected', errorCode: 'x.y', error: 'too late' },
  { type: 'item', line: 4, label: 'C', state: 'skipped', errorCode: 'x.z', error: 'there already' },
  { type: 'company', companyId: 'c1', family: 'nfe', state: 'failed', errorCode: 'net.away', error: 'no answer' },
  {
    type: 'problem',
    companyId: 'c1',
    companyName: 'Um Ltda',
    family: 'cte',
    key: 'K1',
    state: 'quarantined',
    reason: 'not XML',
  },
  { type: 'gap', companyId: 'c1', family: 'nfe', kind: 'not-synced', key: 'K2' },
  { type: 'difference', kind: 'missing', path: 'a/b.xml', manifest: 'm' },
  { type: 'summary', total: 3, exitCode: 3 },
];

test('a stream passes unchanged, and its failures are known at its end', async () => {
  const observed = new Observed();
  expect(await read(observed.watch(stream(records)))).toEqual(records);
  expect([observed.closings, observed.troubleCount, observed.troubles]).toEqual([
    [{ type: 'summary', total: 3, exitCode: 3 }],
    5,
    [
      { what: 'B', state: 'rejected', reason: 'too late' },
      { what: 'c1 nfe', state: 'failed', reason: 'no answer' },
      { what: 'Um Ltda (c1) cte K1', state: 'quarantined', reason: 'not XML' },
      { what: 'c1 nfe K2', state: 'not-synced', reason: '' },
      { what: 'a/b.xml', state: 'missing', reason: '' },
    ],
  ]);
});

test('a list and a single object are read immediately', () => {
  const observed = new Observed();
  expect(observed.watch(records)).toBe(records);
  expect(observed.watch('text')).toBe('text');
  expect(observed.watch(undefined)).toBe(undefined);
  expect(observed.troubleCount).toBe(5);
});

test('fifty failures are kept and all are counted', async () => {
  const observed = new Observed();
  const failed = Array.from({ length: 1_000 }, (_, index) => ({ type: 'item', label: `L${index}`, state: 'failed' }));
  await read(observed.watch(stream(failed)));
  expect([observed.troubles.length, observed.troubleCount]).toEqual([50, 1_000]);
});

test('a check is counted by state, and information is not a failure', () => {
  const observed = new Observed();
  const message = { en: 'no NF-e for 40 days', pt: '40 dias sem NF-e' };
  const idle = { code: 'idle', level: 'warning', family: 'nfe', message, next: 'fiscal inbound capture show' };
  observed.watch([
    { type: 'company', companyId: 'c1', state: 'warning', problems: [idle] },
    { type: 'company', companyId: 'c2', state: 'ok', problems: [{ ...idle, level: 'info' }] },
    { type: 'company', companyId: 'c3', state: 'critical', problems: [{ ...idle, level: 'critical', family: null }] },
  ]);
  const reason = {
    en: 'no NF-e for 40 days; fiscal inbound capture show',
    pt: '40 dias sem NF-e; fiscal inbound capture show',
  };
  expect([observed.closings, observed.troubles]).toEqual([
    [{ warning: 1, ok: 1, critical: 1 }],
    [
      { what: 'c1 nfe', state: 'idle', reason, isWarning: true },
      { what: 'c3', state: 'idle', reason, isWarning: false },
    ],
  ]);
});
