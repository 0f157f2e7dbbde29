import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runFiscal, testHost } from '../support/host.js';
import { fields, fixture, ofType, serveCase } from './served-case.js';

describe('a list of keys as spreadsheets write it', () => {
  test.fails.each([
    ['with sep=; above its titles', 'k10.csv'],
    ['with each key as a formula', 'k7.csv'],
    ['with a quote before the key', 'k8.csv'],
  ])('is read: %s', async (_, file) => {
    const machine = await serveCase('reconcile-gone');
    await machine.fiscal('inbound', 'sync');
    const argv = ['inbound', 'reconcile', '--erp', fixture('sped-lists', file), '--month', '2026-10'];
    const [counts] = ofType(await machine.records(...argv), 'reconciliation');
    expect(fields(counts, 'erp', 'matched', 'invalid-key')).toEqual({
      ...{ erp: 1, matched: 1, 'invalid-key': 0 },
    });
  });

  test.fails('is refused, with the value, where the digits of the key are gone', async () => {
    const machine = await serveCase('reconcile-gone');
    await machine.fiscal('inbound', 'sync');
    const argv = ['inbound', 'reconcile', '--erp', fixture('sped-lists', 'k13.csv'), '--month', '2026-10'];
    const { exitCode, stdout, stderr } = await machine.fiscal(...argv);
    expect([2, 3]).toContain(exitCode);
    expect(stdout + stderr).toContain('3,52610E+43');
  });
});

test.fails('a product without a GTIN says so in the words of the layout', async () => {
  const env = { FISCAL_PRODUCT_URL: 'http://127.0.0.1:9', FISCAL_TENANT: 't1', FISCAL_INVOICE_KEY: 'i-key' };
  const argv = ['product', 'import', fixture('gtin', 'p.csv'), '--dry-run'];
  const { exitCode, stderr } = await runFiscal(argv, testHost({ env }));
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.not.stringContaining('GTIN') as string,
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

test.fails('a certificate in the old encryption of Windows is read, or refused in a sentence', async () => {
  const machine = await serveCase('tz');
  machine.put('password', '1234\n');
  const file = fixture('pfx-rc2', 'rc2.pfx');
  const argv = ['certificate', 'upload', '--file', file, '--password-file', 'password', '--dry-run'];
  const { exitCode, stderr } = await machine.fiscal(...argv);
  expect([0, 2]).toContain(exitCode);
  expect(stderr).not.toContain('internal');
});
