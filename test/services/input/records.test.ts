import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import type { InputFormat, InputRecord, RecordRules } from '../../../src/services/input/record.js';
import { readDocument, readRecords } from '../../../src/services/input/records.js';
import { openSource, type InputContext } from '../../../src/services/input/source.js';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fiscal-input-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const rules: RecordRules = {
  parse: (text) => JSON.parse(text),
  rows: (header, name) => {
    if (!header.includes('sku')) throw new FiscalError('input.missing_column', { columns: 'sku', path: name });
    return (cells) => ({ value: Object.fromEntries(header.map((column, index) => [column, cells[index]])) });
  },
};

type Content = string | Uint8Array | AsyncIterable<Uint8Array>;

function context(stdin: Content = ''): InputContext {
  async function* bytes() {
    if (typeof stdin === 'string') yield Buffer.from(stdin);
    else if (stdin instanceof Uint8Array) yield stdin;
    else yield* stdin;
  }
  return {
    cwd: folder,
    stdin: { isTerminal: false, read: bytes },
    directories: { config: folder, state: join(folder, 'state'), data: folder, cache: folder },
    random: { unit: () => 0.5, uuid: () => 'spool-file' },
    interruption: new AbortController().signal,
    goOn: {
      byJobOnly: () => undefined,
      found: () => undefined,
      commandFor: () => Promise.resolve((id) => id),
      again: () => Promise.resolve('fiscal'),
      inText: (text) => Promise.resolve(text),
      inSentence: (text) => Promise.resolve(text),
    },
  };
}

async function records(name: string, content: string | Uint8Array, format?: InputFormat) {
  await writeFile(join(folder, name), content);
  const source = await openSource(context(), name, { again: false });
  return collect(readRecords(source, rules, format));
}

async function fromStdin(stdin: Content, format?: InputFormat) {
  return collect(readRecords(await openSource(context(stdin), '-', { again: false }), rules, format));
}

async function collect(from: AsyncIterable<InputRecord>) {
  const list: InputRecord[] = [];
  for await (const record of from) list.push(record);
  return list;
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof FiscalError)) throw error;
  return `${error.code} (${error.exitCode}): ${error.message}`;
}

describe('NDJSON', () => {
  test('each line is a record with its number; empty lines and a byte order mark do not count', async () => {
    expect(await records('a.ndjson', '\uFEFF{"a":1}\r\n\n  \n{"a":"é"}')).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 4, value: { a: 'é' } },
    ]);
  });

  test('an invalid line is a problem of that line only', async () => {
    expect(await records('a.jsonl', '{"a":1}\n{"a" 2}\n{"a":3\n{"a":4}\n')).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 2, problem: { en: 'is not valid JSON: column 6', pt: 'não é JSON válido: coluna 6' } },
      { line: 3, problem: expect.anything() },
      { line: 4, value: { a: 4 } },
    ]);
  });

  test('an endless line is refused early, however much follows', async () => {
    let given = 0;
    async function* endless() {
      const chunk = Buffer.alloc(65_536, 'x');
      for (;;) {
        given += chunk.length;
        yield chunk;
      }
    }
    expect(await failureOf(fromStdin(endless(), 'ndjson'))).toBe(
      'input.line_too_long (2): line 1 of stdin is longer than 1 MiB; nothing was sent',
    );
    expect(given).toBeLessThan(2 * 1024 * 1024);
  });
});

