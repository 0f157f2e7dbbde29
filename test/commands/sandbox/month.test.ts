import { describe, expect, it } from 'vitest';
import { runFiscal, testHost } from '../../support/host.js';

const exec = (script: string, ...flags: string[]): string[] => [
  'sandbox',
  'exec',
  ...flags,
  '--',
  process.execPath,
  '-e',
  script,
];

/** Run by the command of `sandbox exec`: its exit code tells how a read of bytes is answered. */
const readsBytes = `
  const { FISCAL_PRODUCT_URL: url, FISCAL_COMPANY: company, FISCAL_INVOICE_KEY: authorization } = process.env;
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"documents":1}' };
  const exitCodes = { 'application/xml': 21, 'application/json; charset=utf-8': 22, null: 23 };
  fetch(url + '/__sandbox/seed', post)
    .then((answer) => answer.json())
    .then(({ captured: [{ accessKey }] }) => url + '/v2/companies/' + company + '/inbound/nfe/' + accessKey + '/xml')
    .then((address) => fetch(address, { headers: { authorization }, redirect: 'manual' }))
    .then(({ headers }) => process.exit(exitCodes[headers.get('content-type')]));
`;

describe('fiscal sandbox seed --scenario month', () => {
  it('seeds the embedded sandbox with a month and prints what it created', async () => {
    const host = testHost();
    const flags = ['--scenario', 'month', '--month', '2026-03', '--documents', '300', '--companies', '3'];
    const result = await runFiscal(['sandbox', 'seed', ...flags, '--seed', '7', '-o', 'json'], host);
    const made = JSON.parse(result.stdout);
    expect(made).toEqual({
      month: '2026-03',
      companies: 3,
      documents: 300,
      byFamily: { nfe: expect.any(Number), cte: expect.any(Number), nfse: expect.any(Number) },
      events: expect.any(Number),
      hidden: 3,
      uncaptured: expect.any(Number),
      seed: 7,
    });
  });

  it('reports an invalid month', async () => {
    const flags = ['--scenario', 'month', '--month', '2026-13', '--documents', '1'];
    const result = await runFiscal(['sandbox', 'seed', ...flags], testHost());
    expect(result.exitCode).not.toBe(0);
    expect(result.stderr).toContain('2026-10');
  });
});

describe('fiscal sandbox seed --scenario history', () => {
  it('hides the documents, and records them in the ledger as billed captures', async () => {
    const host = testHost();
    const flags = ['--scenario', 'history', '--month', '2026-03', '--documents', '20', '--companies', '2'];
    const result = await runFiscal(['sandbox', 'seed', ...flags, '--seed', '7', '-o', 'json'], host);
    expect(JSON.parse(result.stdout)).toEqual({ month: '2026-03', companies: 2, documents: 20, hidden: 20, seed: 7 });
    const ledger = await runFiscal(['sandbox', 'ledger', '-o', 'json'], host);
    const lines: readonly Readonly<Record<string, unknown>>[] = JSON.parse(ledger.stdout);
    expect(lines.map(({ type, billed }) => ({ type, billed }))).toEqual([
      { type: 'capture', billed: 'history' },
      { type: 'capture', billed: 'history' },
    ]);
  });
});

describe('fiscal sandbox exec --bytes', () => {
  it.each([
    ['bytes', 21],
    ['json', 22],
    ['redirect', 23],
  ])('delivers bytes by %s', async (mode, exitCode) => {
    const result = await runFiscal(exec(readsBytes, '--bytes', mode), testHost());
    expect([result.exitCode, result.stderr]).toEqual([exitCode, '']);
  });
});
