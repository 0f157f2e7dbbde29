import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkPfx } from '../../src/services/company/pfx.js';
import { runFiscal, testHost } from '../support/host.js';
import { fields, fixture, ofType, serveCase } from './served-case.js';

describe('a list of keys as spreadsheets write it', () => {
  test.each([
    ['with sep=; above its titles', 'k10.csv'],
    ['with each key as a formula', 'k7.csv'],
    ['with a quote before the key', 'k8.csv'],
  ])('is read: %s', async (_, file) => {
    const machine = await serveCase('reconcile-gone');
    await machine.fiscal('inbound', 'sync');
    const argv = ['inbound', 'reconcile', '--erp', fixture('sped-lists', file), '--month', '2026-10'];
    const [counts] = ofType(await machine.records(...argv), 'reconciliation');
    expect(fields(counts, 'erp', 'matched', 'invalid-key')).toEqual({ ...{ erp: 1, matched: 1, 'invalid-key': 0 } });
  });

  test('is refused, with the value, where the digits of the key are gone', async () => {
    const machine = await serveCase('reconcile-gone');
    await machine.fiscal('inbound', 'sync');
    const argv = ['inbound', 'reconcile', '--erp', fixture('sped-lists', 'k13.csv'), '--month', '2026-10'];
    const { exitCode, stdout, stderr } = await machine.fiscal(...argv);
    expect([2, 3]).toContain(exitCode);
    expect(stdout + stderr).toContain('3,52610E+43');
  });
});

test('a product without a GTIN says so in the words of the layout', async () => {
  const env = { FISCAL_PRODUCT_URL: 'http://127.0.0.1:9', FISCAL_TENANT: 't1', FISCAL_INVOICE_KEY: 'i-key' };
  const argv = ['product', 'apply', '--create-only', fixture('gtin', 'p.csv'), '--dry-run'];
  const { exitCode, stderr } = await runFiscal(argv, testHost({ env }));
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringContaining('gtin is "SEM GTIN": the product has none') as string,
  });
});

describe('two companies without a CNPJ', () => {
  test('have a page each in the report of a month', async () => {
    const machine = await serveCase('report-overwrite');
    await machine.fiscal('inbound', 'sync', '--all-companies');
    await machine.fiscal('report', 'month', '2026-10', '--all-companies', '--out', 'reports');
    const pages = readdirSync(join(machine.host.cwd, 'reports')).filter((name) => name !== 'index.html');
    expect(pages).toHaveLength(2);
  });

  test('do not replace each other where they are asked for one by one', async () => {
    const machine = await serveCase('report-overwrite');
    await machine.fiscal('inbound', 'sync', '--all-companies');
    await machine.fiscal('report', 'month', '2026-10', '--company', 'a', '--out', 'reports');
    const second = await machine.fiscal('report', 'month', '2026-10', '--company', 'b', '--out', 'reports');
    const pages = readdirSync(join(machine.host.cwd, 'reports'));
    expect(second.exitCode === 2 ? 2 : pages.length).toBe(2);
  });
});

test('a certificate in the old encryption of Windows is read', async () => {
  const file = readFileSync(fixture('pfx-rc2', 'rc2.pfx'));
  const program = { execPath: process.execPath, path: '', pid: 0 };
  const context = { env: {}, interruption: new AbortController().signal, program };
  const use = { path: 'rc2.pfx', file, password: '1234', now: Date.UTC(2026, 11, 1), context };
  expect(await checkPfx({ ...use, companyTaxNumber: '44555666000181' })).toEqual({
    subject: 'C=BR, O=ICP-Brasil, CN=EMPRESA TESTE:44555666000158',
    validUntil: '2028-01-02T02:53:50.000Z',
    taxNumber: '44555666000158',
    thumbprint: 'D4713B5B3B59AC9F713EF964A0798F426B2BCF38',
  });
});
