import { exampleLine } from '../../src/cli/command.js';
import { expect, test } from 'vitest';
import { readCommandLine } from '../../src/cli/tree.js';
import { catalogue, loadCommands, parse } from '../support/commands.js';

interface Found {
  readonly name: string;
  readonly command: string;
}

/** Every example of every help, with the command that shows it. */
async function allExamples(): Promise<readonly Found[]> {
  return [...(await loadCommands())].flatMap(([name, { examples }]) =>
    examples.map((example) => ({ name, command: exampleLine(name, example) })),
  );
}

/** The commands of a shell line, each as its words: quotes are taken off, redirections left out, `<( )` is one as well. */
function commandsOf(line: string): readonly (readonly string[])[] {
  const tokens = [...line.replaceAll(/<\(([^)]*)\)/g, '; $1').matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
    ([, double, single, plain]) => ({ text: double ?? single ?? plain ?? '', isPlain: plain !== undefined }),
  );
  const commands: string[][] = [[]];
  let isTarget = false;
  for (const { text, isPlain } of tokens) {
    if (isPlain && (text === '|' || text === '&&' || text === ';')) commands.push([]);
    else if (isPlain && /^\d?[<>]+$/.test(text)) isTarget = true;
    else if (isTarget) isTarget = false;
    // A variable for this command.
    else if (commands.at(-1)?.length === 0 && /^[A-Z_]+=/.test(text)) continue;
    else commands.at(-1)?.push(text);
  }
  return commands;
}

const found = await allExamples();

test('every command has an example', async () => {
  const shown = new Set(found.map(({ name }) => name));
  const commands = [...(await loadCommands()).keys()];
  expect(commands.filter((name) => !shown.has(name))).toEqual([]);
});

test.each(found)('the example "$command" is a valid command line of $name', async ({ name, command }) => {
  const own = commandsOf(command).filter(([program]) => program === 'fiscal');
  expect(own.length).toBeGreaterThan(0);
  const names = own.map(
    async ([, ...words]) => (await parse(words))?.name ?? (await readCommandLine(words, catalogue)).wants,
  );
  expect(await Promise.all(names)).toContain(name);
});
