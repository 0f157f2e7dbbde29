import { namesStore } from '../config/credentials.js';
import { resolveDirectories } from '../config/directories.js';
import { openConfig } from '../config/open.js';
import type { Language, Text } from '../contract/text.js';
import { terminalLine } from '../domain/terminal-text.js';
import type { Host } from '../io/io.js';
import { completionAnswer, filesAnswer, type Candidate, type CompletionOption } from '../io/shell-completion.js';
import type { SuggestedKind, Suggestion } from '../store/sqlite/suggestions.js';
import type { Catalogue, CommandDefinition, OptionSpec } from './command.js';
import { flagWord } from './option-value.js';
import { earlyChoices } from './presentation.js';
import { sharedFlags } from './shared-flags.js';
import { topicNames } from './topics.js';
import { readCommandLine, readSharedFlags, type CommandNode } from './tree.js';

/** What the shell completes by itself, or what is known here. */
type ValueKind = 'file' | 'folder' | 'event' | 'company' | 'profile' | SuggestedKind;

/** What the values of an option of a command are. */
function optionValueKind(noun: string, name: string, spec: OptionSpec): ValueKind | undefined {
  if (name === 'company') return 'company';
  if (name === 'profile') return 'profile';
  if (name === 'event' && noun === 'manifestation') return 'event';
  if (spec.kind === 'toggle' || spec.kind === 'choice') return undefined;
  if (spec.value === 'file' || (spec.value === 'path' && noun !== 'webhook')) return 'file';
  return spec.value === 'folder' ? 'folder' : undefined;
}

/** What the values of an argument of a command are. */
function argumentValueKind(command: string, name: string): ValueKind | undefined {
  const [noun = ''] = command.split(' ', 1);
  if (name === 'file' || name === 'plan') return 'file';
  if (command === 'job resolve') return 'uncertain';
  if (noun === 'job' && name === 'id') return 'jobs';
  if (name === 'product') return 'products';
  if (name === 'company' || name === 'companyId') return 'company';
  return name === 'profile' ? 'profile' : undefined;
}

/**
 * A shell may evaluate what it inserts, so a value of the service is offered only if it has no character that a shell reads
 * as its own.
 */
const plainWord = /^[\p{L}\p{N}_][\p{L}\p{N}_.@+/-]{0,99}$/u;

/** Values with their descriptions, each on one line. */
function offered(values: readonly { readonly value: string; readonly description: string | null }[]) {
  return values.flatMap(({ value, description }): readonly Candidate[] =>
    plainWord.test(value) ? [{ value, description: lineOf(description ?? '') }] : [],
  );
}

function lineOf(text: string): string {
  return terminalLine(text).replaceAll(/\s+/g, ' ').trim().slice(0, 80);
}

/** A company by its CNPJ, and by the first word of its name where the typed word begins it. */
function companyWords(companies: readonly Candidate[], typed: string): readonly Candidate[] {
  const start = plain(typed);
  const named = companies.flatMap(({ value, description }) => {
    const [first = ''] = description.split(' ', 1);
    if (start === '' || !plain(first).startsWith(start)) return [];
    return [{ value: typed + first.slice(typed.length), description: `${description}, ${value}` }];
  });
  const isUnique = ({ value }: Candidate): boolean => named.filter((one) => one.value === value).length === 1;
  return [...companies, ...offered(named.filter(isUnique))];
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The names of events with what they say. */
async function eventWords(language: Language): Promise<readonly Candidate[]> {
  const { eventTypes } = await import('../domain/event-codes.js');
  return eventTypes.map(({ name, label }) => ({ value: name, description: label[language] }));
}

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
  const place = { nodes, words, language, host };
  const kind = wantedKind(place);
  if (kind === 'file' || kind === 'folder') return filesAnswer(kind);
  const wanted = kind === undefined ? undefined : await valuesOfKind(kind, place);
  return completionAnswer(words, {
    commands: [
      ...nouns.map(([value, { summary }]) => ({ value, description: summary[language] })),
      ...(noun === undefined ? [] : await verbsOf(noun, language)),
    ],
    current: typed.slice(0, definition === undefined ? 1 : nodes.length - 1).join(' '),
    options: optionsOf(definition, language, wanted),
    values: wanted ?? valuesOf(noun?.name() ?? ''),
  });
}

/** Where the cursor is. */
interface Place {
  readonly nodes: readonly CommandNode[];
  readonly words: readonly string[];
  readonly language: Language;
  readonly host: Host;
}

