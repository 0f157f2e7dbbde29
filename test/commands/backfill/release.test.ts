import { expect, test } from 'vitest';
import { runFiscal } from '../../support/host.js';
import { dataOf, errorOf, historyService, recordsOf } from './history.js';
import { inputOrder } from '../../support/input-order.js';

const service = historyService({ companies: 6, documents: 60 });
const fast = ['--interval', '300ms', '--timeout', '30s'];

function confirmed(id: string): readonly string[] {
  return ['--company', id, '--confirm', id, '--yes'];
}

test('show prints cut-off, release and hidden documents of one company', async () => {
  const id = service.company(0);
  const { exitCode, data } = dataOf(await service.backfill(service.newHost(), 'show', '--company', id));
  expect({ exitCode, data }).toEqual({
    exitCode: 0,
    data: {
      type: 'backfill',
      companyId: id,
      companyName: expect.any(String),
      companyTaxNumber: expect.stringMatching(/^\d{14}$/),
      startFromDate: '2026-10-01T03:00:00.000Z',
      released: false,
      hiddenDocumentsCount: 10,
    },
  });
});

test('show of several companies includes one without capture, with the reason, and exits 3', async () => {
  const ids = `${service.company(0)},${await service.withoutCapture()}`;
  const shown = await service.backfill(service.newHost(), 'show', '--company', ids);
  expect({ exitCode: shown.exitCode, codes: recordsOf(shown).map((row) => row['errorCode']) }).toEqual({
    exitCode: 3,
    codes: [undefined, 'backfill.no_capture'],
  });
});

test('a release with --wait ends when nothing is hidden, and sends nothing the second time', async () => {
  const host = service.newHost();
  const id = service.company(0);
  const before = await service.asked();
  const first = dataOf(await service.backfill(host, 'release', ...confirmed(id), '--wait', ...fast));
  const again = await service.backfill(host, 'release', ...confirmed(id), '--wait', ...fast);
  expect([first.exitCode, first.data, dataOf(again).exitCode, dataOf(again).data?.['state']]).toEqual([
    0,
    {
      type: 'backfill',
      companyId: id,
      companyName: expect.any(String),
      companyTaxNumber: expect.stringMatching(/^\d{14}$/),
      asked: 'release',
      released: true,
      hiddenDocumentsCount: 0,
      hiddenBefore: 10,
      revealed: 10,
      requestedAt: expect.any(String),
      settledAt: expect.any(String),
      requestId: expect.any(String),
      state: 'succeeded',
      jobId: expect.any(String),
    },
    0,
    'skipped',
  ]);
  expect(again.stderr).toContain('already done; nothing was sent');
  const trial = await service.backfill(host, 'release', '--company', id, '--dry-run');
  expect([trial.exitCode, trial.stderr]).toEqual([0, 'nothing would be sent\n']);
  expect((await service.asked()) - before).toBe(1);
});

test('a revoke ends when the hidden count is stable at the number that was listed', async () => {
  const host = service.newHost();
  const id = service.company(0);
  const { exitCode, data } = dataOf(await service.backfill(host, 'revoke', ...confirmed(id), '--wait', ...fast));
  expect([exitCode, data?.['released'], data?.['hiddenDocumentsCount'], data?.['state']]).toEqual([
    0,
    false,
    10,
    'succeeded',
  ]);
  const jobs = await runFiscal(['job', 'list', '-o', 'json'], host);
  expect((JSON.parse(jobs.stdout) as readonly object[])[0]).toMatchObject({ kind: 'backfill-revoke' });
});

