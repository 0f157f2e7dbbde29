import { expect, test } from 'vitest';
import { topics } from '../../src/cli/topics.js';
import { groups } from '../../src/commands/groups.js';
import { loadCommands } from '../support/commands.js';
import { runFiscal, testHost } from '../support/host.js';

/** The help of these words as a terminal of `columns` characters gets it. */
async function helpAt(columns: number, words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await runFiscal(words, testHost({ isTerminal: true, columns }));
  return stdout.split('\n');
}

/** Every command that has a help: the top, the nouns, and their verbs. */
async function commands(): Promise<readonly (readonly string[])[]> {
  const names = [...(await loadCommands()).keys()];
  return [[], ['help'], ...Object.keys(groups).map((noun) => [noun]), ...names.map((name) => name.split(' '))];
}

/** Lines that a terminal would break: too long, and no example, which must stay one line to be copied. */
function broken(lines: readonly string[], columns: number): readonly string[] {
  return lines.filter((line) => line.length > columns && !/^ {2}\S*fiscal |^ {2}.*\| fiscal /.test(line));
}

test('no line of help is wider than the terminal, except examples', async () => {
  const found: (readonly string[])[] = [];
  for (const words of await commands()) {
    for (const language of ['en', 'pt-BR']) {
      const lines = await helpAt(80, [...words, '--help', '--lang', language]);
      found.push(broken(lines, 80));
    }
  }
  expect(found.flat()).toEqual([]);
});

test('help has at most 40 lines without --all, in either language', async () => {
  const found: string[] = [];
  for (const words of await commands()) {
    for (const language of ['en', 'pt-BR']) {
      const { length } = await helpAt(80, [...words, '--help', '--lang', language]);
      // The last line ends with a line break.
      if (length - 1 > 40) found.push(`${words.join(' ')} ${language}: ${length - 1}`);
    }
  }
  expect(found).toEqual([]);
});

test('lines have at most 100 characters on a wide terminal', async () => {
  const lines = await helpAt(200, ['status', '--check', '--help', '--all']);
  expect([broken(lines, 100), broken(lines, 90).length > 0]).toEqual([[], true]);
});

test('no line of a help topic is wider than 80 characters, in either language', async () => {
  const loaded = await Promise.all(Object.values(topics).map(({ load }) => load()));
  const lines = loaded.flatMap(({ topic }) => [...topic.en.split('\n'), ...topic.pt.split('\n')]);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
