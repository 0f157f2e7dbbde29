import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Exchange } from '../../src/client/client.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { createRecorder } from '../../src/services/recorder.js';
import { openStore } from '../../src/store/sqlite/open.js';
import { FakeClock } from '../support/clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

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
  const clock = new FakeClock();
  const store = await openStore({ path: join(temporaryFolder(), 'state.db'), clock });
  onTestFinished(() => store.close());
  const recorder = createRecorder({ store: () => Promise.resolve(store), space: 'acme', clock });
  for (const it of exchanges) recorder.record(it);
  await recorder.flush();
  return { history: await store.history.list({}), usage: await store.usage.list({}) };
}

test('an exchange is kept in the history, and a billed success in the usage', async () => {
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
  ['a 503', { ...exchange, status: 503 }, []],
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

test('a fault of the store is told at the end, not by the call', async () => {
  const fault = new FiscalError('store.full', { path: 'x' });
  const recorder = createRecorder({
    store: () => Promise.reject(fault),
    space: 'acme',
    clock: new FakeClock(),
  });
  recorder.record(exchange);
  await expect(recorder.flush()).rejects.toBe(fault);
});
