import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { jsonSchema } from '../../src/cli/json-schema.js';
import { allOutputs } from '../../src/commands/outputs.js';
import { loadCommands } from '../support/commands.js';
import { runFiscal, testHost } from '../support/host.js';
import { checkOutput } from '../support/output-schema.js';

const outputs = await allOutputs();

test('every command says what it prints', async () => {
  expect(Object.keys(outputs).toSorted()).toEqual([...(await loadCommands()).keys()].toSorted());
});

test('every schema is valid', () => {
  const ajv = formats.default(new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true }));
  for (const [command, output] of Object.entries(outputs)) ajv.compile(jsonSchema(command, output));
});

describe('fiscal schema', () => {
  test('prints the published schema', async () => {
    const { stdout } = await runFiscal(['schema', 'job', 'list']);
    const published = readFileSync(new URL('../../docs/reference/schemas/job-list.json', import.meta.url), 'utf8');
    expect(JSON.parse(stdout)).toEqual(JSON.parse(published));
  });

  test('lists the commands', async () => {
    const rows: unknown = JSON.parse((await runFiscal(['schema', '-o', 'json'])).stdout);
    expect(rows).toContainEqual({ command: 'inbound close', prints: 'list', records: ['gap', 'close', 'summary'] });
  });

  test('shows JSON on a terminal too', async () => {
    const { stdout } = await runFiscal(['schema', 'auth', 'use'], testHost({ isTerminal: true }));
    expect(JSON.parse(stdout)).toMatchObject({ title: 'fiscal auth use', $ref: '#/$defs/auth' });
  });

  test('names a command that is none', async () => {
    expect(await runFiscal(['schema', 'job', 'lists', '--error-format', 'text'])).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr:
        'fiscal: the value "job lists" of <command> is not valid: a command is expected, e.g. job list; all of them: fiscal schema\n',
    });
  });
});

describe('an output of a test', () => {
  const host = testHost();
  const problemsOf = async (argv: readonly string[], data: unknown): Promise<readonly string[]> =>
    (await checkOutput({ argv, host, stdout: JSON.stringify(data) })).problems;

  test('passes with the fields of its schema', async () => {
    expect(await problemsOf(['auth', 'use', 'x'], { profile: 'x', current: true })).toEqual([]);
  });

  test('fails with a field that its schema does not name, and without one that it requires', async () => {
    expect(await problemsOf(['auth', 'use', 'x'], { profile: 'x', current: true, more: 1 })).toEqual([
      expect.stringContaining('"additionalProperty":"more"'),
    ]);
    expect(await problemsOf(['auth', 'use', 'x'], { profile: 'x' })).toEqual([
      expect.stringContaining('"missingProperty":"current"'),
    ]);
  });

  test('fails with a value of another type, and with one object instead of a list', async () => {
    expect(await problemsOf(['auth', 'use', 'x'], { profile: 1, current: true })).toHaveLength(1);
    expect(await problemsOf(['auth', 'use', 'x', '-o', 'json'], [{ profile: 'x', current: true }])).toHaveLength(1);
  });

  test('may have any field of the service', async () => {
    expect(await problemsOf(['product', 'get', 'p'], { id: 'p', new: [1] })).toEqual([]);
    expect(await problemsOf(['product', 'get', 'p'], { id: 7 })).toHaveLength(1);
  });
});
