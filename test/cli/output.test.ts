import { describe, expect, test } from 'vitest';
import type { Definition } from '../../src/cli/command.js';
import { define } from '../../src/cli/define.js';
import { planOutput, writeOutput } from '../../src/cli/output.js';
import { withoutSettings, type Presentation } from '../../src/cli/presentation.js';
import { NumberLiteral } from '../../src/domain/json-numbers.js';
import type { Outcome } from '../../src/domain/outcome.js';
import { createIo } from '../../src/io/create.js';
import { list, type Output, record } from '../../src/presenters/record.js';
import { testHost, type TestHostOptions } from '../support/host.js';

const text = { en: 'x', pt: 'x' };
const definition = define('x', 'x', { options: {}, examples: [], id: 'id' });

async function written(
  outcome: Outcome,
  choices: Partial<Presentation> = {},
  options: TestHostOptions = {},
  { command = definition, records }: { command?: Definition; records?: Output['records'] } = {},
) {
  const host = testHost({ env: { NO_COLOR: '1' }, ...options });
  const early = { language: 'en', color: 'auto', output: undefined, errorFormat: undefined, quiet: false } as const;
  const presentation: Presentation = { ...withoutSettings({}, early), ...choices };
  const named = records && { name: 'row', outputOf: () => Promise.resolve(list(records)) };
  const plan = await planOutput(command, presentation, named);
  const io = createIo(host, { ...presentation, statsMs: 1000 });
  const exitCode = await writeOutput(outcome, plan, io, host);
  return { exitCode, ...host.written() };
}

const rows = [
  { id: 'a', status: 'Active', tax: { ncm: '12345678' }, price: '10.50' },
  { id: 'b', status: 'Error', errorMessage: 'say "no", then\nleave', price: '-1.00' },
];

const records = { row: record('status errorMessage') };

async function* streamed(records: readonly unknown[]) {
  for (const record of records) yield await Promise.resolve(record);
}

describe('times', () => {
  const data = [{ id: 'a', createdOn: '2026-11-01T01:30:00.000Z', deadline: '2026-11-10' }];
  const terminal = { isTerminal: true, columns: 100 };

  test('are those of Brasília in a table, as the language writes them, and UTC with --utc', async () => {
    const lastLine = async (choices: Partial<Presentation>) =>
      (await written({ data }, choices, terminal)).stdout.trimEnd().split('\n').at(-1);
    expect(await lastLine({})).toBe(' a  │ 2026-10-31 22:30 │ 2026-11-10');
    expect(await lastLine({ language: 'pt' })).toBe(' a  │ 31/10/2026 22:30 │ 10/11/2026');
    expect(await lastLine({ utc: true })).toBe(' a  │ 2026-11-01 01:30Z │ 2026-11-10');
  });

  test('stay ISO 8601 UTC in every format for programs, and so do states and names', async () => {
    const [record = {}] = data;
    for (const output of ['json', 'ndjson', 'csv', 'yaml'] as const) {
      const { stdout } = await written({ data }, { output, language: 'pt', utc: false }, terminal);
      for (const word of [...Object.keys(record), ...Object.values(record)]) expect(stdout).toContain(word);
    }
  });
});

test('signs are ASCII in a locale without others', async () => {
  const data = [{ id: 'a', status: 'Error' }];
  const options = { isTerminal: true, columns: 100 };
  const signOf = async (env: Readonly<Record<string, string>>) =>
    (await written({ data }, {}, { ...options, env: { NO_COLOR: '1', ...env } }, { records })).stdout.match(
      /(\S) Error/,
    )?.[1];
  expect(await signOf({})).toBe('✗');
  expect(await signOf({ LANG: 'pt_BR.UTF-8' })).toBe('✗');
  expect(await signOf({ LC_ALL: 'C', LANG: 'pt_BR.UTF-8' })).toBe('x');
  expect(await signOf({ LANG: 'pt_BR.ISO-8859-1' })).toBe('x');
});

describe('data without a chosen format', () => {
  test('is a table on a terminal', async () => {
    const { stdout } = await written({ data: rows }, {}, { isTerminal: true, columns: 100 }, { records });
    expect(stdout).toBe(
      [
        ' id │ status   │ tax.ncm  │ price │ error',
        ' a  │ ✓ Active │ 12345678 │ 10.50 │',
        ' b  │ ✗ Error  │          │ -1.00 │ say "no", then\\nleave',
        '',
      ].join('\n'),
    );
  });

  test('is JSON for one object and NDJSON for several, elsewhere', async () => {
    expect((await written({ data: { id: 'a' } })).stdout).toBe('{\n  "id": "a"\n}\n');
    expect((await written({ data: [{ id: 'a' }, { id: 'b' }] })).stdout).toBe('{"id":"a"}\n{"id":"b"}\n');
    expect((await written({ data: streamed([{ id: 'a' }]) })).stdout).toBe('{"id":"a"}\n');
  });

  test('is written unchanged if it is text', async () => {
    expect((await written({ data: 'complete -F x\n' })).stdout).toBe('complete -F x\n');
  });

  test('writes nothing if there is none', async () => {
    expect(await written({ data: undefined })).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });
});

