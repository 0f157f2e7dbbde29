import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandsIn, fiscalLine, splitCommand } from '../../src/domain/command-words.js';

function wordsOf(line: string): readonly string[] | string {
  const split = splitCommand(line);
  return 'words' in split ? split.words : split.problem.en;
}

describe('a command line', () => {
  it.each([
    ['node handle.js', ['node', 'handle.js']],
    ['  node\t handle.js  ', ['node', 'handle.js']],
    ["jq -c '.payload | keys'", ['jq', '-c', '.payload | keys']],
    ['say "two words" \'$HOME\' a\\ b', ['say', 'two words', '$HOME', 'a b']],
    ['say "a \\"quoted\\" \\$5 \\\\"', ['say', 'a "quoted" $5 \\']],
    [`p --name='x y'"z"w ''`, ['p', '--name=x yzw', '']],
    ['grep *.json', ['grep', '*.json']],
    ['p "a|b;c"', ['p', 'a|b;c']],
  ])('%s has these words', (line, words) => {
    expect(wordsOf(line)).toEqual(words);
  });

  it.each(['a | b', 'a > file', 'a && b', 'a; b', 'a $HOME', 'a "$HOME"', 'a "`id`"', 'a $(id)', 'a < file'])(
    '%s is for a shell, and refused',
    (line) => {
      expect(wordsOf(line)).toMatch(/^no shell reads it, so [|><&;$`(] means nothing/);
    },
  );

  it.each(["a 'b", 'a "b', 'a \\', `a "b\\"`])('%s is not closed', (line) => {
    expect(wordsOf(line)).toBe('a quote or a backslash at its end is not closed');
  });

  it.each(['', '   ', "''", '"" a'])('%s names no program', (line) => {
    expect(wordsOf(line)).toBe('a program is expected');
  });

  it('gives back any words that were put between single quotes', () => {
    const word = fc.string({ unit: 'binary' }).map((text) => text.replaceAll("'", ''));
    fc.assert(
      fc.property(
        word.filter((text) => text !== ''),
        fc.array(word),
        (program, others) => {
          const words = [program, ...others];
          expect(wordsOf(words.map((each) => `'${each}'`).join(' '))).toEqual(words);
        },
      ),
    );
  });

  it('never throws, whatever stands in it', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (line) => void splitCommand(line)));
  });

  it('of this program names whom it is for, and keeps words that look like flags apart', () => {
    const line = fiscalLine({
      command: 'invoice nfe cancel',
      positionals: ['one', '-two', ''],
      flags: [
        ['--reason', '--yes'],
        ['--set', "it's\na=$b"],
        ['--file', '-'],
        ['--wait', true],
      ],
      company: 'c 1',
      tenant: '',
      profile: 'acme',
    });
    expect(line).toBe(
      "fiscal invoice nfe cancel one --reason=--yes --set 'it'\\''s\na=$b' --file - --wait --company 'c 1' --profile acme -- -two ''",
    );
  });

  it('gives back any words that this program printed', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (positionals) => {
        const words = wordsOf(fiscalLine({ command: 'key check', positionals }));
        expect([...words].filter((word) => word !== '--').slice(3)).toEqual(
          positionals.filter((word) => word !== '--'),
        );
      }),
    );
  });

  it('is found whole in a sentence, whatever words it has', () => {
    const words = fc.array(fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(words, words, (positionals, values) => {
        const flags = values.map((value) => ['--set', value] as const);
        const line = fiscalLine({ command: 'product create', positionals, flags });
        const inSentence = `go on with: ${line}; then (see "fiscal job list")`;
        expect(commandsIn(inSentence).map(({ start, end }) => inSentence.slice(start, end))).toEqual([
          line,
          'fiscal job list',
        ]);
      }),
    );
  });

  it.each([
    ['see fiscal job list, then: fiscal job show <id>.', ['fiscal job list', 'fiscal job show <id>']],
    ['a body: fiscal invoice nfe issue --sample > nota.json', ['fiscal invoice nfe issue --sample']],
    [
      'fiscal inbound close 2026-10 --archive /a/b.c (again)',
      ['fiscal inbound close 2026-10 --archive /a/b.c'],
    ],
    [
      'enable: fiscal inbound settings enable --type nfe|cte',
      ['fiscal inbound settings enable --type nfe|cte'],
    ],
    ['log in: fiscal auth login   or not', ['fiscal auth login']],
    ['bin/fiscal x, a-fiscal b', []],
  ])('in %s is told from the sentence', (sentence, commands) => {
    expect(commandsIn(sentence).map(({ start, end }) => sentence.slice(start, end))).toEqual(commands);
  });
});
