import { Command, CommanderError, Option } from 'commander';
import type { Text } from '../contract/text.js';
import type { FlagValues } from '../config/files.js';
import type { Environment } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { CommandDefinition, OptionSpec, OptionSpecs } from './command.js';
import { defaultValue, flagWord, parseOptionText, variableWord, type ParsedValue } from './option-value.js';
import { unknownOption } from './route.js';
import { sharedFlags } from './shared-flags.js';

export interface ParsedWords {
  readonly arguments: Readonly<Record<string, string | undefined>>;
  readonly rest: readonly string[];
  readonly options: Readonly<Record<string, ParsedValue>>;
  /** The shared flags as typed, for the configuration. */
  readonly flags: FlagValues;
}

export interface WordsToParse {
  readonly name: string;
  readonly definition: CommandDefinition;
  readonly words: readonly string[];
  readonly after: readonly string[];
}

/** Turns the words of one command into values. Every fault is a `usage.*` error with a hint at the help. */
export function parseWords(input: WordsToParse, env: Environment): ParsedWords {
  const command = `fiscal ${input.name}`;
  try {
    const specs: OptionSpecs = { ...sharedFlags, ...input.definition.options };
    const typed = readOptions(input.words, specs, command);
    const positional = [...typed.operands, ...input.after];
    const parsed = {
      ...readArguments(positional, input),
      options: optionValues(input.definition.options, typed.values, env),
      flags: flagValues(typed.values),
    };
    for (const [name, spec] of Object.entries(input.definition.options)) {
      if (typed.values.has(name)) assertEffect(name, spec, { parsed, definition: input.definition });
    }
    return parsed;
  } catch (error) {
    if (!(error instanceof FiscalError) || error.facts.hint !== undefined) throw error;
    throw error.with({ hint: { en: `see ${command} --help`, pt: `veja ${command} --help` } });
  }
}

/** The words as they were parsed, and the command that they are for. */
interface Typing {
  readonly parsed: ParsedWords;
  readonly definition: CommandDefinition;
}

/**
 * Refuses an option that was typed and would change nothing. What stands in the environment is for many commands, and says
 * nothing here. Error: `usage.invalid`.
 */
function assertEffect(name: string, spec: OptionSpec, typing: Typing): void {
  const idle = idleOf(spec, typing);
  if (idle === undefined) return;
  const how = idle.is === 'with' ? { en: 'with', pt: 'com' } : { en: 'without', pt: 'sem' };
  throw noEffect(name, how, idle.others);
}

/** Why an option changes nothing among these words: what it needs is not there, or what makes it idle is. */
export function idleOf(
  { onlyWith, notWith }: OptionSpec,
  typing: Typing,
): { readonly is: 'with' | 'without'; readonly others: readonly string[] } | undefined {
  const { options } = typing.definition;
  const needed = onlyWith?.filter((other) => isWord(other) || other in options) ?? [];
  const hasOne = needed.some((other) => isGiven(other, typing));
  if (needed.length > 0 && !hasOne) return { is: 'without', others: needed };
  const against = notWith?.find((other) => isGiven(other, typing));
  return against === undefined ? undefined : { is: 'with', others: [against] };
}

/** `<id>` is an argument, `<action> add` one with this word in it. */
const argumentIn = /^<(\w+)>(?: (\w+))?$/;

function isWord(name: string): boolean {
  return name === '-' || argumentIn.test(name);
}

