import { groups, singles } from '../commands/groups.js';
import type { Language } from '../contract/text.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Host } from '../io/io.js';
import { completionAnswer, type Candidate, type CompletionOption } from '../io/shell-completion.js';
import { loadVerb, type CommandDefinition, type OptionSpec } from './command.js';
import { earlyChoices } from './early.js';
import { flagWord } from './option-value.js';
import { createResources, type Resources } from './resources.js';
import { entryOf, findVerb, verbAmong } from './route.js';
import { sharedFlags } from './shared-flags.js';
import { readToken } from './tokens.js';
import { topicNames } from './topics.js';

/**
 * Answers `fiscal complete -- <words>`, the last word being the one under the cursor.
 * Loads no more than the typed noun; a shell asks at every key press.
 */
export async function answerCompletion(argv: readonly string[], host: Host): Promise<string> {
  const words = argv[0] === '--' ? argv.slice(1) : argv;
  const { language } = earlyChoices(words, host.env);
  const [noun = '', ...rest] = commandWords(words.slice(0, -1));
  const found = await findDefinition(noun, rest);
  return completionAnswer(words, {
    commands: [...topCommands(language), ...(await verbsOf(noun, language))],
    current: found?.name ?? noun,
    options: await optionsOf(found?.definition, language, host),
    values: valuesOf(noun),
  });
}

/** The words that are neither flags nor their values. */
function commandWords(words: readonly string[]): readonly string[] {
  const plain: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (readToken(word, sharedFlags).takesNext) index += 1;
    else if (!word.startsWith('-')) plain.push(word);
  }
  return plain;
}

function topCommands(language: Language): readonly Candidate[] {
  const help = { en: 'Help on commands and topics', pt: 'Ajuda sobre comandos e tópicos' };
  return [
    ...Object.entries({ ...groups, ...singles }).map(([value, { summary }]) => ({
      value,
      description: summary[language],
    })),
    { value: 'help', description: help[language] },
  ];
}

async function verbsOf(noun: string, language: Language): Promise<readonly Candidate[]> {
  const entry = entryOf(groups, noun);
  if (entry === undefined) return [];
  const { group } = await entry.load();
  const words = [...Object.keys(group.verbs), ...Object.keys(group.aliases ?? {})];
  return await Promise.all(
    words.map(async (word) => ({
      value: `${noun} ${word}`,
      description: (await findVerb(noun, verbAmong([word], group) ?? word, group)).summary[language],
    })),
  );
}

interface Found {
  /** As it was typed, be it another word for the verb. */
  readonly name: string;
  readonly definition: CommandDefinition;
}

async function findDefinition(noun: string, words: readonly string[]): Promise<Found | undefined> {
  const single = entryOf(singles, noun);
  if (single !== undefined) return { name: noun, definition: (await single.load()).command };
  const group = (await entryOf(groups, noun)?.load())?.group;
  const verb = verbAmong(words, group) ?? '';
  const entry = group === undefined ? undefined : entryOf(group.verbs, verb);
  if (entry === undefined) return undefined;
  const [typed = ''] = words;
  const name = `${noun} ${Object.hasOwn(group?.aliases ?? {}, typed) ? typed : verb}`;
  return { name, definition: await loadVerb(entry) };
}

async function optionsOf(
  definition: CommandDefinition | undefined,
  language: Language,
  host: Host,
): Promise<readonly CompletionOption[]> {
  const resources = createResources(host, {});
  const profiles = (await (await resources.config()).profiles()).map((value) => ({ value, description: '' }));
  const valuesOfOption: Readonly<Record<string, readonly Candidate[]>> = {
    profile: profiles,
    company: await aliasesOf(resources),
  };
  const specs: Readonly<Record<string, OptionSpec>> = { ...sharedFlags, ...definition?.options };
  return Object.entries(specs).map(([name, spec]) => ({
    value: flagWord(name).slice(2),
    description: spec.summary[language],
    short: spec.short,
    values: valuesOfOption[name] ?? choicesOf(spec),
  }));
}

/** The words of the profile for its companies; a configuration that cannot be read has none to offer. */
async function aliasesOf({ settings }: Pick<Resources, 'settings'>): Promise<readonly Candidate[]> {
  try {
    const { aliases } = await settings();
    return Object.entries(aliases).map(([value, description]) => ({ value, description }));
  } catch (error) {
    if (error instanceof FiscalError) return [];
    throw error;
  }
}

function choicesOf(spec: OptionSpec): readonly Candidate[] | undefined {
  if (spec.kind === 'toggle') return undefined;
  return spec.kind === 'choice' ? spec.choices.map((value) => ({ value, description: '' })) : [];
}

/** Words that follow a command and are known beforehand. */
function valuesOf(noun: string): readonly Candidate[] {
  const shells = ['bash', 'zsh', 'fish', 'powershell'];
  const known: Readonly<Record<string, readonly string[]>> = { help: topicNames, completion: shells };
  return (entryOf(known, noun) ?? []).map((value) => ({ value, description: '' }));
}
