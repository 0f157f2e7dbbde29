import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeEach, expect, test } from 'vitest';
import { runFiscal } from '../../support/host.js';
import { ArchivedMonth } from '../inbound/archived-month.js';
import { nfe, NFE_KEY } from './documents.js';
import { unzipped } from './unzipped.js';

let month: ArchivedMonth;

beforeEach(async () => {
  month = await ArchivedMonth.open();
});

async function fiscal(...words: string[]) {
  return await month.fiscal('export', 'table', ...words, '--archive', month.archive);
}

async function csv(name: string, ...more: string[]) {
  const { stdout, exitCode, stderr } = await fiscal(name, '2026-10', '--out', '-', ...more);
  const rows = parse<Record<string, string>>(stdout, { columns: true, bom: true });
  return { rows, exitCode, stderr };
}

test('line ends, quotes, separators and control characters stay in their cell', async () => {
  const odd = `a"b;c,d&#10;e&#13;&#10;f&#9;g\u0085\u001f`.replace('\u001f', '\u009b31m');
  await month.add('nfe', NFE_KEY, nfe.replace('Café torrado', odd));
  const { rows, exitCode } = await csv('items');
  expect([exitCode, rows.length]).toEqual([0, 2]);
  expect(rows[0]?.['description']).toBe('a"b;c,d\ne\r\nf\tg\u0085\u009b31m');
  const { stdout } = await fiscal('items', '2026-10', '--out', '-', '--format', 'csv-excel-br');
  const excel = parse<Record<string, string>>(stdout, { columns: true, bom: true, delimiter: ';' });
  expect(excel[0]?.['description']).toBe('a"b;c,d\ne\r\nf\tg\u0085\u009b31m');
});

test('a text that Excel would run or change is text for it', async () => {
  const names = ['+1', '-2+3', '@SUM', '=1', '\u00a0=1', '12E34', '1/2', '007', 'R$ 5', '-5', '"x"'];
  for (const [index, name] of names.entries()) {
    const key = `${NFE_KEY.slice(0, -2)}${String(index + 10)}`;
    const text = nfe.replace('Café torrado', name.replaceAll('"', '&quot;')).replace('<nNF>1<', `<nNF>${index}<`);
    await month.add('nfe', key, text);
  }
  const { stdout } = await fiscal('items', '2026-10', '--out', '-', '--format', 'csv-excel-br');
  const rows = parse<Record<string, string>>(stdout, { columns: true, bom: true, delimiter: ';' });
  const shown = rows.filter(({ item }) => item === '1').toSorted((a, b) => numberOf(a) - numberOf(b));
  expect(shown.map(({ description }) => description)).toEqual([
    ...['="+1"', '="-2+3"', "'@SUM", "'=1"],
    ...["'=1", '="12E34"', '="1/2"', '="007"', 'R$ 5', '="-5"', '"x"'],
  ]);
});

function numberOf({ number = '' }: Record<string, string>): number {
  return Number(number.replaceAll(/\D/g, ''));
}

test('a field longer than a cell makes the document unreadable; one that no column has does not', async () => {
  const long = 'x'.repeat(10_000_000);
  await month.add('nfe', NFE_KEY, nfe.replace('Café torrado', long));
  await month.add(
    'nfe',
    `${NFE_KEY.slice(0, -1)}5`,
    nfe.replace('</total>', `</total><infAdic><infCpl>${long}</infCpl></infAdic>`),
  );
  const { rows, exitCode, stderr } = await csv('items');
  expect([exitCode, rows.length]).toEqual([3, 2]);
  expect(stderr).toContain(`(unreadable 1; the first: ${NFE_KEY})`);
});

test('a document of 10,000 items has 10,000 rows', async () => {
  const [, item = ''] = /(<det nItem="1">.*?<\/det>)/s.exec(nfe) ?? [];
  const items = Array.from({ length: 9_998 }, (_, index) => item.replace('nItem="1"', `nItem="${index + 3}"`));
  await month.add('nfe', NFE_KEY, nfe.replace('<total>', `${items.join('')}<total>`));
  const { rows, exitCode } = await csv('items');
  expect([exitCode, rows.length, rows.at(-1)?.['item']]).toEqual([0, 10_000, '10000']);
});

