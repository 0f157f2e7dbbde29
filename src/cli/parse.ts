import type { Text } from '../contract/text.js';
import type { FlagValues } from '../config/files.js';
import type { Environment } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { ArgumentSpecs, CommandDefinition, OptionSpec, OptionSpecs } from './command.js';
import { defaultValue, flagWord, parseOptionText, variableWord, type ParsedValue } from './option-value.js';
import { sharedFlags } from './shared-flags.js';
import { seeHelp, type CommandLine, type TypedOptions } from './tree.js';

/** One command with its parsed values. */
export interface ParsedCommand {
  /** `product create`. */
  readonly name: string;
  readonly definition: CommandDefinition;
  /** Those of a variadic argument are a list. */
  readonly arguments: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly options: Readonly<Record<string, ParsedValue>>;
  /** The options and shared flags that the command line itself names. */
  readonly typed: ReadonlySet<string>;
  /** The shared flags as typed, for the configuration. */
  readonly flags: FlagValues;
}

/**
 * The values of a command line from its words, `FISCAL_*` variables and defaults. Errors: `usage.invalid_value`;
 * `usage.invalid` for an option without effect.
 */
export function parseCommand(
  definition: CommandDefinition,
  { nodes, options }: CommandLine,
  env: Environment,
): ParsedCommand {
  const node = nodes.at(-1) ?? nodes[0];
  try {
    const parsed = {
      name: node.path.slice('fiscal '.length),
      definition,
      arguments: argumentValues(definition.takes, node.args),
      options: optionValues(definition.options, options, env),
      typed: new Set(options.keys()),
      flags: flagValues(options),
    };
    requireEffect(parsed);
    if (definition.refusesCompany === true && options.has('company')) throw withoutEffect('--company', parsed.name);
    if (definition.refusesDryRun === true && isDryRun(options, env))
      throw new FiscalError('usage.dry_run', { operation: parsed.name }, { sent: 'no' });
    if (options.has('tenant') && !takesTenant(definition)) throw withoutEffect('--tenant', parsed.name);
    return parsed;
  } catch (error) {
    if (!(error instanceof FiscalError) || error.facts.hint !== undefined) throw error;
    throw error.with({ hint: seeHelp(node.path) });
  }
}

function argumentValues(takes: ArgumentSpecs = {}, words: readonly string[]): ParsedCommand['arguments'] {
  const entries = Object.entries(takes).map(([name, { variadic }], index) => [
    name,
    variadic === true ? words.slice(index) : words[index],
  ]);
  return Object.fromEntries(entries);
}

function optionValues(
  specs: OptionSpecs,
  typed: TypedOptions,
  env: Environment,
): Readonly<Record<string, ParsedValue>> {
  const entries = Object.entries(specs).map(([key, spec]) => {
    const given = typed.get(key);
    if (given === true) return [key, true];
    if (given === undefined && isToggleOfItsOwn(key, spec)) return [key, false];
    return [key, given === undefined ? valueFromEnv(key, spec, env) : parseTexts(spec, given, flagWord(key))];
  });
  return Object.fromEntries(entries);
}

/** The variable of that name holds the value of the shared flag. */
function isToggleOfItsOwn(key: string, { kind }: OptionSpec): boolean {
  const shared = Object.entries(sharedFlags).find(([name]) => name === key)?.[1];
  return kind === 'toggle' && shared !== undefined && shared.kind !== 'toggle';
}

function isDryRun(typed: TypedOptions, env: Environment): boolean {
  return typed.has('dryRun') || valueFromEnv('dryRun', sharedFlags.dryRun, env) === true;
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

export function flagValues(typed: TypedOptions): FlagValues {
  const flags: Record<string, string | boolean> = {};
  for (const [key, spec] of Object.entries(sharedFlags)) {
    const given = typed.get(key);
    // A toggle of the command with that name, such as `doctor --ci`.
    if (given === undefined || (given === true && spec.kind !== 'toggle')) continue;
    if (given !== true) parseTexts(spec, given, flagWord(key));
    flags[key] = given === true ? true : (given.at(-1) ?? '');
  }
  return flags;
}

/**
 * Refuses a typed option that would have no effect. Environment variables apply to many commands and are not checked.
 * Error: `usage.invalid`.
 */
export function requireEffect(parsed: ParsedCommand): void {
  const { definition, options, typed } = parsed;
  for (const [name, spec] of Object.entries(definition.options)) {
    const idle = typed.has(name) ? idleOf(spec, parsed) : undefined;
    if (idle === undefined) continue;
    const how = idle.is === 'with' ? { en: 'with', pt: 'com' } : { en: 'without', pt: 'sem' };
    throw noEffect(name, how, idle.others);
  }
  if (typed.has('company') && isForNoCompany(definition, options['model']))
    throw noEffect('company', { en: 'with', pt: 'com' }, [`model ${definition.modelWithoutCompany}`]);
}

/** Whether the command is for no company with this `--model`. */
export function isForNoCompany({ modelWithoutCompany }: CommandDefinition, model: unknown): boolean {
  return modelWithoutCompany !== undefined && model === modelWithoutCompany;
}

/** Why an option has no effect in this command: what it requires is missing, or something excludes it. */
export function idleOf(
  { onlyWith, notWith, models }: OptionSpec,
  command: ParsedCommand,
): { readonly is: 'with' | 'without'; readonly others: readonly string[] } | undefined {
  const { model } = command.options;
  if (models !== undefined && typeof model === 'string' && !models.includes(model))
    return { is: 'with', others: [`model ${model}`] };
  const needed = onlyWith?.filter((other) => isWord(other) || other in command.definition.options) ?? [];
  const hasOne = needed.some((other) => isGiven(other, command));
  if (needed.length > 0 && !hasOne) return { is: 'without', others: needed };
  const against = notWith?.find((other) => isGiven(other, command));
  return against === undefined ? undefined : { is: 'with', others: [against] };
}

/** `<id>` is an argument; `<action> add` is an argument with this value. */
const argumentIn = /^<(\w+)>(?: (\w+))?$/;

function isWord(name: string): boolean {
  return name === '-' || argumentIn.test(name);
}

function isGiven(name: string, command: ParsedCommand): boolean {
  if (name === '-') return Object.values(command.arguments).flat().includes('-');
  const [, argument, wordOfArgument] = argumentIn.exec(name) ?? [];
  const [option = '', wordOfOption] = name.split(' ');
  const word = argument === undefined ? wordOfOption : wordOfArgument;
  const value =
    argument === undefined ? (command.options[option] ?? command.flags[option]) : command.arguments[argument];
  if (word !== undefined) return value === word;
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** Another command would work on something else than the tenant that was named. */
export function takesTenant({ scope = [], showsSettings }: CommandDefinition): boolean {
  return scope.includes('tenant') || showsSettings === true;
}

function withoutEffect(flag: string, name: string): FiscalError {
  const message = { en: `${flag} has no effect on "fiscal ${name}"`, pt: `${flag} não tem efeito em "fiscal ${name}"` };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

function noEffect(name: string, how: Text, others: readonly string[]): FiscalError {
  const shown = others.map((other) => {
    if (isWord(other)) return argumentIn.exec(other)?.[2] ?? other;
    const [name = '', ...value] = other.split(' ');
    return [flagWord(name), ...value].join(' ');
  });
  const flag = flagWord(name);
  const message = {
    en: `${flag} has no effect ${how.en} ${shown.join(' or ')}`,
    pt: `${flag} não tem efeito ${how.pt} ${shown.join(' ou ')}`,
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}