/** What the word at the cursor is: the value of the option before it, or an argument. */
function wantedKind({ nodes, words }: Place): ValueKind | undefined {
  const { definition, path = '', args = [] } = nodes.at(-1) ?? {};
  const command = path.split(' ').slice(1).join(' ');
  const [noun = ''] = command.split(' ', 1);
  const [, flag = words.at(-2) ?? ''] = /^(--[^=]+)=/.exec(words.at(-1) ?? '') ?? [];
  const specs: Readonly<Record<string, OptionSpec>> = { ...sharedFlags, ...definition?.options };
  const found = Object.entries(specs).find(
    ([name, { short, kind }]) => kind !== 'toggle' && (flag === flagWord(name) || flag === `-${short}`),
  );
  if (found !== undefined) return optionValueKind(noun, ...found);
  if (definition === undefined || (words.at(-1) ?? '').startsWith('-')) return undefined;
  const known = Object.entries(definition.takes ?? {});
  const last = known.at(-1);
  const [argument] = known[args.length] ?? (last?.[1].variadic === true ? last : []);
  return argument === undefined ? undefined : argumentValueKind(command, argument);
}

/** Values of this machine; none where they cannot be read, since a shell has no place for an error. */
async function valuesOfKind(
  kind: Exclude<ValueKind, 'file' | 'folder'>,
  { words, language, host }: Place,
): Promise<readonly Candidate[]> {
  const { env, platform, homeDir, cwd } = host;
  try {
    if (kind === 'event') return await eventWords(language);
    const directories = resolveDirectories({ env, platform, homeDir });
    const config = openConfig({ directories, env, cwd });
    if (kind === 'profile') return offered((await config.profiles()).map((value) => ({ value, description: '' })));
    const typedFlags = Object.fromEntries(readSharedFlags(words.slice(0, -1)));
    const settings = await config.settings(typedFlags);
    const { aliases, storeNamespace } = settings;
    // The rows of a server are not offered: Tab waits for no network.
    if (namesStore(settings, env)) return kind === 'company' ? offered(named(aliases)) : [];
    const [{ suggestions }, { stateFile }] = await Promise.all([
      import('../store/sqlite/suggestions.js'),
      import('../store/state-file.js'),
    ]);
    const path = stateFile(directories.state);
    if (kind !== 'company') return offered(suggestions(path, storeNamespace, kind));
    const typed = (words.at(-1) ?? '').replace(/^--[^=]+=/, '');
    const companies = await companiesOr(() => suggestions(path, storeNamespace, 'companies'));
    return [...offered(named(aliases)), ...companyWords(companies, typed)];
  } catch {
    return [];
  }
}

function named(aliases: Readonly<Record<string, string>>): readonly Suggestion[] {
  return Object.entries(aliases).map(([value, description]) => ({ value, description }));
}

/** The aliases are offered where the store cannot be read. */
async function companiesOr(read: () => readonly Suggestion[]): Promise<readonly Candidate[]> {
  try {
    return offered(read());
  } catch {
    return [];
  }
}

/** The parts of a noun by their own text, then its verbs under each of their names. */
async function verbsOf(noun: CommandNode, language: Language): Promise<readonly Candidate[]> {
  if (noun.definition !== undefined) return [];
  const verbs = await noun.verbs();
  const parts = noun.children.flatMap(({ children, about, path }) =>
    children.length === 0 ? [] : [{ value: path.slice('fiscal '.length), description: about?.[language] ?? '' }],
  );
  const named = verbs.flatMap((verb) =>
    [verb.path, ...verb.aliases().map((alias) => `fiscal ${noun.name()} ${alias}`)].map((path) => ({
      value: path.slice('fiscal '.length),
      description: verb.definition?.summary[language] ?? '',
    })),
  );
  return [...parts, ...named];
}

/** The value at the cursor, if it is one, is that of the option before it. */
function optionsOf(
  definition: CommandDefinition | undefined,
  language: Language,
  values: readonly Candidate[] | undefined,
): readonly CompletionOption[] {
  const specs: Readonly<Record<string, OptionSpec>> = { ...sharedFlags, ...definition?.options };
  return Object.entries(specs).map(([name, spec]) => ({
    value: flagWord(name).slice(2),
    description: spec.summary[language],
    short: spec.short,
    values: choicesOf(spec) ?? (spec.kind === 'toggle' ? undefined : (values ?? [])),
  }));
}

function choicesOf(spec: OptionSpec): readonly Candidate[] | undefined {
  return spec.kind === 'choice' ? spec.choices.map((value) => ({ value, description: '' })) : undefined;
}

/** Known words that may follow a command. */
function valuesOf(noun: string): readonly Candidate[] {
  const shells = ['bash', 'zsh', 'fish', 'powershell'];
  const known: Readonly<Record<string, readonly string[]>> = { help: topicNames, completion: shells };
  return (known[noun] ?? []).map((value) => ({ value, description: '' }));
}