test('figures of many items are added exactly', async () => {
  const [, item = ''] = /(<det nItem="2">.*?<\/det>)/s.exec(nfe) ?? [];
  const tenth = item.replace('<vProd>50.00<', '<vProd>0.1<');
  await month.add('nfe', NFE_KEY, nfe.replace(/<det.*<\/det>/s, tenth.repeat(3)));
  const { stdout } = await fiscal('items', '2026-10', '--out', join(month.host.root, 'i.csv'), '-o', 'json');
  expect(JSON.parse(stdout)).toContainEqual({
    ...{
      type: 'total',
      direction: 'received',
      documentType: 'nfe',
      state: 'standing',
      rows: 3,
      amount: '0.30',
      withoutAmount: 0,
    },
  });
});

test('a workbook has real numbers and dates, keys as text, and a frozen header', async () => {
  await month.add('nfe', NFE_KEY, nfe.replace('2.0000</qCom>', '12345678901234.5678</qCom>'));
  const file = join(month.host.root, 'items.xlsx');
  expect((await fiscal('items', '2026-10', '--out', file)).exitCode).toBe(0);
  const sheet = (await unzipped(file)).get('xl/worksheets/sheet1.xml') ?? '';
  const cells = [...String(sheet).matchAll(/<c r="([A-Z]+)2"([^>]*)>(.*?)<\/c>/g)].map(([, at, kind, text]) => [
    at,
    /t="(\w+)"/.exec(kind ?? '')?.[1] ?? 'n',
    (text ?? '').replaceAll(/<[^>]*>/g, ''),
  ]);
  const at = (letter: string) => cells.find(([name]) => name === letter)?.slice(1);
  expect(at('E')).toEqual(['inlineStr', NFE_KEY]);
  // 5 October 2026, 09:30:15.
  expect(at('J')?.[0]).toBe('n');
  expect(Number(at('J')?.[1])).toBeCloseTo(46_300 + (9 * 3600 + 30 * 60 + 15) / 86_400, 6);
  const names = String(sheet).slice(0, String(sheet).indexOf('r="2"'));
  const letterOf = (name: string) => new RegExp(`<c r="([A-Z]+)1"[^>]*><is><t[^>]*>${name}<`).exec(names)?.[1] ?? '';
  expect(at(letterOf('amount'))).toEqual(['n', '100.1']);
  expect(at(letterOf('quantity'))).toEqual(['inlineStr', '12345678901234.5678']);
  expect(at(letterOf('ncm'))).toEqual(['inlineStr', '09012100']);
  expect(String(sheet)).toMatch(/<pane[^>]*state="frozen"/);
  expect(String(sheet)).not.toContain('<f>');
});

test('a reader that closes the pipe ends the run quietly', async () => {
  for (let index = 10; index < 30; index += 1) await month.add('nfe', `${NFE_KEY.slice(0, -2)}${index}`, nfe);
  const { host } = month;
  let writes = 0;
  const stdout = { ...host.stdout, writeBytes: () => Promise.resolve(void (writes += 1)), closed: true };
  const words = ['export', 'table', 'header', '2026-10', '--out', '-', '--archive', month.archive];
  const { exitCode, stderr } = await runFiscal(words, { ...host, stdout });
  expect([exitCode, writes]).toEqual([0, 1]);
  expect(stderr).not.toContain('rows');
});

test('a terminal is no place for a table', async () => {
  const { host } = month;
  const stdout = { ...host.stdout, isTerminal: true };
  const { exitCode } = await runFiscal(['export', 'table', 'header', '2026-10', '--out', '-'], { ...host, stdout });
  expect(exitCode).toBe(2);
});

test('a file counts only with the hash that the store has of it', async () => {
  const path = await month.add('nfe', NFE_KEY, nfe);
  writeFileSync(month.path(path), nfe.replace('Café torrado', 'Chá'));
  expect((await csv('items')).rows).toEqual([]);
  await month.add('nfe', NFE_KEY, nfe.replace('Café torrado', 'Chá'));
  expect((await csv('items')).rows[0]?.['description']).toBe('Chá');
});
