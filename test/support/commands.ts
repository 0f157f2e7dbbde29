import { loadVerb, type Catalogue, type CommandDefinition } from '../../src/cli/command.js';
import { parseCommand, type ParsedCommand } from '../../src/cli/parse.js';
import { readCommandLine } from '../../src/cli/tree.js';
import { groups, otherWords, outputOf, pickers, sections, singles } from '../../src/commands/groups.js';
import type { Described } from '../../src/presenters/record.js';

/** Every command of the program by its words, `product create`. */
export async function loadCommands(): Promise<ReadonlyMap<string, CommandDefinition>> {
  const found = new Map<string, CommandDefinition>();
  for (const [name, { load }] of Object.entries(singles)) found.set(name, (await load()).command);
  for (const [noun, { load }] of Object.entries(groups)) {
    const { group } = await load();
    for (const [verb, entry] of Object.entries(group.verbs)) found.set(`${noun} ${verb}`, await loadVerb(entry));
  }
  return found;
}

/** The command of a line with flags: `invoice xml --of letter` → `invoice xml`. */
export function commandOf(line: string): string {
  return line.split(' --', 1)[0] ?? line;
}

/** The records of a command, as its tables have them. */
export async function describedOf(command: string): Promise<Described | undefined> {
  const output = await outputOf(command);
  return output && { records: output.records, noun: command.split(' ', 1).join('') };
}

export const catalogue: Catalogue = { groups, singles, sections, pickers, otherWords, outputOf };

/** A command line with its values; `undefined` where it asks for help. */
export async function parse(words: readonly string[], env = {}, known = catalogue): Promise<ParsedCommand | undefined> {
  const line = await readCommandLine(words, known);
  const definition = line.nodes.at(-1)?.definition;
  return definition === undefined || line.wants !== 'command' ? undefined : parseCommand(definition, line, env);
}

/** For runs that have a service of their own. */
export const noSandbox = () => Promise.reject(new Error('no sandbox is attached in this test'));
