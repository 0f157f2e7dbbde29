import { loadVerb, type CommandDefinition } from '../../src/cli/command.js';
import { groups, singles } from '../../src/commands/groups.js';

/** Every command of the program by its words, `product create`. */
export async function loadCommands(): Promise<ReadonlyMap<string, CommandDefinition>> {
  const found = new Map<string, CommandDefinition>();
  for (const [name, { load }] of Object.entries(singles)) found.set(name, (await load()).command);
  for (const [noun, { load }] of Object.entries(groups)) {
    const { group } = await load();
    for (const [verb, entry] of Object.entries(group.verbs))
      found.set(`${noun} ${verb}`, await loadVerb(entry));
  }
  return found;
}
