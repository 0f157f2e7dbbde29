import type { Settings } from '../config/settings.js';
import { fiscalLine } from '../domain/command-words.js';
import { formatDuration } from '../domain/dates.js';
import type { Environment } from '../domain/world.js';
import type { GoOn, GoOnRequest } from '../services/context.js';
import { batchOptions } from './options.js';
import type { OptionSpec, OptionSpecs } from './command.js';
import { defaultValue, flagWord, variableWord, type ParsedValue } from './option-value.js';
import { idleOf, isForNoCompany, type ParsedCommand, requireEffect } from './parse.js';
import type { PrintedCommands } from './printed-commands.js';
import type { SharedFlag } from './shared-flags.js';

type Flag = readonly [flag: string, value: string | true];

/** Consent is given again each time, except where no job has it and the words gave it. */
const consents: readonly string[] = ['confirm'];

function consentOf({ definition, options, flags }: ParsedCommand): readonly Flag[] {
  const own = Object.entries(definition.options).filter(([name]) => consents.includes(name));
  const given = own.flatMap(([name, spec]) => flagsOf(name, spec, options[name]));
  return flags['yes'] === true ? [...given, ['--yes', true]] : given;
}

/**
 * The shared flags that change how the service is reached. The others concern this run's output (`--output`), give
 * consent (`--yes`), or prevent the work (`--dry-run`); company, tenant and profile are added as resolved.
 */
const kept: readonly SharedFlag[] = [
  'connectTimeout',
  'readTimeout',
  'maxRetryWait',
  'maxBelievedWait',
  'concurrency',
  'rps',
  'budget',
  'caCert',
  'proxy',
];

/** A CPF is personal data and appears in no row of the store and no list (§5, security rules). */
const cpf = /(?<!\d)\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?!\d)/;

export interface GoOnDependencies {
  readonly settings: () => Promise<Settings>;
  readonly env: Environment;
  readonly printed: PrintedCommands;
}

/**
 * Builds the command that resumes the work from the parsed words: values from `FISCAL_*` variables become flags, so
 * that the command means the same in another environment.
 */
export function createGoOn(typed: ParsedCommand, { settings, env, printed }: GoOnDependencies): GoOn {
  let isByJobOnly = false;
  let command = typed;
  return {
    found: ({ id, model }) => {
      const words = id === undefined ? {} : { id };
      command = { ...typed, arguments: { ...typed.arguments, ...words }, options: { ...typed.options, model } };
      requireEffect(command);
    },
    byJobOnly: () => {
      isByJobOnly = true;
    },
    inText: printed.inText,
    inSentence: printed.inSentence,
    async again({ file, without, flags }) {
      const { profile, ...scope } = await settings();
      const { command: name, positionals, flags: own } = wordsAgain(command, env);
      const left = own.filter(([flag]) => !without.some((key) => flagWord(key) === flag));
      const added = flags.map((flag): Flag => (typeof flag === 'string' ? [flag, true] : flag));
      const given = added.filter(([flag]) => !left.some(([other]) => other === flag));
      return fiscalLine({
        command: name,
        positionals: file === undefined ? positionals : [file, ...positionals.slice(1)],
        flags: [...left, ...given],
        ...scopeOf(command, {}, scope),
        profile,
      });
    },
    async commandFor(request) {
      const { profile, ...scope } = await settings();
      const words = wordsAgain(command, env);
      const given = request.needsInput === true ? consentOf(command) : [];
      const line = fiscalLine({
        ...{ ...words, flags: [...words.flags, ...given] },
        ...scopeOf(command, request, scope),
        profile,
      });
      if (request.needsInput === true || !(isByJobOnly || cpf.test(line))) return () => line;
      const flags = [...ownFlags(command, batchOptions), ...keptFlags(command, env)];
      return (jobId) => fiscalLine({ command: 'job resume', positionals: [jobId], flags, profile });
    },
  };
}

function wordsAgain(command: ParsedCommand, env: Environment) {
  const named = Object.values(command.arguments).filter((word) => word !== undefined);
  return {
    command: command.name,
    positionals: named.flat(),
    flags: [...ownFlags(command, command.definition.options), ...keptFlags(command, env)],
  };
}

/** A flag for all companies, or for none, excludes one for a single company. */
function scopeOf(
  { definition, options }: ParsedCommand,
  { company, tenant }: GoOnRequest,
  settings: Pick<Settings, 'company' | 'tenant'>,
) {
  const { scope = [] } = definition;
  const isForNone = options['allCompanies'] === true || isForNoCompany(definition, options['model']);
  return {
    company: scope.includes('company') && !isForNone ? (company ?? settings.company) : undefined,
    tenant: scope.includes('tenant') ? (tenant ?? settings.tenant) : undefined,
  };
}

/** The options in `among` whose value differs from the default, without environment values that have no effect. */
function ownFlags(command: ParsedCommand, among: OptionSpecs): readonly Flag[] {
  return Object.entries(command.definition.options).flatMap(([name, spec]) => {
    if (!Object.hasOwn(among, name) || consents.includes(name)) return [];
    return idleOf(spec, command) === undefined ? flagsOf(name, spec, command.options[name]) : [];
  });
}

function flagsOf(name: string, spec: OptionSpec, value: ParsedValue): readonly Flag[] {
  const flag = flagWord(name);
  const usual = defaultValue(spec);
  if (value === undefined || value === false || value === usual) return [];
  if (value === true) return [[flag, true]];
  if (typeof value === 'string') return [[flag, value]];
  if (typeof value === 'number') return [[flag, spec.kind === 'duration' ? formatDuration(value) : String(value)]];
  if (value.length === 0) return [];
  return spec.kind === 'list' ? [[flag, value.join(',')]] : value.map((text) => [flag, text] as const);
}

function keptFlags({ flags }: ParsedCommand, env: Environment): readonly Flag[] {
  return kept.flatMap((name) => {
    const value = flags[name] ?? env[variableWord(name)];
    // A proxy address may contain a password, which must not reach the store.
    const mayStand = typeof value === 'string' && value !== '' && !(name === 'proxy' && value.includes('@'));
    return mayStand ? [[flagWord(name), value] as const] : [];
  });
}
