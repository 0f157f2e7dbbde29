import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../src/cli/parse.js';
import { readCommandLine } from '../../src/cli/tree.js';
import * as catalogue from '../../src/commands/groups.js';

const root = join(import.meta.dirname, '../..');

const documents = [
  'README.md',
  'README.pt-BR.md',
  ...['docs/guides', 'docs/pt-BR'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  ),
].filter((path) => path.endsWith('.md'));

/** The lines of the fenced blocks that run the program, each from `fiscal` to the end of that command. */
function commandLines(path: string): readonly string[] {
  const text = readFileSync(join(root, path), 'utf8');
  const blocks = [...text.matchAll(/^```(?:sh|crontab|)\n(.*?)^```$/gms)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => filled(block.replaceAll('\\\n', ' ')).split('\n'))
    .flatMap((line) => line.split(/ (?:\|\||&&|\|) |; /))
    .flatMap((part) => /(?:^|[\s(])(fiscal (?!:).*)$/.exec(part.replace(/\s#\s.*$/, ''))?.[1] ?? [])
    .map((line) =>
      line
        .replace(/\s\d?(?:>>?|<).*$/, '')
        .replace(/\)$/, '')
        .trim(),
    );
}

/** With some value in place of what a reader or a shell fills in. */
function filled(text: string): string {
  return text
    .replaceAll('"$@" ', '')
    .replaceAll('"$WAIT"', '2h')
    .replaceAll(/<[a-z][a-z-]*>/g, '2026-10')
    .replaceAll(/\$\([^()]*\)/g, '2026-10')
    .replaceAll(/"\$\(.*?\)"|"\$[A-Z]\w*"|\$[A-Z]\w*/g, '2026-10');
}

/** The words as a shell splits them. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) =>
    String(double ?? single ?? plain),
  );
}

describe.each(documents.filter((path) => commandLines(path).length > 0))('%s', (path) => {
  test.each([...new Set(commandLines(path))])('%s', async (line) => {
    const [, ...words] = wordsOf(line);
    const read = await readCommandLine(words, catalogue);
    if (read.wants !== 'command') return;
    const definition = read.nodes.at(-1)?.definition;
    if (definition === undefined) throw new Error(`no command in "${line}"`);
    expect(parseCommand(definition, read, {}).name).not.toBe('');
  });
});

test('the guides have command lines', () => {
  expect(documents.flatMap(commandLines).length).toBeGreaterThan(200);
});