describe('CSV', () => {
  const table = 'sku,name\nA-1,"Coffee, ""black""\nroasted"\n\nB-2,Tea\n';

  test('rows are read by their header, with quotes, line ends in cells and empty lines', async () => {
    expect(await records('a.csv', table)).toEqual([
      { line: 3, value: { sku: 'A-1', name: 'Coffee, "black"\nroasted' } },
      { line: 5, value: { sku: 'B-2', name: 'Tea' } },
    ]);
  });

  test.each([
    ['semicolons', '\uFEFFsku;name\r\nA-1;Coffee, black\r\n'],
    ['tabs', 'sku\tname\nA-1\tCoffee, black\n'],
    ['a quoted header', '"sku";"name"\nA-1;Coffee, black\n'],
  ])('the separator is found in the header: %s', async (_name, text) => {
    expect((await records('a.csv', text)).map((record) => 'value' in record && record.value)).toEqual([
      { sku: 'A-1', name: 'Coffee, black' },
    ]);
  });

  test.each([
    ['a line that names the separator', 'sep=;\r\nsku;name\r\nA-1;Coffee, black\r\n'],
    ['that line in quotes, after a byte order mark', '\uFEFF"sep=;"\nsku;name\nA-1;Coffee, black\n'],
    ['a separator that no other file has', 'sep=|\nsku|name\nA-1|Coffee, black\n'],
    ['a title', 'Products, November\n\nsku;name\nA-1;Coffee, black\n'],
    ['titles with cells', 'Products, all;;\nDate:;2026-11-01;\nsku;name;\nA-1;Coffee, black;\n'],
    ['formulas that are texts', 'sku;name\n="A-1";="Coffee, black"\n'],
    ['formulas in quotes', '"sku";"name"\r\n"=""A-1""";"=""Coffee, black"""\r\n'],
    ['an apostrophe that makes a text', "sku;name\n'A-1;Coffee, black\n"],
    ['blank and invisible characters', '\u200Bsku\u00A0;name\u200E\n\u00A0A-1\u200B;Coffee, black\n'],
    [
      'fillers, tags and marks of no glyph',
      '\u3164sku\u2800;name\u{E0001}\n\u034F\u115FA-1\u180E\u{1D159}\u{E0041};Coffee, black\n',
    ],
  ])('%s: the same table is read', async (_name, text) => {
    expect((await records('a.csv', text)).map((record) => 'value' in record && record.value)).toEqual([
      expect.objectContaining({ sku: 'A-1', name: 'Coffee, black' }),
    ]);
  });

  test('a text keeps its apostrophes, equals signs and blanks', async () => {
    expect(await records('a.csv', `sku,name\n'A'," 's-t Hof NL"\n=B,"a =""b"""\n`)).toEqual([
      { line: 2, value: { sku: 'A', name: " 's-t Hof NL" } },
      { line: 3, value: { sku: '=B', name: 'a ="b"' } },
    ]);
  });

  test('a text of a formula keeps its line ends, separators and quotes, however the bytes arrive', async () => {
    async function* oneByOne() {
      for (const byte of Buffer.from('\uFEFF="sku",name\n="A,""1""\nx",=\n=')) yield Uint8Array.of(byte);
    }
    expect(await fromStdin(oneByOne())).toEqual([
      { line: 3, value: { sku: 'A,"1"\nx', name: '=' } },
      { line: 4, problem: expect.objectContaining({ en: 'has 1 cells where the header has 2' }) },
    ]);
  });

  test('where no row is a header, the error is that of the row with the most titles', async () => {
    const missing = 'input.missing_column (2): a.csv is missing the column sku; nothing was sent';
    expect(await failureOf(records('a.csv', 'Products\nname;origin\nCoffee;0\n'))).toBe(missing);
    expect(await failureOf(records('a.csv', `${'title\n'.repeat(30)}sku\nA\n`))).toBe(missing);
  });

  test('a row with another number of cells is a problem of that row', async () => {
    expect(await records('a.csv', 'sku,name\nA-1\nB-2,Tea\n')).toEqual([
      { line: 2, problem: expect.objectContaining({ en: 'has 1 cells where the header has 2' }) },
      { line: 3, value: { sku: 'B-2', name: 'Tea' } },
    ]);
  });

  test('a cell whose digits a spreadsheet has rounded is a problem of its row', async () => {
    expect(await records('a.csv', 'sku;chave\nA;"3,52610E+43"\nB;1\n')).toEqual([
      {
        line: 2,
        problem: {
          en: 'column chave: "3,52610E+43" is a number that a spreadsheet has rounded, and its digits are lost; format the column as text (Excel: Format Cells, Text) and enter the value again',
          pt: 'coluna chave: "3,52610E+43" é um número que a planilha arredondou, e os dígitos se perderam; formate a coluna como texto (Excel: Formatar Células, Texto) e digite o valor de novo',
        },
      },
      { line: 3, value: { sku: 'B', chave: '1' } },
    ]);
  });

  test('digits that a formula keeps as text are read as they are', async () => {
    const key = '35261057049000141530550010000000011000000003';
    const text = `\uFEFFsku;chave\r\n"=""0012""";"=""${key}"""\r\n=1+1;x\r\n`;
    expect(await records('a.csv', text)).toEqual([
      { line: 2, value: { sku: '0012', chave: key } },
      { line: 3, value: { sku: '=1+1', chave: 'x' } },
    ]);
  });

  test('a missing column is named with the file', async () => {
    expect(await failureOf(records('a.csv', 'name\nCoffee\n'))).toBe(
      'input.missing_column (2): a.csv is missing the column sku; nothing was sent',
    );
  });

  test.each([
    ['sku\n"A', 'input.syntax (2): a.csv is not valid CSV: line 2: a quoted cell is never closed'],
    ['sku\nA"B\n', 'input.syntax (2): a.csv is not valid CSV: line 2: a quote inside a cell'],
  ])('broken quotes in %j are reported with their line', async (text, message) => {
    expect(await failureOf(records('a.csv', text))).toBe(message);
  });

  test('an endless row is refused early', async () => {
    let given = 0;
    async function* endless() {
      yield Buffer.from('sku\n"');
      for (;;) {
        given += 65_536;
        yield Buffer.alloc(65_536, 'x');
      }
    }
    expect(await failureOf(fromStdin(endless(), 'csv'))).toBe(
      'input.line_too_long (2): line 2 of stdin is longer than 1 MiB; nothing was sent',
    );
    expect(given).toBeLessThan(4 * 1024 * 1024);
  });
});

