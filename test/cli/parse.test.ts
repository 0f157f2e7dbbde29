import { describe, expect, test } from 'vitest';
import { argument, define, does, optionalArgument } from '../../src/cli/define.js';
import { pickers } from '../../src/commands/groups.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { parse as parseLine } from '../support/commands.js';

const text = { en: 'x', pt: 'x' };
const definition = define('x', 'x', {
  takes: { id: argument('x', 'x'), other: optionalArgument('x', 'x') },
  options: {
    file: { kind: 'text', value: 'path', summary: text, short: 'f' },
    onError: { kind: 'choice', choices: ['continue', 'stop'], default: 'continue', summary: text },
    filter: { kind: 'list', value: 'a', summary: text },
    wait: { kind: 'toggle', summary: text },
    limit: { kind: 'count', value: 'n', summary: text, min: 1 },
    timeout: { kind: 'duration', value: 'time', default: '10m', summary: text },
    noCheck: { kind: 'toggle', summary: text },
  },
  examples: [],
});

const command = does(definition, () => Promise.resolve(() => Promise.resolve({ data: undefined })));
const group = { verbs: { do: command } };
const catalogue = {
  groups: { thing: { summary: text, load: async () => ({ group }) } },
  singles: {},
  sections: [],
  pickers,
  otherWords: async () => ({ otherWords: { commands: {}, verbs: {} } }),
};

const parse = (words: readonly string[], env = {}) => parseLine(['thing', 'do', ...words], env, catalogue);

async function faultOf(words: readonly string[], env = {}) {
  try {
    await parse(words, env);
  } catch (error) {
    if (error instanceof FiscalError) return { message: error.text.en, hint: error.facts.hint?.en };
    throw error;
  }
  return undefined;
}

describe('the words of a command', () => {
  test('have defaults', async () => {
    expect(await parse(['a'])).toEqual({
      name: 'thing do',
      definition: command,
      arguments: { id: 'a', other: undefined },
      options: {
        file: undefined,
        onError: 'continue',
        filter: [],
        wait: false,
        limit: undefined,
        timeout: 600_000,
        noCheck: false,
      },
      typed: new Set(),
      flags: {},
    });
  });

  test('become values by their type, with shared flags separate', async () => {
    const words = ['-o', 'json', 'a', '-f', 'x.csv', '--on-error=stop', '--filter', 'a,b', '--filter', 'c'];
    const more = ['--wait', '--limit', '3', '--timeout', '90s', '--no-check', '--no-input', '-qy', 'b'];
    expect(await parse([...words, ...more])).toEqual({
      name: 'thing do',
      definition: command,
      arguments: { id: 'a', other: 'b' },
      options: {
        file: 'x.csv',
        onError: 'stop',
        filter: ['a', 'b', 'c'],
        wait: true,
        limit: 3,
        timeout: 90_000,
        noCheck: true,
      },
      typed: new Set([
        ...['output', 'file', 'onError', 'filter', 'wait', 'limit', 'timeout'],
        ...['noCheck', 'noInput', 'quiet', 'yes'],
      ]),
      flags: { output: 'json', noInput: true, quiet: true, yes: true },
    });
  });

  test('fall back to FISCAL_A_B, which the flag overrides', async () => {
    const env = { FISCAL_ON_ERROR: 'stop', FISCAL_LIMIT: '7', FISCAL_WAIT: '1', FISCAL_NO_CHECK: 'no' };
    expect((await parse(['a', '--limit', '2'], env))?.options).toMatchObject({
      onError: 'stop',
      limit: 2,
      wait: true,
      noCheck: false,
    });
  });

  test('after -- are arguments, whatever they begin with', async () => {
    expect((await parse(['--', '-x']))?.arguments).toEqual({ id: '-x', other: undefined });
  });

  test.each([
    [
      ['--fil', 'x', 'a'],
      'there is no option --fil in "fiscal thing do"',
      'did you mean --file? See fiscal thing do --help',
    ],
    [['a', '--file'], 'missing: the value of --file', 'see fiscal thing do --help'],
    [[], 'missing: <id>', 'see fiscal thing do --help'],
    [
      ['a', 'b', 'sbx_secret'],
      '"fiscal thing do" takes at most 2 arguments, and 3 were given',
      'see fiscal thing do --help',
    ],
    [
      ['a', 'b', 'continue'],
      '"fiscal thing do" takes at most 2 arguments, and 3 were given',
      'did you mean --on-error continue?',
    ],
    [
      ['a', '--limit', '0'],
      'the value "0" of --limit is not valid: a whole number of at least 1 is expected',
      'see fiscal thing do --help',
    ],
    [
      ['a', '--on-error', 'x'],
      'the value "x" of --on-error is not valid: one of continue, stop is expected',
      'see fiscal thing do --help',
    ],
    [
      ['a', '-o', 'xml'],
      'the value "xml" of --output is not valid: one of table, json, ndjson, yaml, csv, xlsx, id is expected',
      'see fiscal thing do --help',
    ],
    [
      ['a', '--read-timeout', '5'],
      'the value "5" of --read-timeout is not valid: a time such as 500ms, 5s, 10m, 1h or 10d is expected',
      'see fiscal thing do --help',
    ],
  ])('%j: one sentence and a pointer to the help', async (words, message, hint) => {
    expect(await faultOf(words)).toEqual({ message, hint });
  });

  test('name the environment variable if its value is wrong', async () => {
    expect((await faultOf(['a'], { FISCAL_TIMEOUT: 'soon' }))?.message).toBe(
      'the value "soon" of FISCAL_TIMEOUT is not valid: a time such as 500ms, 5s, 10m, 1h or 10d is expected',
    );
  });

  test('do not repeat the value of an unknown option: it may be a key', async () => {
    expect((await faultOf(['--invoice-key=sbx_secret_canary']))?.message).toBe(
      'there is no option --invoice-key in "fiscal thing do"',
    );
  });
});
