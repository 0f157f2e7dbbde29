import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFiscal } from '../../support/host.js';
import { dataOf, historyService, recordsOf } from './history.js';

const service = historyService({ companies: 3, documents: 30 });
const fast = ['--interval', '300ms', '--timeout', '30s'];

test('a fresh machine waits for the companies of a plan, or of the account, and is not done before the service is', async () => {
  const ids = [service.company(0), service.company(1)];
  const host = service.newHost();
  await service.slow();
  const planned = dataOf(await service.backfill(host, 'plan', '--company', ids.join(','), '--out', 'plan.csv'));
  const id = String(planned.data?.['id']);
  const sent = await service.backfill(host, 'release', '--plan', 'plan.csv', '--confirm', id, '--yes', '-o', 'table');
  expect([sent.exitCode, sent.stderr]).toEqual([
    0,
    expect.stringContaining('fiscal backfill show --wait --plan plan.csv'),
  ]);
  const other = service.newHost();
  copyFileSync(join(host.cwd, 'plan.csv'), join(other.cwd, 'plan.csv'));
  const early = await service.backfill(other, 'show', '--wait', '--plan', 'plan.csv', '--timeout', '1s');
  const all = await service.backfill(other, 'show', '--wait', '--all-companies', '--timeout', '1s');
  await service.usual();
  await service.advance('20m');
  const done = await service.backfill(other, 'show', '--wait', '--plan', 'plan.csv', ...fast);
  expect([early.exitCode, all.exitCode, done.exitCode]).toEqual([8, 8, 0]);
  expect(
    recordsOf(done).map(({ companyId, state, hiddenDocumentsCount }) => [companyId, state, hiddenDocumentsCount]),
  ).toEqual([...ids.map((company) => [company, 'settled', 0]), [undefined, undefined, undefined]]);
  expect(recordsOf(early).at(-1)).toEqual({ type: 'summary', total: 2, pending: 2, stopped: 'timeout', exitCode: 8 });
  expect(recordsOf(done).at(-1)).toEqual({ type: 'summary', total: 2, settled: 2, stopped: 'complete', exitCode: 0 });
});

test('the command that goes on after a stop is by the job, and runs unattended', async () => {
  const id = service.company(2);
  const host = service.newHost();
  await service.control('POST', 'faults', { operation: 'nfse.backfill.release', kind: '503', retryAfter: 2, count: 1 });
  const argv = ['release', '--company', id, '--confirm', id, '--yes', '--wait', '--max-retry-wait', '1s'];
  const stopped = await service.backfill(host, ...argv, '-o', 'table');
  const line = /fiscal (job resume \S+ --wait)/.exec(stopped.stderr)?.[1] ?? '';
  const resumed = await runFiscal([...line.split(' '), ...fast], host);
  expect([stopped.exitCode, resumed.exitCode]).toEqual([12, 0]);
  const shown = dataOf(await service.backfill(host, 'show', '--company', id));
  expect(shown.data).toMatchObject({ released: true, hiddenDocumentsCount: 0 });
});

test('a plan whose releases nobody has sent is not done', async () => {
  const id = service.company(2);
  const host = service.newHost();
  await service.backfill(host, 'revoke', '--company', id, '--confirm', id, '--yes', '--wait', ...fast);
  await service.backfill(host, 'plan', '--company', id, '--out', 'plan.csv');
  const waited = await service.backfill(
    host,
    'show',
    '--wait',
    '--plan',
    'plan.csv',
    '--interval',
    '300ms',
    '--timeout',
    '2s',
  );
  expect([waited.exitCode, recordsOf(waited)]).toMatchObject([
    8,
    [
      { type: 'item', companyId: id, released: false, state: 'pending' },
      { type: 'summary', stopped: 'timeout' },
    ],
  ]);
});
