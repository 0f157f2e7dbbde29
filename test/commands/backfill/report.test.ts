import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { formatCnpj } from '../../../src/domain/tax-number.js';
import type { TestHost } from '../../support/host.js';
import { dataOf, errorOf, historyService, recordsOf } from './history.js';

const service = historyService({ companies: 8, documents: 80 });
const fast = ['--wait', '--interval', '300ms', '--timeout', '30s'];
const run = { GITHUB_SERVER_URL: 'https://github.example', GITHUB_REPOSITORY: 'acme/notas', GITHUB_RUN_ID: '42' };
const ciRun = 'https://github.example/acme/notas/actions/runs/42';

/** A plan of these companies, approved, and what releases it. */
async function planned(ids: readonly string[], host: TestHost) {
  const made = await service.backfill(host, 'plan', '--company', ids.join(','), '--out', 'plan.csv', '-o', 'json');
  const id = String(dataOf(made).data?.['id']);
  return { id, release: ['release', '--plan', 'plan.csv', '--confirm', id, '--yes', ...fast] };
}

const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const label = { companyName: expect.any(String), companyTaxNumber: expect.stringMatching(/^\d{14}$/) };

test('a row says what was hidden, revealed, asked for by whom, and that job and service agree', async () => {
  const host = { ...service.newHost(run), names: { machine: 'runner-1', user: 'ana' } };
  const ids = [service.company(0), service.company(1)];
  const { id, release } = await planned(ids, host);
  const approved = await service.backfill(host, 'approve', 'plan.csv', '--by', 'Maria Silva');
  const released = await service.backfill(host, ...release, '--report', 'released.csv');
  writeFileSync(join(host.cwd, 'prices.yaml'), 'prices:\n  - of: history\n    from: 2020-01-01\n    price: 0.05\n');
  const report = await service.backfill(
    host,
    'report',
    '--plan',
    'plan.csv',
    '--prices',
    'prices.yaml',
    '-o',
    'ndjson',
  );
  const rows = recordsOf(report);
  const who = { machine: 'runner-1', user: 'ana', ciRun };
  const row = (companyId: string) => ({
    ...{ type: 'report', companyId, ...label, asked: 'release', state: 'succeeded', evidence: 'both' },
    ...{ hiddenBefore: 10, hiddenAfter: 0, revealed: 10, requestedAt: aTime, settledAt: aTime },
    ...{ ...who, jobId: expect.any(String), requestId: expect.any(String) },
    ...{ planId: id, approvedBy: 'Maria Silva', approvedAt: aTime },
    ...{ billedAs: 'history', billedDocuments: 10, price: '0.05', cost: '0.5' },
  });
  expect([approved.exitCode, released.exitCode, report.exitCode]).toEqual([0, 0, 0]);
  expect(rows).toEqual([
    ...ids.map(row),
    {
      ...{ type: 'summary', companies: 2, rows: 2, succeeded: 2, pending: 0, failed: 0, uncertain: 0 },
      ...{ revealed: 20, billedDocuments: 20, cost: '1', exitCode: 0 },
    },
  ]);
  // The report of the run has the same facts, as far as the run knows them.
  const [first]: readonly Record<string, string>[] = parse(readFileSync(join(host.cwd, 'released.csv'), 'utf8'), {
    columns: true,
  });
  expect(first).toMatchObject({
    ...{ hiddenBefore: '10', hiddenDocumentsCount: '0', revealed: '10', ...who, planId: id },
    ...{ approvedBy: 'Maria Silva', requestId: rows[0]?.['requestId'] },
  });
  expect(recordsOf(released).at(-1)).toMatchObject({ planId: id, approvedBy: 'Maria Silva' });
});

test('a refused release has its reason and its request id, and reveals nothing', async () => {
  const key = async (roles: readonly string[]) =>
    // The control API's own shape.
    ((await service.control('POST', 'keys', { roles })) as { readonly key: string }).key;
  const host = service.newHost();
  const { release } = await planned([service.company(2), service.company(3)], host);
  const env = { ...host.env, FISCAL_INVOICE_KEY: await key(['NFSeDist']) };
  const refused = await service.backfill({ ...host, env }, ...release);
  const report = await service.backfill(host, 'report', '-o', 'ndjson');
  const [first] = recordsOf(report);
  expect([refused.exitCode, report.exitCode]).toEqual([7, 0]);
  expect(first).toMatchObject({
    ...{ state: 'failed', evidence: 'both', errorCode: 'backfill.forbidden', requestId: expect.any(String) },
    ...{ hiddenBefore: 10, hiddenAfter: 10 },
  });
  expect(first).not.toHaveProperty('revealed');
  expect(recordsOf(report).at(-1)).toMatchObject({ failed: 2, revealed: 0, exitCode: 0 });
});

