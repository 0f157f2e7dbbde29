import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Text } from '../../../../src/contract/text.js';
import { FiscalError } from '../../../../src/errors/fiscal-error.js';
import { CellReader } from '../../../../src/services/input/cell-reader.js';
import type { InputRecord, RecordRules } from '../../../../src/services/input/record.js';
import { readRecords } from '../../../../src/services/input/records.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { textRows, workbookOf, zipOf, type WorkbookParts } from '../../../support/workbook.js';

const rules: RecordRules = {
  parse: (text) => JSON.parse(text),
  rows: (header) => (cells) => ({ value: Object.fromEntries(header.map((title, index) => [title, cells[index]])) }),
};

async function read(bytes: Uint8Array, sheet?: string) {
  const file = join(temporaryFolder(), 'a.xlsx');
  await writeFile(file, bytes);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
  }
  const reader = new CellReader({ sheet });
  const source = { name: 'a.xlsx', extension: '', bytes: chunks, close: async () => {} };
  const records: InputRecord[] = [];
  for await (const record of readRecords(source, rules, undefined, reader)) records.push(record);
  return { records, said: reader.conversions.texts('a.xlsx').map(({ en }: Text) => en) };
}

const sheet = (rows: string, more: Omit<WorkbookParts, 'sheets'> = {}) =>
  workbookOf({ sheets: { Plan1: rows }, ...more });

async function refusal(bytes: Uint8Array, name?: string): Promise<string> {
  const error: unknown = await read(bytes, name).catch((thrown: unknown) => thrown);
  if (!(error instanceof FiscalError)) throw error;
  return `${error.code} (${error.exitCode}): ${error.message}`;
}

describe('the cells of a workbook', () => {
  test('texts are shared, inline, rich or computed; a row keeps the number that the spreadsheet shows', async () => {
    const bytes = sheet(
      '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="inlineStr"><is><t>nome</t></is></c><c r="C2" t="inlineStr"><is><t>soma</t></is></c></row>' +
        '<row r="5"><c r="A5" t="s"><v>1</v></c><c r="B5" t="inlineStr"><is><r><t>Ca</t></r><r><t>fé</t></r><rPh><t>x</t></rPh></is></c><c r="C5" t="str"><f>A1&amp;B1</f><v>a_x000A_b</v></c></row>',
      { strings: '<si><t>sku</t></si><si><t xml:space="preserve"> A &lt;1</t></si>' },
    );
    expect((await read(bytes)).records).toEqual([{ line: 5, value: { sku: ' A <1', nome: 'Café', soma: 'a\nb' } }]);
  });

  test('a number has its digits, without the noise of the binary number', async () => {
    const cells = ['18.399999999999999', '1.234', '123456789012345', '1E-3', '-5'];
    const row = cells.map((value, at) => `<c r="${'ABCDE'[at]}2"><v>${value}</v></c>`).join('');
    const bytes = sheet(`${textRows([['a', 'b', 'c', 'd', 'e']])}<row r="2">${row}</row>`);
    expect((await read(bytes)).records).toEqual([
      { line: 2, value: { a: '18.4', b: '1.234', c: '123456789012345', d: '0.001', e: '-5' } },
    ]);
  });

  test.each(['3.5261045300570498E+43', `35261045300570${'0'.repeat(30)}`])(
    'the key %s has lost its digits and is a problem of its row',
    async (value) => {
      const bytes = sheet(
        `${textRows([['chave']])}<row r="2"><c r="A2"><v>${value}</v></c></row><row r="3"><c r="A3"><v>1</v></c></row>`,
      );
      expect((await read(bytes)).records).toEqual([
        {
          line: 2,
          problem: expect.objectContaining({
            en: expect.stringMatching(/^column chave: "3\.526.*E\+43" is a number that a spreadsheet has rounded/),
          }),
        },
        { line: 3, value: { chave: '1' } },
      ]);
    },
  );

  test('dates, percentages and codes are read as they are shown, and that is said', async () => {
    const bytes = sheet(
      textRows([['dia', 'hora', 'aliquota', 'ncm', 'cnpj', 'ativo']]) +
        '<row r="2"><c r="A2" s="1"><v>46327</v></c><c r="B2" s="2"><v>46327.5</v></c><c r="C2" s="3"><v>0.18</v></c><c r="D2" s="4"><v>9012100</v></c><c r="E2" s="5"><v>530057000149</v></c><c r="F2" t="b"><v>1</v></c></row>',
      {
        formats: [
          'dd/mm/yyyy;@',
          '[$-416]dd/mm/yyyy hh:mm',
          '0.00%',
          '00000000',
          '00&quot;.&quot;000&quot;.&quot;000&quot;/&quot;0000\\-00',
        ],
      },
    );
    expect(await read(bytes)).toEqual({
      records: [
        {
          line: 2,
          value: {
            dia: '2026-11-01',
            hora: '2026-11-01T12:00:00-03:00',
            aliquota: '18%',
            ncm: '09012100',
            cnpj: '00530057000149',
            ativo: 'true',
          },
        },
      ],
      said: [
        'a.xlsx: reads 2 dates of the spreadsheet (46327 → 2026-11-01, 46327.5 → 2026-11-01T12:00:00-03:00)',
        'a.xlsx: reads 1 percentage of the spreadsheet (0.18 → 18%)',
        'a.xlsx: reads 2 numbers with the zeros of their format (9012100 → 09012100, 530057000149 → 00530057000149)',
      ],
    });
  });

  test('dates are counted from 1904 where the workbook says so', async () => {
    const row = '<row r="2"><c r="A2" s="1"><v>44865</v></c></row>';
    const bytes = sheet(textRows([['dia']]) + row, { formats: ['dd/mm/yyyy'], is1904: true });
    expect((await read(bytes)).records).toEqual([{ line: 2, value: { dia: '2026-11-01' } }]);
  });

  test('errors and formulas without a value are problems of their rows', async () => {
    const bytes = sheet(
      `${textRows([['a', 'b']])}<row r="2"><c r="B2" t="e"><f>1/0</f><v>#DIV/0!</v></c></row><row r="3"><c r="B3"><f>1+1</f></c></row>`,
    );
    expect((await read(bytes)).records).toEqual([
      { line: 2, problem: expect.objectContaining({ en: 'column B: holds the error #DIV/0! of the spreadsheet' }) },
      {
        line: 3,
        problem: expect.objectContaining({
          pt: 'coluna B: contém uma fórmula sem valor; abra o arquivo na planilha e salve-o',
        }),
      },
    ]);
  });

  test('empty rows and columns do not count; a value without a title does', async () => {
    const bytes = sheet(textRows([['sku', '', 'nome'], ['A', '', 'x'], ['', '', ''], ['B', 'lost', 'y'], ['C']]));
    expect((await read(bytes)).records).toEqual([
      { line: 2, value: { sku: 'A', nome: 'x' } },
      { line: 4, problem: expect.objectContaining({ en: 'has a value in column B, which has no title' }) },
      { line: 5, value: { sku: 'C', nome: '' } },
    ]);
  });
});

