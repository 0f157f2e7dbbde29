import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { define } from '../../src/cli/define.js';
import { planOutput, writeOutput } from '../../src/cli/output.js';
import { withoutSettings } from '../../src/cli/presentation.js';
import { requirePlace } from '../../src/cli/workbook-output.js';
import type { Language } from '../../src/contract/text.js';
import { NumberLiteral } from '../../src/domain/json-numbers.js';
import { createIo } from '../../src/io/create.js';
import { each, fromService, list, usual } from '../../src/presenters/record.js';
import { CellReader } from '../../src/services/input/cell-reader.js';
import { readRecords } from '../../src/services/input/records.js';
import { runFiscal, testHost, type TestHost } from '../support/host.js';

const plain = { examples: [] };
const definition = define('x', 'x', { ...plain, options: {} });

const note = fromService({
  ...usual('accessKey amount count issuedOn deadline status'),
  ...each('text', 'openedOn: opened | abertura, amountText: amount | valor'),
  ...each(fromService('status'), 'holder: titular'),
});
const outputOf = () => Promise.resolve(list({ note }));

async function written(data: unknown, host: TestHost, language: Language = 'en') {
  const early = { language, color: 'auto', output: 'xlsx', errorFormat: undefined, quiet: false } as const;
  const presentation = { ...withoutSettings({ out: 'a.xlsx' }, early) };
  const plan = await planOutput(definition, presentation, { name: 'note', outputOf });
  const io = createIo(host, { ...presentation, statsMs: 1000 });
  await writeOutput({ data }, plan, io, host);
}

/** The rows of a workbook as an import reads them, and which of their cells are numbers. */
async function readBack(host: TestHost, name = 'a.xlsx') {
  const bytes = readFileSync(join(host.cwd, name));
  const reader = new CellReader({});
  const rows: (readonly string[])[] = [];
  const numbers: (readonly number[])[] = [];
  const rules = {
    parse: JSON.parse,
    rows: (header: readonly string[]) => {
      rows.push(header);
      return (cells: readonly string[]) => ({ value: cells });
    },
  };
  const source = {
    name,
    extension: '.xlsx',
    async *bytes() {
      yield bytes;
    },
    close: async () => {},
  };
  for await (const record of readRecords(source, rules, undefined, reader)) {
    if ('problem' in record) throw new Error(JSON.stringify(record.problem));
    rows.push(record.value as readonly string[]);
    numbers.push([...reader.typed]);
  }
  return { rows, numbers };
}

async function* streamed(records: readonly unknown[]) {
  yield* records;
}

const key = '35261057049000141530550010000000011000000003';

test('keys and CNPJ are text, amounts and counts are numbers, times are those of Brasília', async () => {
  const host = testHost();
  const record = {
    accessKey: key,
    issuer: { taxNumber: '57049000141530' },
    amount: '1234.50',
    count: 12,
    big: new NumberLiteral('12345678901234567890'),
    issuedOn: '2026-11-01T01:30:00Z',
    deadline: '2026-11-10',
    openedOn: '1985-03-01T00:00:00Z',
    version: '4.00',
  };
  await written(streamed([record]), host);
  expect(await readBack(host)).toEqual({
    rows: [
      ['key', 'issuer.taxNumber', 'amount', 'count', 'big', 'issued', 'deadline', 'opened', 'version'],
      [
        ...[key, '57049000141530', '1234.5', '12', '12345678901234567890'],
        ...['2026-10-31T22:30:00-03:00', '2026-11-10', '1985-03-01', '4.00'],
      ],
    ],
    numbers: [[2, 3]],
  });
});

test('what looks like a formula, an escape or a control character is text', async () => {
  const host = testHost();
  const texts = ['=HYPERLINK("x")', '+1', '-2+3', '@sum', '_x0041_', 'a\u0001b', '\uD800', '<b>&'];
  await written(
    texts.map((name) => ({ name })),
    host,
  );
  const [, ...rows] = (await readBack(host)).rows;
  expect(rows.map(([cell]) => cell)).toEqual([...texts.slice(0, 6), '\uFFFD', '<b>&']);
  expect(readFileSync(join(host.cwd, 'a.xlsx')).includes('<f>')).toBe(false);
});

test('titles and states are in Portuguese; fields of one title keep their names', async () => {
  const host = testHost();
  await written([{ status: 'Active', amount: '1.00', amountText: '1.00' }], host, 'pt');
  expect((await readBack(host)).rows).toEqual([
    ['situação', 'valor (amount)', 'valor (amountText)'],
    ['Ativo', '1', '1'],
  ]);
});

test('the kind of a record has a title in Portuguese, where records of several kinds stand in one workbook', async () => {
  const host = testHost();
  await written([{ type: 'note', status: 'Active' }], host, 'pt');
  expect((await readBack(host)).rows[0]).toEqual(['tipo', 'situação']);
});

test('an inner field says whose it is, although no other has its title', async () => {
  const host = testHost();
  await written([{ holder: { status: 'Active' } }], host, 'pt');
  expect((await readBack(host)).rows[0]).toEqual(['situação (holder.status)']);
});

test('a command whose records Excel has a reserved name for writes a workbook', async () => {
  const host = testHost();
  const { exitCode, stderr } = await runFiscal(['history', '-o', 'xlsx', '--out', 'a.xlsx'], host);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('a.xlsx: 0 rows')]);
});

test('a field of a later record has its column; another kind than that of the column is text', async () => {
  const host = testHost();
  const records = [{ a: 1 }, { b: 'x', a: 'none' }, { type: 'summary', total: 2 }];
  await written(streamed(records), host);
  expect((await readBack(host)).rows).toEqual([
    ['a', 'b'],
    ['1', ''],
    ['none', 'x'],
  ]);
});

test('a list that breaks off leaves the earlier file as it was', async () => {
  const host = testHost();
  writeFileSync(join(host.cwd, 'a.xlsx'), 'earlier');
  async function* broken() {
    for (let id = 0; id < 5_000; id += 1) yield { id };
    throw new Error('cut');
  }
  await expect(written(broken(), host)).rejects.toThrow('cut');
  expect(readFileSync(join(host.cwd, 'a.xlsx'), 'utf8')).toBe('earlier');
  expect(readdirSync(host.cwd)).toEqual(['a.xlsx']);
});

test('a terminal, a folder that does not exist and another format are refused before the work', async () => {
  const host = testHost({ isTerminal: true });
  await expect(requirePlace({ out: undefined }, host)).rejects.toMatchObject({ code: 'usage.missing' });
  await expect(requirePlace({ out: 'none/a.xlsx' }, host)).rejects.toMatchObject({ code: 'store.unwritable' });
  expect(await runFiscal(['job', 'list', '-o', 'xlsx'], host)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(' missing: --out <file>\n'),
  });
  expect(await runFiscal(['job', 'list', '-o', 'json', '--out', 'a.json'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--out has no effect without -o xlsx'),
  });
});

test('a command writes its list; an empty one is a workbook as well', async () => {
  const host = testHost();
  expect((await runFiscal(['job', 'list', '-o', 'xlsx', '--out', 'jobs.xlsx'], host)).exitCode).toBe(0);
  expect((await readBack(host, 'jobs.xlsx')).rows).toEqual([]);
});
