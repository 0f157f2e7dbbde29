import { groups, singles } from '../commands/groups.js';
import type { Text } from '../contract/text.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { loadVerb, type CommandDefinition, type CommandGroup, type OptionSpecs } from './command.js';
import { flagWord } from './option-value.js';
import { sharedFlags } from './shared-flags.js';
import { closestWord } from './suggest.js';
import { readToken } from './tokens.js';

/** What the words of a command line lead to. Only the command that is named gets loaded. */
export type Route =
  | { readonly kind: 'version' }
  | { readonly kind: 'top-help' }
  | { readonly kind: 'help'; readonly words: readonly string[] }
  | { readonly kind: 'group-help'; readonly noun: string; readonly group: CommandGroup }
  | {
      readonly kind: 'command';
      /** e.g. `product create`. */
      readonly name: string;
      readonly definition: CommandDefinition;
      /** True when `--help` stands among the words. */
      readonly help: boolean;
      /** Everything but noun and verb, up to `--`. */
      readonly words: readonly string[];
      /** What follows `--`. */
      readonly after: readonly string[];
    };

export async function findRoute(argv: readonly string[]): Promise<Route> {
  const { before, after } = splitAtDashes(argv);
  const first = takeWord(before, 'fiscal');
  if (first.version) return { kind: 'version' };
  if (first.word === undefined) return { kind: 'top-help' };
  if (first.word === 'help') return { kind: 'help', words: plainWords(first.rest) };
  const single = entryOf(singles, first.word);
  if (single !== undefined) {
    const { command } = await single.load();
    return commandRoute({ name: first.word, definition: command, words: first.rest, after }, first.help);
  }
  const entry = entryOf(groups, first.word);
  if (entry === undefined) throw unknownCommand(first.word, [], nouns());
  const { group } = await entry.load();
  const second = takeVerb(first.rest, first.word, group);
  const help = first.help || second.help;
  if (second.word === undefined) {
    if (help) return { kind: 'group-help', noun: first.word, group };
    throw missingVerb(first.word, group);
  }
  const verb = verbNamed(second.word, group);
  const definition = await findVerb(first.word, verb, group);
  const name = `${first.word} ${verb}`;
  return commandRoute({ name, definition, words: second.rest, after }, help);
}

/** Takes the verb: one word, or two where the first alone is none (`settings show`). */
function takeVerb(tokens: readonly string[], noun: string, group: CommandGroup): Taken {
  const one = takeWord(tokens, `fiscal ${noun}`);
  if (one.word === undefined || !beginsVerb(one.word, group)) return one;
  const two = takeWord(one.rest, `fiscal ${noun} ${one.word}`);
  const help = one.help || two.help;
  if (two.word !== undefined) return { ...two, word: `${one.word} ${two.word}`, help };
  if (help) return { ...two, help };
  throw missingVerb(`${noun} ${one.word}`, group);
}

function beginsVerb(word: string, group: CommandGroup): boolean {
  return (
    !Object.hasOwn(group.verbs, word) && Object.keys(group.verbs).some((verb) => verb.startsWith(`${word} `))
  );
}

/** The verb among the words behind a noun, as the group names it; the first word when none fits. */
export function verbAmong(words: readonly string[], group: CommandGroup | undefined): string | undefined {
  const [one, two] = words;
  const both = `${one} ${two}`;
  if (group === undefined || one === undefined) return one;
  return Object.hasOwn(group.verbs, both) ? both : verbNamed(one, group);
}

/** The verb that a word is another word for; else the word. */
function verbNamed(word: string, group: CommandGroup): string {
  return entryOf(group.aliases ?? {}, word) ?? word;
}

/** The words that may stand first. */
export function nouns(): readonly string[] {
  return [...Object.keys(groups), ...Object.keys(singles), 'help'];
}

/** Loads one verb, or throws `usage.unknown_command` with the nearest one. */
export async function findVerb(noun: string, verb: string, group: CommandGroup): Promise<CommandDefinition> {
  const found = entryOf(group.verbs, verb);
  if (found === undefined)
    throw unknownCommand(verb, [noun], Object.keys({ ...group.verbs, ...group.aliases }));
  return await loadVerb(found);
}