describe('a format', () => {
  test('json is exactly one document for nothing, one object, a list or a stream', async () => {
    const json = { output: 'json' } as const;
    const documents = await Promise.all(
      [undefined, [], streamed([]), { id: 1 }, rows, streamed(rows)].map((data) => written({ data }, json)),
    );
    expect(documents.map(({ stdout }) => JSON.parse(stdout) as unknown)).toEqual([null, [], [], { id: 1 }, rows, rows]);
  });

  test('csv quotes by RFC 4180, keeps values unchanged and names columns of nested fields', async () => {
    expect((await written({ data: rows }, { output: 'csv' })).stdout).toBe(
      'id,status,tax.ncm,price\r\na,Active,12345678,10.50\r\nb,Error,,-1.00\r\n',
    );
    expect(
      (await written({ data: streamed(rows) }, { output: 'csv', fields: ['id', 'errorMessage', 'price'] })).stdout,
    ).toBe('id,errorMessage,price\r\na,,10.50\r\nb,"say ""no"", then\nleave",-1.00\r\n');
    expect((await written({ data: [{ name: '=1+1' }] }, { output: 'csv' })).stdout).toBe('name\r\n=1+1\r\n');
  });

  test('csv for Excel in Portuguese has a mark, semicolons, decimal commas and no formulas', async () => {
    const style = { output: 'csv', csvStyle: 'excel-br' } as const;
    const key = '35261057049000141530550010000000011000000003';
    const record = {
      ...{ key, code: '0012', price: '10.50', loss: '-1.00', count: 3, name: '=1+1', note: 'a;b', at: '@x' },
      ...{ long: '12345678901234567.5', minus: '-5', dash: '-', text: '1.2.3' },
    };
    const line = `"=""${key}""";"=""0012""";10,50;-1,00;3;'=1+1;"a;b";'@x;"=""12345678901234567,5""";-5;'-;1.2.3`;
    expect((await written({ data: [record, record] }, style)).stdout).toBe(
      ['\uFEFFkey;code;price;loss;count;name;note;at;long;minus;dash;text', line, line, ''].join('\r\n'),
    );
    expect((await written({ data: [] }, { ...style, fields: ['id'] })).stdout).toBe('\uFEFFid\r\n');
  });

  test('csv of nothing has a header with --fields, and no line otherwise', async () => {
    const named = { output: 'csv', fields: ['id', 'tax.ncm'] } as const;
    const header = { exitCode: 0, stdout: 'id,tax.ncm\r\n', stderr: '' };
    expect(await written({ data: [] }, named)).toEqual(header);
    expect(await written({ data: streamed([]) }, named)).toEqual(header);
    expect((await written({ data: [] }, { output: 'csv' })).stdout).toBe('');
  });

  test('yaml is the same data', async () => {
    expect((await written({ data: streamed([{ id: 'a', price: '10.50' }]) }, { output: 'yaml' })).stdout).toBe(
      '- id: a\n  price: "10.50"\n',
    );
    expect((await written({ data: [] }, { output: 'yaml' })).stdout).toBe('[]\n');
  });

  test.each([
    ['json', '{\n  "paid": 10.50,\n  "rates": [\n    1e-7,\n    12345678901234567890\n  ]\n}\n'],
    ['ndjson', '{"paid":10.50,"rates":[1e-7,12345678901234567890]}\n'],
    ['yaml', 'paid: 10.50\nrates:\n  - 1e-7\n  - 12345678901234567890\n'],
    ['csv', 'paid,rates\r\n10.50,"[1e-7,12345678901234567890]"\r\n'],
    ['table', 'paid: 10.50\nrates:\n  - 1e-7\n  - 12345678901234567890\n'],
  ] as const)('%s has the digits of a number as they came', async (output, stdout) => {
    const rates = [new NumberLiteral('1e-7'), new NumberLiteral('12345678901234567890')];
    const data = { paid: new NumberLiteral('10.50'), rates };
    expect((await written({ data }, { output })).stdout).toBe(stdout);
  });

  test('id prints one id per line', async () => {
    expect((await written({ data: rows }, { output: 'id' })).stdout).toBe('a\nb\n');
  });

  test('id prints the first of several fields that a record has, and no other id', async () => {
    const data = [{ key: 'k1', id: 'a' }, { key: null, id: 'b' }, { id: 'c' }, { other: 'd' }];
    const printed = async (id: string | readonly string[]) =>
      (await written({ data }, { output: 'id' }, {}, { command: { ...definition, id } })).stdout;
    expect([await printed(['key', 'id']), await printed('key')]).toEqual(['k1\nb\nc\n', 'k1\n']);
  });

  test('id is refused before the run if the command has no ids', async () => {
    const { id: _id, ...without } = definition;
    const early = { language: 'en', color: 'auto', output: 'id', errorFormat: undefined, quiet: false } as const;
    await expect(planOutput(without, withoutSettings({}, early))).rejects.toMatchObject({ code: 'usage.invalid' });
  });
});

