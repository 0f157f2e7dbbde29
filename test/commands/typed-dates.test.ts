import { expect, test } from 'vitest';
import { runFiscal } from '../support/host.js';

const error = async (...argv: readonly string[]) => {
  const { exitCode, stderr } = await runFiscal(argv, { env: { FISCAL_ERROR_FORMAT: 'text' } });
  return { exitCode, sentence: stderr.split('\n')[0] };
};

test.each([
  ['history', '--since', 'soon'],
  ['usage', '--since', '31/02/2026'],
])('%s %s %s exits 2 with the forms that are accepted', async (...argv) => {
  expect(await error(...argv)).toEqual({
    exitCode: 2,
    sentence: `fiscal: the value "${argv[2]}" of --since is not valid: a day (01/11/2026, 2026-11-01, today, yesterday), a month (10/2026, 2026-10), an age (7d) or a UTC time (2026-11-01T10:00:00Z) is expected`,
  });
});

test('usage writes the day as the language does', async () => {
  expect(await error('usage', '--since', '2026-11-01', '--lang', 'pt-BR')).toEqual({
    exitCode: 0,
    sentence:
      'o arquivo de estado não tem nenhuma chamada cobrada desde 01/11/2026; máquinas com outro arquivo de estado não são contadas',
  });
});

test.each([['01/11/2026'], ['10/2026'], ['2026-10'], ['hoje'], ['yesterday'], ['7d']])(
  'history and usage take --since %s',
  async (since) => {
    expect(await error('history', '--since', since)).toEqual({ exitCode: 0, sentence: '' });
    expect(await error('usage', '--since', since)).toEqual({
      exitCode: 0,
      sentence: expect.stringMatching(/^the store has no billed call since 2026-\d\d-\d\d;/),
    });
  },
);