test('a release that was revoked by somebody else is a disagreement: exit 3', async () => {
  const host = service.newHost();
  const company = service.company(4);
  const { release } = await planned([company], host);
  await service.backfill(host, ...release);
  await service.backfill(service.newHost(), 'revoke', '--company', company, '--confirm', company, '--yes', ...fast);
  const report = await service.backfill(host, 'report', '-o', 'ndjson');
  const [row, summary] = recordsOf(report);
  expect(report.exitCode).toBe(3);
  expect(row).toMatchObject({
    ...{ state: 'succeeded', evidence: 'disagree', hiddenAfter: 10 },
    note: 'the service says now: not released, 10 hidden',
  });
  expect(row).not.toHaveProperty('revealed');
  expect(summary).toMatchObject({ uncertain: 1, revealedUnknown: 1, exitCode: 3 });
  expect(summary).not.toHaveProperty('revealed');
});

test('a release that this store has revoked since is no disagreement', async () => {
  const host = service.newHost();
  const company = service.company(5);
  const { release } = await planned([company], host);
  await service.backfill(host, ...release);
  await service.backfill(host, 'revoke', '--company', company, '--confirm', company, '--yes', ...fast);
  const report = await service.backfill(host, 'report', '-o', 'ndjson');
  expect([
    report.exitCode,
    recordsOf(report).map(({ asked, evidence, revealed }) => [asked, evidence, revealed]),
  ]).toEqual([
    0,
    [
      ['release', 'job', 10],
      ['revoke', 'both', undefined],
      [undefined, undefined, 10],
    ],
  ]);
});

test('what was revealed, hidden and revealed again counts once in the sum', async () => {
  const host = service.newHost();
  const company = service.company(5);
  const confirmed = ['--company', company, '--confirm', company, '--yes', ...fast];
  for (const asked of ['release', 'revoke', 'release']) await service.backfill(host, asked, ...confirmed);
  const records = recordsOf(await service.backfill(host, 'report', '-o', 'ndjson'));
  expect(records.map(({ asked, revealed }) => [asked, revealed])).toEqual([
    ['release', 10],
    ['revoke', undefined],
    ['release', 10],
    [undefined, 10],
  ]);
});

test('a service that cannot be read leaves what the job says, uncertain: exit 3', async () => {
  const host = service.newHost();
  const { release } = await planned([service.company(6)], host);
  await service.backfill(host, ...release);
  const env = { ...host.env, FISCAL_INVOICE_KEY: 'of-nobody' };
  const report = await service.backfill({ ...host, env }, 'report', '-o', 'ndjson');
  expect(report.exitCode).toBe(3);
  expect(recordsOf(report)[0]).toMatchObject({
    ...{ state: 'succeeded', evidence: 'job', hiddenAfter: 0, revealed: 10 },
    note: expect.stringContaining('the service could not be read: '),
  });
  expect(report.stderr).toContain('the service could not be read: ');
});

test('a plan of which nothing is known has revealed an unknown number, and not 0', async () => {
  const host = service.newHost();
  await planned([service.company(7)], host);
  const env = { ...host.env, FISCAL_INVOICE_KEY: 'of-nobody' };
  const report = await service.backfill({ ...host, env }, 'report', '--plan', 'plan.csv', '-o', 'ndjson');
  const nothing = await service.backfill(host, 'report', '-o', 'ndjson');
  expect([report.exitCode, nothing.exitCode]).toEqual([3, 3]);
  expect(recordsOf(report).at(-1)).toMatchObject({ rows: 1, uncertain: 1, revealedUnknown: 1 });
  expect(recordsOf(report).at(-1)).not.toHaveProperty('revealed');
  expect(recordsOf(nothing).at(-1)).not.toHaveProperty('revealed');
});

