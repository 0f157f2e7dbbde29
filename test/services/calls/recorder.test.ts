import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AroundCall, CallRecord, Exchange } from '../../../src/client/client.js';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import { createRecorder } from '../../../src/services/calls/recorder.js';
import { openStore } from '../../../src/store/sqlite/open.js';
import { FakeClock } from '../../support/clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const exchange: Exchange = {
  at: 1_000,
  operation: 'product.create',
  method: 'POST',
  url: 'https://h/t/products',
  attempt: 1,
  status: 201,
  requestId: 'r1',
  durationMs: 12,
  sent: 'yes',
  billed: true,
  jobId: 'j1',
  itemId: 'i1',
};
const { status: _status, requestId: _requestId, ...unanswered } = exchange;

async function recorded(...exchanges: readonly Exchange[]) {
  const clock = new FakeClock(1_000);
  const store = await openStore({ path: join(temporaryFolder(), 'state.db'), clock });
  onTestFinished(() => store.close());
  const recorder = createRecorder({ store: () => Promise.resolve(store), storeNamespace: 'acme', clock });
  for (const it of exchanges) await recorder.record(it, it.billed ? await recorder.reserve(it) : undefined);
  await recorder.flush();
  return { history: await store.history.list({}), usage: await store.usage.list({}) };
}

test('an exchange is recorded in the history, and a billed success in the usage', async () => {
  const { billed: _billed, ...row } = exchange;
  expect(await recorded(exchange)).toEqual({
    history: [{ ...row, profile: 'acme' }],
    usage: [
      {
        at: 1_000,
        profile: 'acme',
        operation: 'product.create',
        billed: 'engine',
        outcome: 'billed',
        jobId: 'j1',
        itemId: 'i1',
        requestId: 'r1',
      },
    ],
  });
});

test.each([
  ['a refusal', { ...exchange, status: 400 }, []],
  ['a 429', { ...exchange, status: 429 }, []],
  ['a 503, which says nothing of the work', { ...exchange, status: 503 }, ['unknown']],
  ['a call that never left', { ...unanswered, sent: 'no' }, []],
  ['a call without tax rules', { ...exchange, billed: false }, []],
  ['an operation that nobody bills', { ...exchange, operation: 'product.get' }, []],
  ['a cut connection', { ...unanswered, sent: 'unknown' }, ['unknown']],
  ['a 500', { ...exchange, status: 500 }, ['unknown']],
  ['a success whose body was cut', { ...exchange, sent: 'unknown' }, ['billed']],
] as const)('the usage after %s', async (_name, it, outcomes) => {
  const { usage } = await recorded(it);
  expect(usage.map(({ outcome }) => outcome)).toEqual(outcomes);
});

test('an operation billed once is free from the second call on, for each company', async () => {
  const once = { ...exchange, operation: 'nfse.fetchByKey', billedOnceFor: 'key-1', companyId: 'c1' };
  const exchanges = [once, { ...once, companyId: 'c2' }, { ...once, status: 403 }, once];
  const { usage } = await recorded(...exchanges);
  expect(usage.map(({ companyId, outcome }) => [companyId, outcome])).toEqual([
    ['c1', 'repeat'],
    ['c2', 'billed'],
    ['c1', 'billed'],
  ]);
});

test('a billed call that cannot be counted is not sent; one whose end cannot be stored counts', async () => {
  const clock = new FakeClock();
  const store = await openStore({ path: join(temporaryFolder(), 'state.db'), clock });
  const fault = new FiscalError('store.full', { path: 'x' });
  let isFull = true;
  const recorder = createRecorder({
    store: () => (isFull ? Promise.reject(fault) : Promise.resolve(store)),
    storeNamespace: 'acme',
    clock,
  });
  await expect(recorder.reserve(exchange)).rejects.toBe(fault);
  isFull = false;
  const settle = await recorder.reserve(exchange);
  const left = await store.usage.list({});
  await store.close();
  expect(await recorder.record(exchange, settle)).toBe('billed');
  await expect(recorder.flush()).rejects.toThrow();
  expect([left.map(({ outcome }) => outcome), recorder.billed]).toEqual([['unknown'], 1]);
});

test('the record of a write goes with the next write of its caller, or alone; that of a read is not given away', async () => {
  const clock = new FakeClock(1_000);
  const store = await openStore({ path: join(temporaryFolder(), 'state.db'), clock });
  onTestFinished(() => store.close());
  const recorder = createRecorder({ store: () => Promise.resolve(store), storeNamespace: 'acme', clock });
  const taken: { readonly record: CallRecord; alone(): void }[] = [];
  const around: AroundCall = {
    takePace: () => undefined,
    takeRecord: (record, alone) => void taken.push({ record, alone }),
  };
  const { billed: _billed, ...write } = exchange;
  await recorder.record({ ...write, billed: false }, undefined, around);
  await recorder.record({ ...write, billed: false, method: 'GET' }, undefined, around);
  expect(taken.map(({ record }) => record)).toEqual([{ ...write, profile: 'acme' }]);
  taken[0]?.alone();
  await recorder.flush();
  expect((await store.history.list({})).map(({ method }) => method).toSorted()).toEqual(['GET', 'POST']);
});

test('a failure of the store is reported at the end, not by the call', async () => {
  const fault = new FiscalError('store.full', { path: 'x' });
  const recorder = createRecorder({
    store: () => Promise.reject(fault),
    storeNamespace: 'acme',
    clock: new FakeClock(),
  });
  await recorder.record({ ...exchange, billed: false });
  await expect(recorder.flush()).rejects.toBe(fault);
});

test('an announced deprecation is stored with each call and shown once per operation', async () => {
  const clock = new FakeClock();
  const store = await openStore({ path: join(temporaryFolder(), 'state.db'), clock });
  onTestFinished(() => store.close());
  const shown: string[] = [];
  const recorder = createRecorder({
    store: () => Promise.resolve(store),
    storeNamespace: 'acme',
    clock,
    deprecated: async (operation) => {
      await Promise.resolve();
      shown.push(operation);
    },
  });
  const deprecation = { deprecated: true };
  const read = { ...exchange, operation: 'product.get', method: 'GET', billed: false } as const;
  for (const it of [read, { ...read, deprecation }, { ...read, deprecation }, { ...exchange, deprecation }]) {
    await recorder.record(it);
  }
  await recorder.flush();
  expect(shown).toEqual(['product.get', 'product.create']);
  const rows = await store.history.list({});
  expect(rows.filter((row) => row.deprecation?.deprecated === true)).toHaveLength(3);
});