test('a release without --confirm of the company is not sent: counts in the question, exit 2', async () => {
  const id = service.company(1);
  const before = await service.asked();
  const host = service.newHost();
  const bare = await service.backfill(host, 'release', '--company', id, '--yes');
  const other = await service.backfill(host, 'release', '--company', id, '--yes', '--confirm', 'other');
  expect([errorOf(bare), errorOf(other)]).toEqual([
    { exitCode: 2, code: 'usage.confirmation_required' },
    { exitCode: 2, code: 'usage.invalid_value' },
  ]);
  expect(bare.stderr).toContain('10 hidden NFS-e become listed');
  expect(bare.stderr).toContain(`--confirm ${id}`);
  expect(bare.stderr).toMatch(/of company .+, \d\d\.\d{3}\.\d{3}\/\d{4}-\d\d \(profile /);
  expect(await service.asked()).toBe(before);
});

test('a revoke during a release wins, and both jobs record the outcome', async () => {
  const id = service.company(1);
  const host = service.newHost();
  await service.slow();
  const release = dataOf(await service.backfill(host, 'release', ...confirmed(id)));
  const revoke = dataOf(await service.backfill(host, 'revoke', ...confirmed(id)));
  await service.usual();
  await service.advance('20m');
  const waited = await service.backfill(host, 'show', '--wait', '--company', id, ...fast, '-o', 'json');
  const items = (JSON.parse(waited.stdout) as Record<string, unknown>[]).filter(({ type }) => type === 'item');
  expect([release.data?.['state'], revoke.data?.['state']]).toEqual(['pending', 'pending']);
  expect(items.map(({ asked, state, errorCode }) => ({ asked, state, errorCode }))).toEqual([
    { asked: 'release', state: 'rejected', errorCode: 'backfill.overtaken' },
    { asked: 'revoke', state: 'succeeded', errorCode: undefined },
  ]);
  expect(waited.exitCode).toBe(3);
});

test('a release that someone else revokes exits 13 with an explanation', async () => {
  const id = service.company(2);
  const host = service.newHost();
  await service.slow();
  await service.backfill(host, 'release', ...confirmed(id));
  await service.backfill(service.newHost(), 'revoke', ...confirmed(id));
  await service.usual();
  const waited = await service.backfill(host, 'show', '--wait', '--company', id, ...fast);
  expect(errorOf(waited)).toEqual({ exitCode: 13, code: 'backfill.overtaken' });
});

test.each(['release', 'revoke'] as const)(
  'a %s that someone else has reversed is asked for again, also without waiting',
  async (asked) => {
    const id = service.company(2);
    const host = service.newHost();
    const other = asked === 'release' ? 'revoke' : 'release';
    const settled = [...confirmed(id), '--wait', ...fast];
    await service.backfill(service.newHost(), other, ...settled);
    await service.slow();
    await service.backfill(host, asked, ...confirmed(id));
    await service.usual();
    await service.backfill(service.newHost(), other, ...settled);
    const before = await service.asked();
    const again = dataOf(await service.backfill(host, asked, ...confirmed(id)));
    const sent = (await service.asked()) - before;
    await service.backfill(service.newHost(), asked, ...settled);
    expect([again.exitCode, again.data?.['released'], sent]).toEqual([0, asked === 'release', 1]);
  },
);

test('a release that takes longer than --timeout exits 8, and wait continues without sending again', async () => {
  const id = service.company(3);
  const host = service.newHost();
  await service.slow();
  const before = await service.asked();
  const late = await service.backfill(host, 'release', ...confirmed(id), '--wait', '--timeout', '1s');
  await service.usual();
  // A batch that waits for its time already comes with it; those after it come at the usual pace.
  await service.advance('11m');
  const waited = dataOf(await service.backfill(host, 'show', '--wait', '--company', id, ...fast));
  expect([errorOf(late), waited.exitCode, waited.data?.['hiddenDocumentsCount']]).toEqual([
    { exitCode: 8, code: 'outcome.still_pending' },
    0,
    0,
  ]);
  expect((await service.asked()) - before).toBe(1);
});

test('wait follows a release that another machine requested by its summary', async () => {
  const id = service.company(4);
  await service.backfill(service.newHost(), 'release', ...confirmed(id));
  const waited = dataOf(await service.backfill(service.newHost(), 'show', '--wait', '--company', id, ...fast));
  expect(waited).toMatchObject({ exitCode: 0, data: { companyId: id, released: true, state: 'settled' } });
});

test('several companies are one job, each with its own outcome', async () => {
  const nobody = await service.withoutCapture();
  const ids = [service.company(4), service.company(5), nobody];
  const argv = ['--company', ids.join(','), '--confirm', ids.toReversed().join(','), '--yes'];
  const run = await service.backfill(service.newHost(), 'release', ...argv, '--wait', ...fast);
  const records = inputOrder(recordsOf(run));
  expect({ exitCode: run.exitCode, states: records.map(({ label, state }) => [label, state]) }).toEqual({
    exitCode: 3,
    states: [
      [ids[0], 'skipped'],
      [ids[1], 'succeeded'],
      [nobody, 'failed'],
      [undefined, undefined],
    ],
  });
  expect(records[2]?.['error']).toContain(`fiscal inbound capture enable --type nfse --company ${nobody}`);
});

test('--all-companies covers companies with NFS-e capture, leaves out the others and exits 0', async () => {
  await service.control('POST', 'seed', { companies: 1 });
  const host = service.newHost();
  const shown = await service.backfill(host, 'show', '--all-companies');
  expect({ exitCode: shown.exitCode, rows: recordsOf(shown).length }).toEqual({ exitCode: 0, rows: 6 });
  expect(shown.stderr).toContain('have no NFS-e capture and are left out');
});