describe('the sheets of a workbook', () => {
  const bytes = workbookOf({
    sheets: {
      'hidden:x': textRows([['a'], ['0']]),
      Produtos: textRows([['a'], ['1']]),
      Vazia: '',
      Outra: textRows([['a'], ['2']]),
    },
  });

  test('the first visible one is read, and the others with cells are named', async () => {
    expect(await read(bytes)).toEqual({
      records: [{ line: 2, value: { a: '1' } }],
      said: ['a.xlsx: reads the sheet "Produtos"; it also has "hidden:x", "Outra": choose with --sheet'],
    });
  });

  test('one is chosen by its name', async () => {
    expect(await read(bytes, 'outra')).toEqual({ records: [{ line: 2, value: { a: '2' } }], said: [] });
    expect(await refusal(bytes, 'Nova')).toBe(
      'input.syntax (2): a.xlsx is not valid XLSX: it has no sheet "Nova"; its sheets: "hidden:x", "Produtos", "Vazia", "Outra"',
    );
  });

  test('a sheet cannot be chosen in a CSV', async () => {
    expect(await refusal(Buffer.from('a\n1\n'), 'Nova')).toMatch(/^usage\.invalid \(2\): --sheet names a sheet/);
  });
});

describe('a hostile or foreign file is refused in one sentence', () => {
  const tooMuch =
    'input.syntax (2): a.xlsx is not valid XLSX: it holds more than a spreadsheet can; save the sheet as CSV';
  const damaged = 'input.syntax (2): a.xlsx is not valid XLSX: the file is damaged';
  const main = {
    name: '_rels/.rels',
    content: '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>',
  };

  test('an old workbook, or one with a password', async () => {
    expect(await refusal(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toBe(
      'input.syntax (2): a.xlsx is not valid XLSX: it is an old workbook (.xls) or has a password; save it as .xlsx without a password',
    );
  });

  test('a zip archive of something else', async () => {
    expect(await refusal(zipOf([{ name: 'a.txt', content: 'x' }]))).toMatch(/it holds no workbook of Excel/);
    expect(await refusal(Buffer.from('PK\u0003\u0004'))).toBe(damaged);
  });

  test('a part that unpacks to a thousand times its size', async () => {
    const bytes = sheet('', { extra: [] });
    expect(await read(bytes)).toMatchObject({ records: [] });
    const bomb = sheet(' '.repeat(20 * 1024 * 1024));
    expect(await refusal(bomb)).toMatch(/it unpacks to far more than its size/);
  });

  test('a part that unpacks to more than it claims', async () => {
    const liar = zipOf([main, { name: 'xl/workbook.xml', content: ' '.repeat(9 * 1024 * 1024), claimed: 10 }]);
    expect(await refusal(liar)).toBe(damaged);
  });

  test('entities', async () => {
    const evil = `<!DOCTYPE x [<!ENTITY a "b">]><workbook>&a;</workbook>`;
    expect(await refusal(zipOf([main, { name: 'xl/workbook.xml', content: evil }]))).toBe(damaged);
  });

  test.each([
    ['a million columns', '<row r="1"><c r="CRPXN1"><v>1</v></c></row>', 'row 1 has more than 1000 columns'],
    ['a column beyond all', '<row r="1"><c r="ALM1"><v>1</v></c></row>', 'row 1 has more than 1000 columns'],
    ['rows that go back', '<row r="2"/><row r="1"/>', 'the file is damaged'],
    ['a row beyond all', '<row r="1048577"/>', 'the file is damaged'],
  ])('%s', async (_name, rows, reason) => {
    expect(await refusal(sheet(rows))).toBe(`input.syntax (2): a.xlsx is not valid XLSX: ${reason}`);
  });

  test('a cell of several megabytes', async () => {
    let noise = '';
    for (let at = 0; at < 400_000; at += 1) noise += ((at * 7919) % 1_000_003).toString(36);
    expect(await refusal(sheet(textRows([[noise]])))).toBe(tooMuch);
  });

  const repeated = (text: string, count: number) => Array.from({ length: count }, () => text).join('');
  const styles = (text: string) => [{ name: 'xl/styles.xml', content: `<styleSheet>${text}</styleSheet>` }];

  test.each<[string, string, Omit<WorkbookParts, 'sheets'>]>([
    ['a value in pieces', `<row><c t="str"><v>${repeated(`${'x'.repeat(1_000)}<x/>`, 300)}</v></c></row>`, {}],
    [
      'a text in runs',
      `<row><c t="inlineStr"><is>${repeated(`<r><t>${'x'.repeat(1_000)}</t></r>`, 300)}</is></c></row>`,
      {},
    ],
    ['a shared text in runs', '', { strings: `<si>${repeated(`<r><t>${'x'.repeat(1_000)}</t></r>`, 300)}</si>` }],
    ['more shared texts than cells', '', { strings: repeated('<si/>', 1_048_577) }],
    ['more styles than a spreadsheet has', '', { extra: styles(`<cellXfs>${repeated('<xf/>', 100_001)}</cellXfs>`) }],
    [
      'more formats than a spreadsheet has',
      '',
      {
        extra: styles(Array.from({ length: 100_001 }, (_, at) => `<numFmt numFmtId="${at}" formatCode="0"/>`).join('')),
      },
    ],
    ['a comment without end', `<!--${repeated('<x>', 500_000)}-->`, {}],
    ['a processing instruction without end', `<?x ${repeated('<x>', 500_000)}?>`, {}],
    ['a section without end', `<![CDATA[${repeated('<x>', 500_000)}]]>`, {}],
    ['elements inside each other', repeated('<x>', 101), {}],
    [
      'a row that repeats a shared text',
      `<row>${repeated('<c t="s"><v>0</v></c>', 50)}</row>`,
      { strings: `<si><t>${'x'.repeat(30_000)}</t></si>` },
    ],
  ])('%s', async (_name, rows, more) => {
    expect(await refusal(sheet(rows, more))).toBe(tooMuch);
  });

  test('sheets without cells that are one part, of which no more than a beginning is read', async () => {
    const list = repeated('<sheet name="b" r:id="rId1"/>', 20);
    const empty = sheet(`<row>${repeated('<c/>', 100_000)}</row>${textRows([['a'], ['1']]).replaceAll('r="', 'x="')}`, {
      extra: [
        {
          name: 'xl/workbook.xml',
          content: `<workbook xmlns:r="r"><sheets><sheet name="a" r:id="rId1"/>${list}</sheets></workbook>`,
        },
      ],
    });
    expect(await refusal(empty)).toMatch(/has more than 1000 columns/);
  });

  test('a signal ends the reading of a workbook that was read from its file', async () => {
    const stop = new AbortController();
    stop.abort(new FiscalError('internal.defect', { message: 'interrupted' }));
    async function* whole() {
      yield sheet(textRows([['a'], ['1']]));
    }
    const source = { name: 'a.xlsx', extension: '', bytes: whole, close: async () => {}, interruption: stop.signal };
    const records = readRecords(source, rules, undefined, new CellReader({}));
    await expect(records[Symbol.asyncIterator]().next()).rejects.toThrow('interrupted');
  });

  test('more parts than a workbook has', async () => {
    const extra = Array.from({ length: 2_001 }, (_, index) => ({ name: `x/${index}`, content: '' }));
    expect(await refusal(sheet('', { extra }))).toMatch(/it has more than 2000 parts/);
  });
});