describe('--fields', () => {
  test('selects nested fields by dots, through lists, and keeps its order', async () => {
    const data = [{ a: 1, list: [{ x: 1, y: 2 }, { x: 3 }], deep: { one: 1, two: 2 } }];
    const { stdout } = await written({ data }, { output: 'ndjson', fields: ['deep.two', 'list.x', 'deep.one'] });
    expect(stdout).toBe('{"deep":{"two":2,"one":1},"list":[{"x":1},{"x":3}]}\n');
  });

  test('reports a field that no record has', async () => {
    expect(await written({ data: rows }, { output: 'ndjson', fields: ['id', 'staus'] })).toEqual({
      exitCode: 0,
      stdout: '{"id":"a"}\n{"id":"b"}\n',
      stderr: 'no record has the field "staus"\n',
    });
  });
});

describe('--query', () => {
  test('runs once on the whole result, a stream included', async () => {
    const { stdout } = await written({ data: streamed(rows) }, { query: 'length(@)', output: 'json' });
    expect(stdout).toBe('2\n');
  });

  const amounts = ['0.1', '0.2', '18.10', '90071992547409931.25', '0.30000000000000000001'].map((text) => ({
    v: new NumberLiteral(text),
  }));
  const lines = amounts.map(({ v: { text } }) => `{"v":${text}}`);

  test.each([
    ['[].v', '[0.1,0.2,18.10,90071992547409931.25,0.30000000000000000001]'],
    ['[?v > `18`]', `[${lines[2]},${lines[3]}]`],
    ['[?v == `18.1`].v', '[18.10]'],
    ['[?v > `0.3`] | [-1]', lines[4]],
    ['[2].{a: v, b: [v]}', '{"a":18.10,"b":[18.10]}'],
    ['sum([:2].v)', '0.3'],
    ['sum([].v)', '90071992547409949.95000000000000000001'],
    ['[0].v + [1].v', '0.3'],
    ['[1].v * [1].v', '0.04'],
    ['[2].v - [0].v', '18'],
    ['-[3].v', '-90071992547409931.25'],
    ['[2].v / `2`', '9.05'],
    ['[2].v % `3`', '0.1'],
    ['[2].v // `3`', '6'],
    ['avg([:2].v)', '0.15'],
    ['max([].v)', '90071992547409931.25'],
    ['min([].v)', '0.1'],
    ['sort([].v)', '[0.1,0.2,0.30000000000000000001,18.10,90071992547409931.25]'],
    ['sort_by(@, &v)[-1].v', '90071992547409931.25'],
    ['max_by(@, &v)', lines[3]],
    ['min_by(@, &v)', lines[0]],
    ['map(&v, @)[2]', '18.10'],
    ['map(&(v || `0`), @)[2]', '18.10'],
    ['contains([].v, `18.1`)', 'true'],
    ['floor([3].v)', '90071992547409931'],
    ['ceil([2].v)', '19'],
    ['abs(-[2].v)', '18.1'],
    ['to_string([2])', '"{\\"v\\":18.10}"'],
    ["to_number('18.10')", '18.10'],
    ['type([2].v)', '"number"'],
    ['[2].v.text', 'null'],
    ['[2].v.*', 'null'],
    ['let $k = [2].v in [?v == $k].v', '[18.10]'],
  ])('%s changes no digit', async (query, expected) => {
    const { stdout } = await written({ data: amounts }, { query, output: 'ndjson' });
    const shown = expected?.startsWith('[') ? `[${stdout.trim().split('\n').join(',')}]` : stdout.trim();
    expect(shown).toBe(expected);
  });

  test.each(['[0].toString', '[0].constructor', '[].hasOwnProperty | [0]'])(
    '%s, which no field of the data is called, is null',
    async (query) => {
      const { stdout } = await written({ data: amounts }, { query, output: 'json' });
      expect(stdout).toBe('null\n');
    },
  );

  test.each(['length([2].v)', "join(',', [].v)", '[0].v / `0`', "[0].v + 'x'", '$toString'])(
    '%s is refused in one sentence',
    async (query) => {
      await expect(written({ data: amounts }, { query })).rejects.toMatchObject({ code: 'output.query' });
    },
  );

  test.each([
    ['[].total | sum(@)', "'[].to_number(total)|sum(@)'"],
    ['sum([].total)', "'sum([].to_number(total))'"],
    ['ceil([0].total)', "'ceil([0].to_number(total))'"],
  ])('%s over amounts, which are text, is refused with the form that works', async (query, works) => {
    const data = [{ total: '15620.60' }, { total: '0.40' }];
    const refused = written({ data }, { query });
    await expect(refused).rejects.toMatchObject({ code: 'output.query', exitCode: 2 });
    await expect(refused).rejects.toMatchObject({
      facts: { hint: { en: `amounts are text, to_number() reads them: --query ${works}` } },
    });
  });

  test.each(['[?', '[?v > `90071992547409931.25`]', 'toString(@)', '[].{a: to_numbr(v)}'])(
    '%s is refused before the run',
    async (query) => {
      await expect(written({ data: rows }, { query })).rejects.toMatchObject({ code: 'usage.invalid_value' });
    },
  );
});