function isGiven(name: string, { parsed }: Typing): boolean {
  if (name === '-') return [...Object.values(parsed.arguments), ...parsed.rest].includes('-');
  const [, argument, word] = argumentIn.exec(name) ?? [];
  const value =
    argument === undefined ? (parsed.options[name] ?? parsed.flags[name]) : parsed.arguments[argument];
  if (word !== undefined) return value === word;
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

function noEffect(name: string, how: Text, others: readonly string[]): FiscalError {
  const shown = others.map((other) =>
    isWord(other) ? (argumentIn.exec(other)?.[2] ?? other) : flagWord(other),
  );
  const flag = flagWord(name);
  const message = {
    en: `${flag} has no effect ${how.en} ${shown.join(' or ')}`,
    pt: `${flag} não tem efeito ${how.pt} ${shown.join(' ou ')}`,
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

interface TypedWords {
  readonly values: ReadonlyMap<string, readonly string[] | true>;
  readonly operands: readonly string[];
}

function readOptions(words: readonly string[], specs: OptionSpecs, name: string): TypedWords {
  const values = new Map<string, readonly string[] | true>();
  const command = new Command(name)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .showSuggestionAfterError(false)
    .helpOption(false)
    .allowExcessArguments(true)
    .argument('[words...]');
  for (const [key, spec] of Object.entries(specs)) {
    command.addOption(commanderOption(key, spec));
    // Commander tells of `--no-input` under that name too, whatever it makes of the value.
    command.on(`option:${flagWord(key).slice(2)}`, (text: string | null) => {
      const before = values.get(key);
      const texts = Array.isArray(before) ? before : [];
      values.set(key, spec.kind === 'toggle' ? true : [...texts, text ?? '']);
    });
  }
  try {
    command.parse([...words], { from: 'user' });
  } catch (error) {
    throw error instanceof CommanderError ? usageError(error, name, specs) : error;
  }
  return { values, operands: command.args };
}

function commanderOption(key: string, spec: OptionSpec): Option {
  const short = 'short' in spec && spec.short !== undefined ? `-${spec.short}, ` : '';
  return new Option(`${short}${flagWord(key)}${spec.kind === 'toggle' ? '' : ' <value>'}`);
}

function usageError(error: CommanderError, command: string, specs: OptionSpecs): FiscalError {
  const word = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  if (error.code === 'commander.unknownOption') return unknownOption(word, command, specs);
  if (error.code === 'commander.optionMissingArgument') {
    const flag = word.replace(/^-\w, /, '').replace(/ <value>$/, '');
    return new FiscalError('usage.missing', {
      names: { en: `the value of ${flag}`, pt: `o valor de ${flag}` },
    });
  }
  return new FiscalError('usage.invalid', { message: error.message.replace(/^error: /, '') });
}

function readArguments(
  words: readonly string[],
  input: WordsToParse,
): Pick<ParsedWords, 'arguments' | 'rest'> {
  const specs = input.definition.arguments ?? [];
  const plain = specs.filter((spec) => spec.variadic !== true);
  const variadic = specs.find((spec) => spec.variadic === true);
  const rest = words.slice(plain.length);
  const missing = specs.filter((spec, index) => spec.required && (words[index] ?? '') === '');
  if (missing.length > 0) {
    throw new FiscalError('usage.missing', { names: missing.map((spec) => `<${spec.name}>`).join(', ') });
  }
  if (variadic === undefined && rest.length > 0) throw tooManyWords(input.name, plain.length);
  const named = Object.fromEntries(plain.map((spec, index) => [spec.name, words[index]]));
  return { arguments: named, rest };
}

/** The words themselves are not repeated: one of them may be a key that was pasted by mistake. */
function tooManyWords(name: string, expected: number): FiscalError {
  return new FiscalError('usage.invalid', {
    message: {
      en: `"fiscal ${name}" takes ${expected === 0 ? 'no argument' : `at most ${expected}`}, and more were given`,
      pt: `"fiscal ${name}" aceita ${expected === 0 ? 'nenhum argumento' : `no máximo ${expected}`}, e mais foram dados`,
    },
  });
}

function optionValues(
  specs: OptionSpecs,
  typed: TypedWords['values'],
  env: Environment,
): Readonly<Record<string, ParsedValue>> {
  const entries = Object.entries(specs).map(([key, spec]) => {
    const given = typed.get(key);
    if (given === true) return [key, true];
    return [key, given === undefined ? valueFromEnv(key, spec, env) : parseTexts(spec, given, flagWord(key))];
  });
  return Object.fromEntries(entries);
}

function valueFromEnv(key: string, spec: OptionSpec, env: Environment): ParsedValue {
  const variable = variableWord(key);
  const text = env[variable];
  return text === undefined || text === '' ? defaultValue(spec) : parseOptionText(spec, text, variable);
}

function parseTexts(spec: OptionSpec, texts: readonly string[], flag: string): ParsedValue {
  if (spec.kind !== 'list' && spec.kind !== 'texts') return parseOptionText(spec, texts.at(-1) ?? '', flag);
  return texts.flatMap((text) => parseOptionText(spec, text, flag) as readonly string[]); // a list parses to texts
}

function flagValues(typed: TypedWords['values']): FlagValues {
  const flags: Record<string, string | boolean> = {};
  for (const [key, spec] of Object.entries(sharedFlags)) {
    const given = typed.get(key);
    if (given === undefined) continue;
    if (given !== true) parseTexts(spec, given, flagWord(key));
    flags[key] = given === true ? true : (given.at(-1) ?? '');
  }
  return flags;
}
