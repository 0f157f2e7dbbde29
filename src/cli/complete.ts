import type { ConfigFiles } from '../config/files.js';
import { openConfig } from '../config/open.js';
import { resolveDirectories } from '../config/directories.js';
import type { Language, Text } from '../contract/text.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Host } from '../io/io.js';
import { completionAnswer, type Candidate, type CompletionOption } from '../io/shell-completion.js';
import type { Catalogue, CommandDefinition, OptionSpec } from './command.js';
import { flagWord } from './option-value.js';
import { earlyChoices } from './presentation.js';
import { sharedFlags } from './shared-flags.js';
import { topicNames } from './topics.js';
import { readCommandLine, type CommandNode } from './tree.js';

const helpSummary: Text = { en: 'Help on commands and topics', pt: 'Ajuda sobre comandos e tópicos' };

/**
 * Answers `fiscal complete -- <words>`; the last word is the one at the cursor. Loads only the typed noun, since the
 * shell calls it at every key press.
 */
export async function answerCompletion(
  argv: readonly string[],
  { host, catalogue }: { readonly host: Host; readonly catalogue: Catalogue },
): Promise<string> {
  const words = argv[0] === '--' ? argv.slice(1) : argv;
  const { language } = earlyChoices(words, host.env);
  const { nodes } = await readCommandLine(words.slice(0, -1), catalogue, { isLenient: true });
  const [program, noun] = nodes;
  const nouns = Object.entries({ ...catalogue.groups, ...catalogue.singles, help: { summary: helpSummary } });
  const { definition } = nodes.at(-1) ?? program;
  const typed = nodes.map(({ args }) => args[0] ?? '');
  return completionAnswer(words, {
    commands: [
      ...nouns.map(([value, { summary }]) => ({ value, description: summary[language] })),
      ...(noun === undefined ? [] : await verbsOf(noun, language)),
    ],
    current: typed.slice(0, definition === undefined ? 1 : nodes.length - 1).join(' '),
    options: await optionsOf(definition, language, host),
    values: valuesOf(noun?.name() ?? ''),
  });
}

/** The verbs of a noun, under each of their names. */
async function verbsOf(noun: CommandNode, language: Language): Promise<readonly Candidate[]> {
  if (noun.definition !== undefined) return [];
  return (await noun.verbs()).flatMap((verb) =>
    [verb.path, ...verb.aliases().map((alias) => `fiscal ${noun.name()} ${alias}`)].map((path) => ({
      value: path.slice('fiscal '.length),
      description: verb.definition?.summary[language] ?? '',
    })),
  );
}

async function optionsOf(
  definition: CommandDefinition | undefined,
  language: Language,
  host: Host,
): Promise<readonly CompletionOption[]> {
  const { env, platform, homeDir, cwd } = host;
  const config = openConfig({ directories: resolveDirectories({ env, platform, homeDir }), env, cwd });
  const profiles = (await config.profiles()).map((value) => ({ value, description: '' }));
  const valuesOfOption: Readonly<Record<string, readonly Candidate[]>> = {
    profile: profiles,
    company: await aliasesOf(config),
  };
  const specs: Readonly<Record<string, OptionSpec>> = { ...sharedFlags, ...definition?.options };
  return Object.entries(specs).map(([name, spec]) => ({
    value: flagWord(name).slice(2),
    description: spec.summary[language],
    short: spec.short,
    values: valuesOfOption[name] ?? choicesOf(spec),
  }));
}

/** The profile's company aliases; none when the configuration cannot be read. */
async function aliasesOf(config: ConfigFiles): Promise<readonly Candidate[]> {
  try {
    const { aliases } = await config.settings({});
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

/** Known words that may follow a command. */
function valuesOf(noun: string): readonly Candidate[] {
  const shells = ['bash', 'zsh', 'fish', 'powershell'];
  const known: Readonly<Record<string, readonly string[]>> = { help: topicNames, completion: shells };
  return (known[noun] ?? []).map((value) => ({ value, description: '' }));
}
