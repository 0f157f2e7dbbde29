import { expect, test } from 'vitest';
import type { CommandDefinition } from '../../src/cli/command.js';
import { parseWords } from '../../src/cli/parse.js';
import { findRoute } from '../../src/cli/route.js';
import { groups, singles } from '../../src/commands/groups.js';

interface Found {
  readonly name: string;
  readonly command: string;
}

/** Every example of every help, with the command that shows it. */
async function allExamples(): Promise<readonly Found[]> {
  const of = (name: string, definition: CommandDefinition): readonly Found[] =>
    definition.examples.map(({ command }) => ({ name, command }));
  const alone = Object.entries(singles).map(async ([name, { load }]) => of(name, (await load()).command));
  const grouped = Object.entries(groups).flatMap(([noun, { load }]) => [
    load().then(async ({ group }) => {
      const verbs = Object.entries(group.verbs);
      const each = verbs.map(async ([verb, loadVerb]) => of(`${noun} ${verb}`, (await loadVerb()).command));
      return (await Promise.all(each)).flat();
    }),
  ]);
  return (await Promise.all([...alone, ...grouped])).flat();
}

/** The commands of a shell line, each as its words: quotes are taken off, redirections left out, `<( )` is one as well. */
function commandsOf(line: string): readonly (readonly string[])[] {
  const tokens = [
    ...line.replaceAll(/<\(([^)]*)\)/g, '; $1').matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g),
  ].map(([, double, single, plain]) => ({
    text: double ?? single ?? plain ?? '',
    isPlain: plain !== undefined,
  }));
  const commands: string[][] = [[]];
  let isTarget = false;
  for (const { text, isPlain } of tokens) {
    if (isPlain && (text === '|' || text === '&&' || text === ';')) commands.push([]);
    else if (isPlain && /^\d?[<>]+$/.test(text)) isTarget = true;
    else if (isTarget) isTarget = false;
    else commands.at(-1)?.push(text);
  }
  return commands;
}

const found = await allExamples();

test('there is an example for every command', async () => {
  const shown = new Set(found.map(({ name }) => name));
  const nouns = await Promise.all(
    Object.entries(groups).map(async ([noun, { load }]) =>
      Object.keys((await load()).group.verbs).map((verb) => `${noun} ${verb}`),
    ),
  );
  const commands = [...Object.keys(singles), ...nouns.flat()];
  expect(commands.filter((name) => !shown.has(name))).toEqual([]);
});

test.each(found)('the example "$command" is a valid command line of $name', async ({ name, command }) => {
  const own = commandsOf(command).filter(([program]) => program === 'fiscal');
  expect(own.length).toBeGreaterThan(0);
  const routes = await Promise.all(own.map(([, ...words]) => findRoute(words)));
  for (const route of routes) {
    if (route.kind === 'command') expect(() => parseWords(route, {})).not.toThrow();
  }
  expect(routes.map((route) => (route.kind === 'command' ? route.name : route.kind))).toContain(name);
});
