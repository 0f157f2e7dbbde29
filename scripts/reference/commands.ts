import { type CommandDefinition, loadVerb } from '../../src/cli/command.js';
import { groups, singles } from '../../src/commands/groups.js';

export interface NamedCommand {
  /** e.g. `product create`. */
  readonly name: string;
  readonly definition: CommandDefinition;
}

/** Every command of the program, nouns first. */
export async function loadCommands(): Promise<readonly NamedCommand[]> {
  const commands: NamedCommand[] = [];
  for (const [noun, { load }] of Object.entries(groups)) {
    const { group } = await load();
    for (const [verb, entry] of Object.entries(group.verbs))
      commands.push({ name: `${noun} ${verb}`, definition: await loadVerb(entry) });
  }
  for (const [name, { load }] of Object.entries(singles)) commands.push({ name, definition: (await load()).command });
  return commands;
}
