import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandsIn, fiscalLine, splitCommand } from '../../src/domain/command-words.js';
import { anyText } from '../support/any-text.js';

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
  ])('%s splits into arguments', (line, words) => {
    expect(wordsOf(line)).toEqual(words);
  });

  it.each(['a | b', 'a > file', 'a && b', 'a; b', 'a $HOME', 'a "$HOME"', 'a "`id`"', 'a $(id)', 'a < file'])(
    '%s is for a shell, and refused',
    (line) => {
      expect(wordsOf(line)).toMatch(/^the command runs without a shell, so [|><&;$`(] has no effect/);
    },
  );

  it.each(["a 'b", 'a "b', 'a \\', `a "b\\"`])('%s is not closed', (line) => {
    expect(wordsOf(line)).toBe('a quote is not closed, or the line ends with a backslash');
  });

  it.each(['', '   ', "''", '"" a'])('%s names no program', (line) => {
    expect(wordsOf(line)).toBe('a program is missing');
  });

  it('returns any arguments in single quotes unchanged', () => {
    const word = anyText().map((text) => text.replaceAll("'", ''));
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

  it('never throws, whatever it contains', () => {
    fc.assert(fc.property(anyText(), (line) => void splitCommand(line)));
  });

  it('of this program names its scope and keeps arguments that look like flags apart', () => {
    const line = fiscalLine({
      command: 'invoice cancel --model nfe',
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
      "fiscal invoice cancel --model nfe one --reason=--yes --set 'it'\\''s\na=$b' --file - --wait --company 'c 1' --profile acme -- -two ''",
    );
  });

  it('splits any line that this program printed into the same arguments', () => {
    fc.assert(
      fc.property(fc.array(anyText()), (positionals) => {
        const words = wordsOf(fiscalLine({ command: 'key check', positionals }));
        expect([...words].filter((word) => word !== '--').slice(3)).toEqual(
          positionals.filter((word) => word !== '--'),
        );
      }),
    );
  });

  it('is found whole in a sentence, whatever its arguments', () => {
    const words = fc.array(anyText());
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
    ['a body: fiscal invoice issue --model nfe --sample > nota.json', ['fiscal invoice issue --model nfe --sample']],
    ['fiscal inbound close 2026-10 --archive /a/b.c (again)', ['fiscal inbound close 2026-10 --archive /a/b.c']],
    ['enable: fiscal inbound capture enable --type nfe|cte', ['fiscal inbound capture enable --type nfe|cte']],
    ['log in: fiscal auth login   or not', ['fiscal auth login']],
    ['bin/fiscal x, a-fiscal b', []],
  ])('in %s is separated from the sentence', (sentence, commands) => {
    expect(commandsIn(sentence).map(({ start, end }) => sentence.slice(start, end))).toEqual(commands);
  });
});
