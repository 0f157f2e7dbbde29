import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { type SheetValue, workbookBytes } from '../../src/io/workbook.js';
import { unzipped } from '../commands/export/unzipped.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What Excel takes in a sheet. */
const MOST_ROWS = 1_048_576;

async function sheetsOf(rows: AsyncIterable<readonly SheetValue[]>): Promise<readonly string[]> {
  const path = join(temporaryFolder(), 'sheet.xlsx');
  const columns = [{ title: 'name', kind: 'text' }] as const;
  await pipeline(workbookBytes(rows, { name: 'items', columns }), createWriteStream(path));
  const entries = [...(await unzipped(path))].filter(([name]) => name.startsWith('xl/worksheets/'));
  return entries.map(([, bytes]) => bytes.toString());
}

async function* numbered(count: number): AsyncGenerator<readonly SheetValue[]> {
  for (let row = 1; row <= count; row += 1) yield [`row ${row}`];
}

test('the rows that no sheet takes stand in a second one, below the same header', async () => {
  const [first = '', second = '', ...others] = await sheetsOf(numbered(MOST_ROWS + 1));
  expect([first.split('<row ').length - 1, second.split('<row ').length - 1, others]).toEqual([MOST_ROWS, 3, []]);
  expect(first.slice(-200)).toContain(`<t>row ${MOST_ROWS - 1}</t>`);
  const texts = [...second.matchAll(/<t>([^<]*)<\/t>/g)].map(([, text]) => text);
  expect(texts).toEqual(['name', `row ${MOST_ROWS}`, `row ${MOST_ROWS + 1}`]);
});

test('text of strangers is text, in a sheet that is well-formed', async () => {
  const strange = ['=HYPERLINK("http://x")', '<b>&"\u0000\u001b[2J\u202e', '\uD800_x0041_\uFFFE', '@a\r\n-b'];
  async function* rows() {
    for (const text of strange) yield [await Promise.resolve(text)];
  }
  const [sheet = ''] = await sheetsOf(rows());
  expect(sheet).not.toContain('<f>');
  expect(sheet).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\uFFFE\uD800-\uDFFF]/);
  const texts = [...sheet.matchAll(/<t(?: [^>]*)?>([^<]*)<\/t>/g)].map(([, text]) => text);
  expect(texts).toEqual([
    'name',
    '=HYPERLINK("http://x")',
    '&lt;b&gt;&amp;"_x0000__x001B_[2J\u202e',
    '\uFFFD_x005F_x0041_\uFFFD',
    '@a_x000D_\n-b',
  ]);
});
