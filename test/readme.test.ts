import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { groups, singles } from '../src/commands/groups.js';

/** The words in backticks of the list of commands, by noun; `settings show\|enable` stands for two verbs. */
function listed(file: string): Readonly<Record<string, readonly string[]>> {
  const text = readFileSync(join(import.meta.dirname, '..', file), 'utf8');
  const rows = text.split('\n').filter((line) => /^\| `[a-z]/.test(line));
  return Object.fromEntries(
    rows.flatMap((row) => {
      const [, first = '', ...rest] = row.split(/(?<!\\)\|/);
      const verbs = codes(rest.join('|')).flatMap(spread);
      return codes(first).map((noun) => [noun.split(' ', 1)[0], noun in groups ? verbs.toSorted() : []]);
    }),
  );
}

function codes(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

function spread(code: string): readonly string[] {
  const [words = '', ...others] = code.split(String.raw`\|`);
  const before = words.includes(' ') ? `${words.slice(0, words.lastIndexOf(' '))} ` : '';
  return [words, ...others.map((verb) => `${before}${verb}`)];
}

async function existing(): Promise<Readonly<Record<string, readonly string[]>>> {
  const nouns = await Promise.all(
    Object.entries(groups).map(async ([noun, entry]) => {
      const { group } = await entry.load();
      return [noun, Object.keys(group.verbs).toSorted()] as const;
    }),
  );
  return Object.fromEntries([...nouns, ...[...Object.keys(singles), 'help'].map((word) => [word, []])]);
}

describe('the list of commands', () => {
  test.each(['README.md', 'README.pt-BR.md'])(
    'in %s names every noun and verb, and no other',
    async (file) => {
      expect(listed(file)).toEqual(await existing());
    },
  );
});