describe('text from the service', () => {
  const hostile = { id: 'a\u001b[2J\u202eb', '\u009bname': 'x' };

  test('is written to a terminal with its control characters visible, in every format', async () => {
    for (const output of [undefined, 'table', 'json', 'ndjson', 'yaml', 'csv', 'id'] as const) {
      const { stdout } = await written({ data: [hostile] }, { output }, { isTerminal: true });
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e]/);
    }
  });

  test('is written to a pipe unchanged', async () => {
    const { stdout } = await written({ data: hostile }, { output: 'json' });
    expect(JSON.parse(stdout)).toEqual(hostile);
    expect((await written({ data: hostile }, { output: 'csv', fields: ['id'] })).stdout).toBe(
      `id\r\n${hostile.id}\r\n`,
    );
  });
});

describe('an outcome', () => {
  test('has notices and an exit code that are read when the stream ends', async () => {
    let ended = false;
    async function* records() {
      yield await Promise.resolve({ id: 'a' });
      ended = true;
    }
    const outcome: Outcome = {
      data: records(),
      get exitCode() {
        return ended ? 3 : 0;
      },
      notices: [{ en: 'the engine bills this', pt: 'o motor cobra isto' }],
    };
    expect(await written(outcome, { language: 'pt' })).toEqual({
      exitCode: 3,
      stdout: '{"id":"a"}\n',
      stderr: 'o motor cobra isto\n',
    });
  });

  test('that is already written adds nothing', async () => {
    expect(await written({ data: { id: 'a' }, written: true, exitCode: 7 }, { output: 'json' })).toEqual({
      exitCode: 7,
      stdout: '',
      stderr: '',
    });
  });

  test('prints no notices with --quiet', async () => {
    expect((await written({ data: undefined, notices: [text] }, { quiet: true })).stderr).toBe('');
  });
});

test('a stream of a hundred thousand records is written piece by piece, not buffered', async () => {
  const host = testHost();
  let longest = 0;
  let total = 0;
  const stdout = {
    isTerminal: false,
    columns: 80,
    closed: false,
    write: (piece: string) => {
      longest = Math.max(longest, piece.length);
      total += piece.length;
      return Promise.resolve();
    },
    writeBytes: () => Promise.resolve(),
  };
  function* many() {
    for (let id = 0; id < 100_000; id += 1) yield { id };
  }
  const early = { language: 'en', color: 'auto', output: undefined, errorFormat: undefined, quiet: false } as const;
  const plan = await planOutput(definition, withoutSettings({}, early));
  const io = createIo({ ...host, stdout }, { ...withoutSettings({}, early), statsMs: 1000 });
  await writeOutput(
    {
      data: (async function* () {
        yield* many();
      })(),
    },
    plan,
    io,
    host,
  );
  expect(total).toBe(1_288_890);
  expect(longest).toBeLessThan(40_000);
});

test('a source is closed when the reader closes the pipe', async () => {
  const host = testHost();
  let closed = false;
  let given = 0;
  let finished = false;
  const stdout = {
    isTerminal: false,
    columns: 80,
    get closed() {
      return closed;
    },
    write: () => {
      closed = true;
      return Promise.resolve();
    },
    writeBytes: () => Promise.resolve(),
  };
  async function* endless() {
    try {
      for (;;) yield await Promise.resolve({ id: (given += 1), filler: 'x'.repeat(1000) });
    } finally {
      finished = true;
    }
  }
  const early = { language: 'en', color: 'auto', output: undefined, errorFormat: undefined, quiet: false } as const;
  const plan = await planOutput(definition, withoutSettings({}, early));
  const io = createIo({ ...host, stdout }, { ...withoutSettings({}, early), statsMs: 1000 });
  expect(await writeOutput({ data: endless() }, plan, io, host)).toBe(0);
  expect({ finished, few: given < 100 }).toEqual({ finished: true, few: true });
});
