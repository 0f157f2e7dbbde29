import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFiscal, testHost } from '../support/host.js';

const good = '35250530057049000141550010000280181030656857';

/** `key check` ends with 0 for good keys, and with 13 where one is wrong. */
async function checked(key: string, ...words: string[]) {
  const host = testHost();
  writeFileSync(join(host.cwd, 'keys.txt'), `${key}\n`);
  return await runFiscal(['key', 'check', key, ...words], host);
}

test.each([['--quiet'], ['-q']])('%s prints nothing when nothing needs a person', async (word) => {
  expect(await checked(good, word)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});

test('FISCAL_QUIET does the same', async () => {
  const host = testHost({ env: { FISCAL_QUIET: '1' } });
  expect(await runFiscal(['key', 'check', good], host)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});

test('an outcome that needs a person is one paragraph with its exit code', async () => {
  const { exitCode, stdout, stderr } = await checked(good.replace(/7$/, '8'), '--quiet');
  expect(stdout).toBe('');
  expect(stderr).toMatch(new RegExp(`^fiscal key check: ended with exit code ${exitCode}\\b.*\\n$`));
  expect(exitCode).not.toBe(0);
});

test('an error is sentences with its exit code, where nobody looks too', async () => {
  const { exitCode, stdout, stderr } = await runFiscal(['inbound', 'sync', '--quiet']);
  expect([exitCode, stdout]).toEqual([4, '']);
  expect(stderr).toMatch(/^fiscal: .*\n(?: {2}.*\n)* {2}exit code: 4\n$/);
  expect((await runFiscal(['inbound', 'sync', '--quiet', '--lang', 'pt-BR'])).stderr).toContain('código de saída: 4\n');
});

test.each(['--quiet', '-q', '-yq'])('with %s, a wrong option is said the same way', async (word) => {
  const { exitCode, stderr } = await runFiscal(['inbound', 'sync', word, '--hurry']);
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^fiscal: [^{]*exit code: 2\n$/s)]);
});

test('a -q of the command that a sandbox runs is none of this program', async () => {
  const { exitCode, stderr } = await runFiscal(['sandbox', 'exec', '--hurry', '--', 'tool', '-q']);
  expect([exitCode, JSON.parse(stderr)]).toMatchObject([2, { type: 'error' }]);
});

test.each([
  ['-o', 'json'],
  ['--query', '[0].value'],
  ['--fields', 'value'],
])('whoever asks for the data gets it (%s)', async (...words) => {
  expect((await checked(good, '--quiet', ...words)).stdout).toContain(good);
});