test('on a machine that sent nothing, a plan is answered by the service: who asked is not known', async () => {
  const host = service.newHost();
  const ids = [service.company(6), service.company(7)];
  const made = service.newHost();
  await service.backfill(made, 'revoke', '--company', ids[0] ?? '', '--confirm', ids[0] ?? '', '--yes', ...fast);
  const { id } = await planned(ids, host);
  await service.backfill(made, 'release', '--company', ids[0] ?? '', '--confirm', ids[0] ?? '', '--yes', ...fast);
  const nothing = await service.backfill(host, 'report', '-o', 'ndjson');
  const report = await service.backfill(host, 'report', '--plan', 'plan.csv', '-o', 'ndjson');
  const note = 'no job of this store asked for it: who did, and when, is not known here';
  const billed = { planId: id, billedAs: 'history', billedDocuments: 10, note };
  const row = { type: 'report', ...label, asked: 'release', evidence: 'service', hiddenBefore: 10, ...billed };
  expect([nothing.exitCode, report.exitCode]).toEqual([3, 0]);
  expect(nothing.stderr).toContain('this store knows no release and no revoke');
  expect(recordsOf(report)).toEqual([
    { ...row, companyId: ids[0], state: 'settled', hiddenAfter: 0, revealed: 10 },
    { ...row, companyId: ids[1], state: 'hidden', hiddenAfter: 10 },
    {
      ...{ type: 'summary', companies: 2, rows: 2, succeeded: 1, pending: 0, failed: 0, uncertain: 0 },
      ...{ revealed: 10, billedDocuments: 20, exitCode: 0 },
    },
  ]);
});

test('a plan whose company another plan of this store has released says which, and not that nobody knows', async () => {
  const host = service.newHost();
  const ids = [service.company(6)];
  await service.backfill(host, 'revoke', '--company', ids.join(','), '--confirm', ids.join(','), '--yes', ...fast);
  const second = await service.backfill(host, 'plan', '--company', ids.join(','), '--out', 'second.csv', '-o', 'json');
  const first = await planned(ids, host);
  await service.backfill(host, ...first.release);
  const secondId = String(dataOf(second).data?.['id']);
  await service.backfill(host, 'release', '--plan', 'second.csv', '--confirm', secondId, '--yes', ...fast);
  const [row] = recordsOf(await service.backfill(host, 'report', '--plan', 'second.csv', '-o', 'ndjson'));
  expect(row).toMatchObject({ state: 'succeeded', evidence: 'both', planId: first.id, requestId: expect.any(String) });
  expect(row).not.toHaveProperty('note');
});

test('a report is written for a spreadsheet, the summary of a step, and people', async () => {
  const host = service.newHost({ FISCAL_LANG: 'pt' });
  await planned([service.company(7)], host);
  const files = ['r.csv', 'r.xlsx', 'r.md', 'r.html'];
  for (const file of files) {
    const report = await service.backfill(host, 'report', '--plan', 'plan.csv', '--out', file, '-o', 'ndjson');
    expect([report.exitCode, recordsOf(report)]).toMatchObject([0, [{ type: 'summary', companies: 1, out: file }]]);
  }
  const [csv = '', xlsx, md = '', html = ''] = files.map((file) => readFileSync(join(host.cwd, file), 'utf8'));
  const [row]: readonly Record<string, string>[] = parse(csv, { columns: true });
  expect(row).toMatchObject({ companyId: service.company(7), state: 'hidden', hiddenBefore: '10', machine: '' });
  expect(xlsx?.slice(0, 2)).toBe('PK');
  const cnpj = formatCnpj(row?.['companyTaxNumber'] ?? '');
  expect(md.split('\n').filter((line) => line.includes(cnpj))).toEqual([
    expect.stringMatching(
      /^\| .* \| liberar \| oculta \| 10 \| 10 \| [0-9a-f]{8} \| 10 \| só o serviço \| nenhum lote /,
    ),
  ]);
  expect(html).toMatch(/^<!doctype html>\n<html lang="pt-BR">/);
  expect(html).toContain(cnpj);
  const refused = await service.backfill(host, 'report', '--out', 'r.pdf');
  expect(errorOf(refused)).toEqual({ exitCode: 2, code: 'usage.invalid_value' });
});

test('a job of another kind has no report', async () => {
  const host = service.newHost();
  const company = service.company(7);
  await service.backfill(host, 'start-from', '2026-09-01', '--company', company, '--confirm', company, '--yes');
  const known = await service.backfill(host, 'report', '--job', 'ffff');
  expect(errorOf(known)).toEqual({ exitCode: 9, code: 'job.not_found' });
});