describe('JSON', () => {
  test('an array gives its elements by position; an object is one record', async () => {
    expect(await records('a.json', '[{"a":1},\n 2]')).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 2, value: 2 },
    ]);
    expect(await records('b.json', '{"a":\n1}')).toEqual([{ line: 1, value: { a: 1 } }]);
  });

  test.each([
    ['{"a":1,\n "b" 2}', 'line 2, column 6'],
    ['{"a":1,\n"b":}', 'line 2, column 5'],
    ['[1,]', 'column 4'],
    ['nope', 'column 1'],
    ['{"a":"x', 'it ends too early'],
    ['{"a":1', 'it ends too early'],
  ])('invalid JSON %j is reported with its position', async (text, place) => {
    expect(await failureOf(records('a.json', text))).toBe(`input.syntax (2): a.json is not valid JSON: ${place}`);
  });

  test('a document over 64 MiB is refused', async () => {
    async function* large() {
      yield Buffer.from('[');
      for (let count = 0; count < 65; count += 1) yield Buffer.alloc(1024 * 1024, ' ');
    }
    expect(await failureOf(fromStdin(large(), 'json'))).toMatch(
      /^input.too_large \(2\): stdin is larger than the 64 MiB/,
    );
  });

  test('a single document may come from stdin; an empty one is refused', async () => {
    const read = async (text: string) =>
      readDocument(await openSource(context(text), '-', { again: false }), JSON.parse);
    expect(await read(' {"sku":"A"} ')).toEqual({ sku: 'A' });
    expect(await failureOf(read(' \n'))).toBe('input.empty (2): stdin has no records; nothing was sent');
  });
});

describe('the format of the bytes', () => {
  test.each<[string, string, unknown]>([
    ['a JSON array', '\n[{"sku":"A"}]', { sku: 'A' }],
    ['NDJSON', '{"sku":"A"}\n{"sku":"B"}\n', { sku: 'A' }],
    ['one JSON object over several lines', '{\n"sku":"A"\n}', { sku: 'A' }],
    ['CSV', 'sku\nA\n', { sku: 'A' }],
  ])('is detected from the beginning without a file name: %s', async (_name, text, first) => {
    expect((await fromStdin(text))[0]).toMatchObject({ value: first });
  });

  test('is overridden by the user', async () => {
    expect(await records('a.txt', '{"sku":"A"}', 'json')).toEqual([{ line: 1, value: { sku: 'A' } }]);
  });

  test.each([
    ['a NUL', Buffer.from('sku\nA\0'), 5],
    ['an overlong form', Buffer.from([0x73, 0xc0, 0xaf]), 1],
    ['a surrogate', Buffer.from([0x73, 0xed, 0xa0, 0x80]), 1],
    ['a character cut by the end', Buffer.from([0x73, 0xe2, 0x82]), 1],
  ])('%s is refused with its first wrong byte', async (_name, content, offset) => {
    expect(await failureOf(records('a.csv', content))).toBe(
      `input.not_text (2): a.csv is not UTF-8 text: byte ${offset} does not belong to any character; nothing was sent`,
    );
  });

  test.each<[string, Buffer, number]>([
    ['Latin-1', Buffer.from('{"sku":"Caf\xe9"}\n', 'latin1'), 11],
    ['UTF-16', Buffer.from('\uFEFF{}\n', 'utf16le'), 0],
  ])('%s is refused in JSON, which is UTF-8', async (_name, content, offset) => {
    for (const name of ['a.json', 'a.ndjson']) {
      expect(await failureOf(records(name, content))).toBe(
        `input.not_text (2): ${name} is not UTF-8 text: byte ${offset} does not belong to any character; nothing was sent`,
      );
    }
  });

  test('Latin-1 and UTF-16 are read in a table', async () => {
    const table = 'sku,name\nA,Café\n';
    for (const bytes of [Buffer.from(table, 'latin1'), Buffer.from(`\uFEFF${table}`, 'utf16le')]) {
      expect(await records('a.csv', bytes)).toEqual([{ line: 2, value: { sku: 'A', name: 'Café' } }]);
      expect(await fromStdin(bytes)).toEqual([{ line: 2, value: { sku: 'A', name: 'Café' } }]);
    }
  });

  test('characters may be split across chunks', async () => {
    async function* byteByByte() {
      for (const byte of Buffer.from('{"a":"é€😀"}\n')) yield Uint8Array.of(byte);
    }
    expect(await fromStdin(byteByByte())).toEqual([{ line: 1, value: { a: 'é€😀' } }]);
  });
});

describe('sources', () => {
  test('a missing file and a folder are reported by name', async () => {
    expect(await failureOf(openSource(context(), 'none.csv', { again: false }))).toBe(
      'input.not_found (2): there is no file none.csv',
    );
    expect(await failureOf(openSource(context(), '.', { again: false }))).toBe(
      'input.unreadable (2): cannot read .: it is a folder (EISDIR)',
    );
  });

  test('standard input can be read again on request, and leaves no file', async () => {
    const { readdir } = await import('node:fs/promises');
    const source = await openSource(context('sku\nA\n'), '-', { again: true });
    const first = await collect(readRecords(source, rules, 'csv'));
    const second = await collect(readRecords(source, rules, 'csv'));
    await source.close();
    expect(second).toEqual(first);
    expect(first).toEqual([{ line: 2, value: { sku: 'A' } }]);
    expect(await readdir(join(folder, 'state', 'spool'))).toEqual([]);
  });
});