/** An own field only: `constructor` is no command. */
export function entryOf<Entry>(entries: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

export function unknownCommand(
  typed: string,
  path: readonly string[],
  known: readonly string[],
): FiscalError {
  const near = closestWord(typed, known);
  const before = path.map((word) => `${word} `).join('');
  const help = ['fiscal', ...path, '--help'].join(' ');
  const hint: Text =
    near === undefined
      ? { en: `see ${help}`, pt: `veja ${help}` }
      : {
          en: `did you mean "fiscal ${before}${near}"? See ${help}`,
          pt: `você quis dizer "fiscal ${before}${near}"? Veja ${help}`,
        };
  return new FiscalError('usage.unknown_command', { command: before + shownWord(typed) }, { hint });
}

/** A word as an error may repeat it: something long may be a key that was pasted by mistake. */
function shownWord(word: string): string {
  return word.length > 24 ? '…' : word;
}

function splitAtDashes(argv: readonly string[]): { before: readonly string[]; after: readonly string[] } {
  const index = argv.indexOf('--');
  return index === -1
    ? { before: argv, after: [] }
    : { before: argv.slice(0, index), after: argv.slice(index + 1) };
}

interface Taken {
  readonly word: string | undefined;
  readonly help: boolean;
  readonly version: boolean;
  /** The other tokens, in order. */
  readonly rest: readonly string[];
}

/** Takes the first token that is neither a shared flag nor the value of one. */
function takeWord(tokens: readonly string[], command: string): Taken {
  const skipped: string[] = [];
  let help = false;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] ?? '';
    if (isHelp(token)) {
      help = true;
      continue;
    }
    if (token === '--version' || token === '-V') return { word: undefined, help, version: true, rest: [] };
    if (!token.startsWith('-') || token === '-') {
      return { word: token, help, version: false, rest: [...skipped, ...tokens.slice(index + 1)] };
    }
    const reading = readToken(token, sharedFlags);
    if (reading.name === undefined && !help) throw unknownOption(token, command, sharedFlags);
    skipped.push(token);
    const next = tokens[index + 1];
    if (reading.takesNext && next !== undefined) {
      skipped.push(next);
      index += 1;
    }
  }
  return { word: undefined, help, version: false, rest: skipped };
}

export function unknownOption(token: string, command: string, specs: OptionSpecs): FiscalError {
  // What follows `=` may be a secret that was meant for another place.
  const option = token.split('=', 1)[0] ?? token;
  const near = closestWord(option, [...Object.keys(specs).map((name) => flagWord(name)), '--help']);
  const help = `${command} --help`;
  const hint: Text =
    near === undefined
      ? { en: `see ${help}`, pt: `veja ${help}` }
      : { en: `did you mean ${near}? See ${help}`, pt: `você quis dizer ${near}? Veja ${help}` };
  return new FiscalError('usage.unknown_option', { option: shownWord(option), command }, { hint });
}

type CommandWords = Pick<Extract<Route, { kind: 'command' }>, 'name' | 'definition' | 'words' | 'after'>;

/** Takes `--help` out of the words, unless it is the value of an option. */
function commandRoute(found: CommandWords, helpBefore: boolean): Route {
  const specs = { ...sharedFlags, ...found.definition.options };
  const words: string[] = [];
  let help = helpBefore;
  for (let index = 0; index < found.words.length; index += 1) {
    const token = found.words[index] ?? '';
    if (isHelp(token)) {
      help = true;
      continue;
    }
    words.push(token);
    const next = found.words[index + 1];
    if (readToken(token, specs).takesNext && next !== undefined) {
      words.push(next);
      index += 1;
    }
  }
  return { kind: 'command', ...found, words, help };
}

function isHelp(token: string): boolean {
  return token === '--help' || token === '-h';
}

function plainWords(tokens: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] ?? '';
    if (readToken(token, sharedFlags).takesNext) index += 1;
    else if (!token.startsWith('-')) words.push(token);
  }
  return words;
}

function missingVerb(words: string, group: CommandGroup): FiscalError {
  const [noun = '', ...before] = words.split(' ');
  const beginning = before.map((word) => `${word} `).join('');
  const verbs = Object.keys(group.verbs)
    .filter((verb) => verb.startsWith(beginning))
    .map((verb) => verb.slice(beginning.length))
    .join(', ');
  return new FiscalError(
    'usage.missing',
    { names: { en: `a verb of "${words}" (${verbs})`, pt: `um verbo de "${words}" (${verbs})` } },
    { hint: { en: `see fiscal ${noun} --help`, pt: `veja fiscal ${noun} --help` } },
  );
}
