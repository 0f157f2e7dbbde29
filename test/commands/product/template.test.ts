import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFiscal, testHost } from '../../support/host.js';

const url = 'http://127.0.0.1:1';
const env = {
  FISCAL_PRODUCT_URL: url,
  FISCAL_SERVICE_URL: url,
  FISCAL_INVOICE_KEY: 'k',
  FISCAL_TENANT: 't1',
  FISCAL_COMPANY: 'c1',
};

function machine() {
  return testHost({ env: { ...testHost().env, ...env }, companies: ['c1'] });
}

test('a template has the titles of the language; its example is left out of an import', async () => {
  const host = machine();
  const made = await runFiscal(['product', 'apply', '--create-only', '--template', 'p.csv', '--lang', 'pt-BR'], host);
  expect(made).toMatchObject({
    exitCode: 0,
    stderr: 'preencha p.csv e depois: fiscal product apply p.csv --create-only --tenant t1\n',
  });
  const text = readFileSync(join(host.cwd, 'p.csv'), 'utf8');
  expect(text).toBe(
    '\uFEFFcódigo;descrição;origem;ncm;cest;código de barras\r\n' +
      'EXEMPLO: apague esta linha;Café torrado 500 g;0;"=""09012100""";;7891000315507\r\n',
  );
  const empty = await runFiscal(
    ['product', 'apply', '--create-only', 'p.csv', '--dry-run', '--error-format', 'text'],
    host,
  );
  expect(empty).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('p.csv has no records') });

  writeFileSync(join(host.cwd, 'p.csv'), `${text}A;Chá;0;09021000;;\r\n`);
  const filled = await runFiscal(['product', 'apply', '--create-only', 'p.csv', '--dry-run', '-o', 'json'], host);
  expect(filled.stderr).toContain('p.csv: leaves out the example of the template in row 2');
  expect(JSON.parse(filled.stdout)).toMatchObject({ records: 1, request: { body: { sku: 'A' } } });
});

/** The example itself is valid: it becomes a record as soon as it has a name of its own. */
test.each([
  { words: ['product', 'apply', '--create-only'], own: 'A' },
  { words: ['manifestation', 'apply'], own: '35261057049000141530550010000000011000000007' },
  { words: ['invoice', 'apply', '--model', 'nfe'], own: 'order-1' },
  { words: ['invoice', 'apply', '--model', 'nfce'], own: 'order-1' },
  { words: ['invoice', 'apply', '--model', 'nfse'], own: 'order-1' },
])('the example of $words can be imported', async ({ words, own }) => {
  const host = machine();
  expect((await runFiscal([...words, '--template', 'p.csv'], host)).exitCode).toBe(0);
  const path = join(host.cwd, 'p.csv');
  writeFileSync(path, readFileSync(path, 'utf8').replace('EXAMPLE: delete this row', own));
  const read = await runFiscal([...words, 'p.csv', '--dry-run', '-o', 'json', '--error-format', 'text'], host);
  expect(read.stderr).not.toContain('not valid');
  expect(JSON.parse(read.stdout)).toMatchObject({ valid: 1, invalid: 0 });
});

test('a workbook is written as well; no file is replaced, and an import needs a file', async () => {
  const host = machine();
  const again = ['product', 'apply', '--template', 'p.xlsx', '--error-format', 'text'];
  expect((await runFiscal(again, host)).exitCode).toBe(0);
  const before = readFileSync(join(host.cwd, 'p.xlsx'));
  expect(await runFiscal(again, host)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('cannot write p.xlsx: it is there already'),
  });
  expect(readFileSync(join(host.cwd, 'p.xlsx'))).toEqual(before);
  const refused = async (...words: string[]) =>
    (await runFiscal(['product', 'apply', '--create-only', ...words], host)).exitCode;
  expect(await refused('--template', 'p.ods')).toBe(2);
  expect(await refused('p.xlsx', '--template', 'q.xlsx')).toBe(2);
  expect(await refused()).toBe(2);
});
