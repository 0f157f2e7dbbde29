import { expect, test } from 'vitest';
import { noon, request } from '../store/samples.js';
import { FakeClock } from '../support/clock.js';
import { runFiscal, testHost } from '../support/host.js';
import { records, seed } from './seed.js';

const oneHourMs = 3_600_000;

async function seededHost() {
  const host = testHost({ clock: new FakeClock(noon + oneHourMs) });
  await seed(host, async ({ history }) => {
    await history.add(request({ at: noon - 1, operation: 'product.create', method: 'POST', status: 201 }));
    await history.add(request({ at: noon, requestId: 'r-2' }));
    await history.add(request({ at: noon + 1, profile: 'sandbox', sent: 'unknown', errorCode: 'network.cut' }));
  });
  return host;
}

test('history prints requests newest first, of every profile if none is chosen', async () => {
  const { exitCode, stdout } = await runFiscal(['history'], await seededHost());
  const { at: _at, ...row } = request();
  expect([exitCode, records(stdout)]).toEqual([
    0,
    [
      {
        type: 'history',
        at: '2026-05-04T12:00:00.001Z',
        ...row,
        profile: 'sandbox',
        sent: 'unknown',
        errorCode: 'network.cut',
      },
      { type: 'history', at: '2026-05-04T12:00:00.000Z', ...row, requestId: 'r-2' },
      {
        type: 'history',
        at: '2026-05-04T11:59:59.999Z',
        ...row,
        operation: 'product.create',
        method: 'POST',
        status: 201,
      },
    ],
  ]);
});

test('history is filtered by age, operation, number and profile', async () => {
  const host = await seededHost();
  const ats = async (...words: string[]) =>
    (await runFiscal(['history', '--fields', 'at', '-o', 'csv', ...words], host)).stdout.trim().split('\r\n').slice(1);
  expect(await ats('--since', '1h')).toEqual(['2026-05-04T12:00:00.001Z', '2026-05-04T12:00:00.000Z']);
  expect(await ats('--operation', 'product.create')).toEqual(['2026-05-04T11:59:59.999Z']);
  expect(await ats('--limit', '1')).toEqual(['2026-05-04T12:00:00.001Z']);
  expect(await ats('--profile', 'sandbox')).toEqual(['2026-05-04T12:00:00.001Z']);
});

test('history of a machine without requests is an empty list', async () => {
  const { exitCode, stdout } = await runFiscal(['history', '-o', 'json']);
  expect([exitCode, stdout]).toEqual([0, '[]\n']);
});

test('history names who sent each request; a table shows that where it differs', async () => {
  const host = testHost({ clock: new FakeClock(noon + oneHourMs), columns: 200 });
  const ana = { machine: 'office-1', user: 'ana', ciRun: 'https://ci.example/runs/7' };
  await seed(host, ({ history }) => history.add(request(), request({ at: noon + 1 })), ana);
  const table = async () => (await runFiscal(['history', '-o', 'table', '--lang', 'en'], host)).stdout;
  expect(records((await runFiscal(['history'], host)).stdout)[0]).toMatchObject(ana);
  expect(await table()).not.toContain('office-1');
  await seed(host, ({ history }) => history.add(request({ at: noon + 2 })), { ...ana, machine: 'office-2' });
  expect(await table()).toContain('office-2');
  expect(await table()).not.toContain('user');
});
