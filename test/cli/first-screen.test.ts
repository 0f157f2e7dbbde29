import { expect, test } from 'vitest';
import { groups, sections, singles } from '../../src/commands/groups.js';
import { runFiscal, testHost } from '../support/host.js';

const languages = ['en', 'pt-BR'];

const terminal = () => testHost({ isTerminal: true, columns: 80, env: { NO_COLOR: '1' } });

async function firstScreen(words: readonly string[], language: string): Promise<string> {
  const host = terminal();
  return (await runFiscal([...words, '--lang', language], host)).stdout;
}

test.each(languages)('the first screen fits 24 lines of 80 columns with its prompt (%s)', async (language) => {
  const lines = (await firstScreen([], language)).trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(23);
  expect(lines.filter(({ length }) => length > 80)).toEqual([]);
});

test('is the same with and without --help', async () => {
  expect(await firstScreen(['--help'], 'en')).toBe(await firstScreen([], 'en'));
});

test('every command stands in one section', () => {
  const placed = sections.flatMap(({ commands, names = [] }) => [...commands, ...names]);
  expect(placed.toSorted()).toEqual(Object.keys({ ...groups, ...singles }).toSorted());
});

test('the titles are those of the sections, in both languages', async () => {
  const titles = (screen: string) => screen.split('\n').flatMap((line) => /^ {2}(\S+) {2,}/.exec(line)?.slice(1) ?? []);
  expect(titles(await firstScreen([], 'en'))).toEqual(sections.map(({ title }) => title.en));
  expect(titles(await firstScreen([], 'pt-BR'))).toEqual(sections.map(({ title }) => title.pt));
});

test('a noun without a verb shows its help to a person, on stderr, and exits 2', async () => {
  const { stdout: help } = await runFiscal(['key', '--help'], terminal());
  const result = await runFiscal(['key'], terminal());
  expect(result).toEqual({ exitCode: 2, stdout: '', stderr: `${help}\nfiscal: missing: a verb of "key"\n` });
});

test('a noun of two words without a verb shows the help of those', async () => {
  const { stderr, exitCode } = await runFiscal(['company', 'registration', '--lang', 'pt-BR'], terminal());
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/ list +Lista as inscrições estaduais/);
  expect(stderr).toMatch(/\nfiscal: falta: um verbo de "company registration"\n$/);
});
