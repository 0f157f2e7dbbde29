import { describe, expect, test } from 'vitest';
import { defineCommand } from '../../src/cli/command.js';
import { planOutput, writeOutput } from '../../src/cli/output.js';
import { withoutSettings, type Presentation } from '../../src/cli/presentation.js';
import { NumberLiteral } from '../../src/domain/json-numbers.js';
import type { Outcome } from '../../src/domain/outcome.js';
import { createIo } from '../../src/io/create.js';
import { testHost, type TestHostOptions } from '../support/host.js';

const text = { en: 'x', pt: 'x' };
const definition = defineCommand({
  summary: text,
  options: {},
  examples: [],
  exitCodes: [],
  idField: 'id',
  run: () => Promise.resolve({ data: undefined }),
});

async function written(outcome: Outcome, choices: Partial<Presentation> = {}, options: TestHostOptions = {}) {
  const host = testHost({ env: { NO_COLOR: '1' }, ...options });
  const early = { language: 'en', color: 'auto', output: undefined, errorFormat: undefined } as const;
  const presentation: Presentation = { ...withoutSettings({}, early), ...choices };
  const plan = await planOutput(definition, presentation);
  const io = createIo(host, { ...presentation, statsMs: 1000 });
  const exitCode = await writeOutput(outcome, plan, io);
  return { exitCode, ...host.written() };
}

const rows = [
  { id: 'a', status: 'Active', tax: { ncm: '12345678' }, price: '10.50' },
  { id: 'b', status: 'Error', errorMessage: 'say "no", then\nleave', price: '-1.00' },
];

async function* streamed(records: readonly unknown[]) {
  for (const record of records) yield await Promise.resolve(record);
}

describe('data without a chosen format', () => {
  test('is a table on a terminal', async () => {
    const { stdout } = await written({ data: rows }, {}, { isTerminal: true, columns: 100 });
    expect(stdout).toBe(
      [
        ' id │ status │ tax.ncm  │ price │ errorMessage',
        ' a  │ Active │ 12345678 │ 10.50 │',
        ' b  │ Error  │          │ -1.00 │ say "no", then\\nleave',
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
    expect(documents.map(({ stdout }) => JSON.parse(stdout) as unknown)).toEqual([
      null,
      [],
      [],
      { id: 1 },
      rows,
      rows,
    ]);
  });

  test('csv quotes by RFC 4180, keeps values unchanged and names columns of nested fields', async () => {
    expect((await written({ data: rows }, { output: 'csv' })).stdout).toBe(
      'id,status,tax.ncm,price\r\na,Active,12345678,10.50\r\nb,Error,,-1.00\r\n',
    );
    expect(
      (await written({ data: streamed(rows) }, { output: 'csv', fields: ['id', 'errorMessage', 'price'] }))
        .stdout,
    ).toBe('id,errorMessage,price\r\na,,10.50\r\nb,"say ""no"", then\nleave",-1.00\r\n');
    expect((await written({ data: [{ name: '=1+1' }] }, { output: 'csv' })).stdout).toBe('name\r\n=1+1\r\n');
  });

  test('csv of nothing has a header with --fields, and no line otherwise', async () => {
    const named = { output: 'csv', fields: ['id', 'tax.ncm'] } as const;
    const header = { exitCode: 0, stdout: 'id,tax.ncm\r\n', stderr: '' };
    expect(await written({ data: [] }, named)).toEqual(header);
    expect(await written({ data: streamed([]) }, named)).toEqual(header);
    expect((await written({ data: [] }, { output: 'csv' })).stdout).toBe('');
  });

  test('yaml is the same data', async () => {
    expect(
      (await written({ data: streamed([{ id: 'a', price: '10.50' }]) }, { output: 'yaml' })).stdout,
    ).toBe('- id: a\n  price: "10.50"\n');
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

  test('id is refused before the run if the command has no ids', async () => {
    const { idField: _idField, ...without } = definition;
    const early = { language: 'en', color: 'auto', output: 'id', errorFormat: undefined } as const;
    await expect(planOutput(without, withoutSettings({}, early))).rejects.toMatchObject({
      code: 'usage.invalid',
    });
  });
});

describe('--fields', () => {
  test('selects nested fields by dots, through lists, and keeps its order', async () => {
    const data = [{ a: 1, list: [{ x: 1, y: 2 }, { x: 3 }], deep: { one: 1, two: 2 } }];
    const { stdout } = await written(
      { data },
      { output: 'ndjson', fields: ['deep.two', 'list.x', 'deep.one'] },
    );
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

  test('with a syntax error is refused before the run', async () => {
    await expect(written({ data: rows }, { query: '[?' })).rejects.toMatchObject({
      code: 'usage.invalid_value',
    });
  });
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
  const early = { language: 'en', color: 'auto', output: undefined, errorFormat: undefined } as const;
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
  const early = { language: 'en', color: 'auto', output: undefined, errorFormat: undefined } as const;
  const plan = await planOutput(definition, withoutSettings({}, early));
  const io = createIo({ ...host, stdout }, { ...withoutSettings({}, early), statsMs: 1000 });
  expect(await writeOutput({ data: endless() }, plan, io)).toBe(0);
  expect({ finished, few: given < 100 }).toEqual({ finished: true, few: true });
});
