import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { differingService } from '../../support/differing-service.js';
import { runFiscal } from '../../support/host.js';
import { dataOf, errorOf, historyService, recordsOf } from './history.js';

const service = historyService({ companies: 4, documents: 40 });
const columns =
  'companyId,companyName,companyTaxNumber,startFromDate,released,hidden,action,note,plannedAt,fingerprint';
const fast = ['--wait', '--interval', '300ms', '--timeout', '30s'];

async function plan(ids: string) {
  const host = service.newHost();
  const { data } = dataOf(await service.backfill(host, 'plan', '--company', ids, '--out', 'plan.csv', '-o', 'json'));
  const path = join(host.cwd, 'plan.csv');
  const rows = readFileSync(path, 'utf8').trimEnd().split('\n');
  return {
    host,
    id: String(data?.['id']),
    data,
    rows,
    write: (lines: readonly string[]) => writeFileSync(path, `${lines.join('\n')}\n`),
  };
}

test('a plan proposes a release if documents are hidden, and gives the reason otherwise', async () => {
  const [one, other] = [service.company(0), await service.withoutCapture()];
  const run = await service.backfill(service.newHost(), 'plan', '--company', `${one},${other}`, '-o', 'json');
  expect({ exitCode: run.exitCode, rows: JSON.parse(run.stdout) }).toEqual({
    exitCode: 0,
    rows: [
      {
        companyId: one,
        companyName: expect.any(String),
        companyTaxNumber: expect.stringMatching(/^\d{14}$/),
        startFromDate: '2026-10-01T03:00:00.000Z',
        released: false,
        hidden: 10,
        action: 'release',
        note: '10 hidden NFS-e, billed as history when captured',
        plannedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
      {
        companyId: other,
        companyName: 'Sem Captura Ltda',
        companyTaxNumber: '33000167000101',
        action: 'none',
        note: 'no NFS-e capture (404)',
        plannedAt: expect.any(String),
        fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ],
  });
});

test('a plan names the key that lacks the role Management', async () => {
  const answer = await service.control('POST', 'keys', { roles: ['NFSeDist'] });
  // The control API's own shape.
  const { key } = answer as { readonly key: string };
  const host = service.newHost({ FISCAL_INVOICE_KEY: key, FISCAL_COMPANY: service.company(0) });
  const run = await service.backfill(host, 'plan', '-o', 'json');
  expect(run.stdout).toContain('the key lacks the role Management (403)');
  expect(run.stderr).toContain('the service would refuse this plan');
});

test('a new cut-off is proposed with the number of documents it would reveal, if known', async () => {
  const argv = ['plan', '--company', service.company(0), '--from', '2025-10-01', '-o', 'json'];
  const run = await service.backfill(service.newHost(), ...argv);
  expect(JSON.parse(run.stdout)).toMatchObject([
    {
      action: 'start-from 2025-10-01T03:00:00Z',
      note: expect.stringContaining('of the 10 hidden NFS-e, those issued since then would be listed'),
    },
  ]);
});

test('a reviewed plan is released by its id, without the rows that were removed', async () => {
  const ids = [service.company(0), service.company(1), service.company(2)];
  const whole = await plan(ids.join(','));
  whole.write(whole.rows.slice(0, 3));
  const refused = await service.backfill(whole.host, 'release', '--plan', 'plan.csv', '--yes', '--confirm', whole.id);
  const expected = /valid: (\w{8}) is expected/.exec(refused.stderr)?.[1] ?? '';
  const run = await service.backfill(
    whole.host,
    'release',
    '--plan',
    'plan.csv',
    '--yes',
    '--confirm',
    expected,
    ...fast,
  );
  const shown = await service.backfill(service.newHost(), 'show', '--company', ids.join(','));
  expect(errorOf(refused)).toEqual({ exitCode: 2, code: 'usage.invalid_value' });
  expect(run.exitCode).toBe(0);
  expect(recordsOf(shown).map(({ hiddenDocumentsCount }) => hiddenDocumentsCount)).toEqual([0, 0, 10]);
});

test('a row edited to name another company stops the whole plan: nothing is sent', async () => {
  const { host, id, rows, write } = await plan(service.company(2));
  const before = await service.asked();
  write(rows.map((row) => row.replace(service.company(2), service.company(3))));
  const run = await service.backfill(host, 'release', '--plan', 'plan.csv', '--yes', '--confirm', id);
  expect(errorOf(run)).toEqual({ exitCode: 2, code: 'backfill.plan_altered' });
  expect(run.stderr).toContain('line 2');
  expect(run.stderr).toContain('make a new plan: fiscal backfill plan --all-companies');
  expect(await service.asked()).toBe(before);
});

test.each([
  ['the name', (row: string) => row.replace(/^([^,]*),[^,]*/, '$1,Outra Ltda')],
  ['the count', (row: string) => row.replace(',10,release,', ',1,release,')],
  ['the note', (row: string) => row.replace('10 hidden', '1 hidden')],
  ['the time', (row: string) => row.replace(/\d{4}(-\d\d-\d\dT[\d:.]+Z,\w{32})$/, '2027$1')],
])('%s that a person reviewed cannot be edited', async (_name, edit) => {
  const { host, id, rows, write } = await plan(service.company(3));
  const edited = rows.map((row, index) => (index === 0 ? row : edit(row)));
  expect(edited).not.toEqual(rows);
  write(edited);
  const run = await service.backfill(host, 'release', '--plan', 'plan.csv', '--yes', '--confirm', id);
  expect(errorOf(run)).toEqual({ exitCode: 2, code: 'backfill.plan_altered' });
});

test('an approval counts once: after a revoke the same plan sends nothing, and a new one has another id', async () => {
  const id = service.company(3);
  const first = await plan(id);
  const release = ['release', '--plan', 'plan.csv', '--yes', '--confirm', first.id, ...fast];
  const released = await service.backfill(first.host, ...release);
  const again = await service.backfill(first.host, ...release);
  await service.backfill(first.host, 'revoke', '--company', id, '--confirm', id, '--yes', ...fast);
  const before = await service.asked();
  const replayed = await service.backfill(first.host, ...release);
  const second = await plan(id);
  expect([released.exitCode, again.exitCode, errorOf(replayed)]).toEqual([
    ...[0, 0],
    { exitCode: 2, code: 'backfill.plan_used' },
  ]);
  expect(await service.asked()).toBe(before);
  expect(second.id).not.toBe(first.id);
});

test('an approval counts once where another command finished the release, too', async () => {
  const id = service.company(3);
  const { host, id: planId } = await plan(id);
  await service.control('POST', 'faults', { operation: 'nfse.backfill.release', kind: '503', retryAfter: 2, count: 1 });
  const release = ['release', '--plan', 'plan.csv', '--yes', '--confirm', planId];
  const stopped = await service.backfill(host, ...release, '--max-retry-wait', '1s', '-o', 'table');
  const line = /fiscal (job resume \S+)/.exec(stopped.stderr)?.[1] ?? '';
  const resumed = await runFiscal([...line.split(' '), ...fast], host);
  await service.backfill(host, 'revoke', '--company', id, '--confirm', id, '--yes', ...fast);
  const replayed = await service.backfill(host, ...release);
  expect([stopped.exitCode, resumed.exitCode, errorOf(replayed)]).toEqual([
    ...[12, 0],
    { exitCode: 2, code: 'backfill.plan_used' },
  ]);
});

test('an approval counts once where somebody revoked the release while it was followed, too', async () => {
  const id = service.company(3);
  const { host, id: planId } = await plan(id);
  await service.slow();
  const release = ['release', '--plan', 'plan.csv', '--yes', '--confirm', planId, ...fast];
  const sent = await service.asked();
  const followed = service.backfill(host, ...release);
  await vi.waitUntil(async () => (await service.asked()) > sent, { timeout: 20_000 });
  const read = await service.asked('nfse.backfill.summary');
  await vi.waitUntil(async () => (await service.asked('nfse.backfill.summary')) > read + 1, { timeout: 20_000 });
  await service.backfill(service.newHost(), 'revoke', '--company', id, '--confirm', id, '--yes');
  const { exitCode } = await followed;
  await service.usual();
  const before = await service.asked();
  const replayed = await service.backfill(host, ...release);
  expect([exitCode, errorOf(replayed)]).toEqual([3, { exitCode: 2, code: 'backfill.plan_used' }]);
  expect(await service.asked()).toBe(before);
});

test('a company of which the service does not say whether it is released has the reason, and not an empty proposal', async () => {
  const host = service.newHost();
  const other = await differingService(String(host.env['FISCAL_PRODUCT_URL']), {
    json: (path, body) => (path.includes('/backfill') ? { ...Object(body), released: 'no' } : body),
  });
  const env = { ...host.env, FISCAL_PRODUCT_URL: other.url };
  const { exitCode, data } = dataOf(
    await service.backfill({ ...host, env }, 'plan', '--company', service.company(3), '--query', '[0]', '-o', 'json'),
  );
  expect(exitCode).toBe(0);
  expect(data).toMatchObject({
    action: 'none',
    note: expect.stringContaining('the answer of the service does not say whether it is released'),
  });
});

test.each([
  ['companyId,action\nc1,release\n', 'input.missing_column'],
  [`${columns},more\n`, 'input.unknown_column'],
  [`${columns}\n`, 'input.empty'],
  [`${columns}\nc1,,,,,,release,,,\n`, 'backfill.plan_altered'],
])('a file that is not a plan is refused: %j', async (text, code) => {
  const host = service.newHost();
  writeFileSync(join(host.cwd, 'p.csv'), text);
  const run = await service.backfill(host, 'release', '--plan', 'p.csv', '--yes');
  expect(errorOf(run)).toEqual({ exitCode: 2, code });
});

test('a company whose cut-off changed since the plan is not sent: changed, exit 3', async () => {
  const [moved, still] = [service.company(2), service.company(3)];
  const { host, id } = await plan(`${moved},${still}`);
  const cutOff = ['start-from', '2026-09-01', '--company', moved, '--confirm', moved, '--yes'];
  await service.backfill(service.newHost(), ...cutOff);
  const run = await service.backfill(host, 'release', '--plan', 'plan.csv', '--yes', '--confirm', id, ...fast);
  expect(recordsOf(run)).toMatchObject([
    { companyId: moved, state: 'changed', errorCode: 'backfill.changed' },
    { companyId: still, state: 'succeeded' },
    { type: 'summary', succeeded: 1, changed: 1, exitCode: 3 },
  ]);
  const [first] = recordsOf(run);
  expect(run.stderr).toContain(
    `make a new plan: fiscal backfill plan --company ${String(first?.['companyTaxNumber'])}`,
  );
  expect(run.exitCode).toBe(3);
});

test('the documents that a new cut-off hides are counted before it is sent, and it is sent once', async () => {
  const host = service.newHost();
  // The release of the second test is in force there: nothing moves.
  const inForce = ['start-from', '2026-10-15', '--company', service.company(0), '--dry-run'];
  const dry = await service.backfill(host, ...inForce);
  expect(dry.stderr).toContain('a release is in force');
  const id = service.company(2);
  const argv = ['start-from', '2026-11-01', '--company', id];
  const asked = await service.backfill(host, ...argv, '--yes');
  expect(asked.stderr).toMatch(/\d+ listed NFS-e that were issued before it would be hidden/);
  const sent = await service.backfill(host, ...argv, '--yes', '--confirm', id);
  const again = await service.backfill(host, ...argv, '--yes', '--confirm', id);
  expect([dataOf(sent).data, dataOf(again).data?.['state']]).toEqual([
    {
      type: 'backfill',
      companyId: id,
      companyName: expect.any(String),
      companyTaxNumber: expect.stringMatching(/^\d{14}$/),
      startFromDate: '2026-11-01T03:00:00Z',
      state: 'succeeded',
      jobId: expect.any(String),
    },
    'skipped',
  ]);
});
