import { fields } from '../config/fields.js';
import type { FlagValues } from '../config/files.js';
import type { CsvStyle, OutputFormat, Settings } from '../config/settings.js';
import type { Language } from '../contract/text.js';
import type { Environment } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { ColorChoice } from '../io/color.js';
import { languageOf, localeLanguage } from '../io/language.js';
import { splitList, variableWord } from './option-value.js';
import type { Whose } from './printed-commands.js';
import { sharedFlags, type SharedFlag } from './shared-flags.js';
import { readSharedFlags } from './tree.js';

/** How to present help and errors before the command line is parsed. */
export interface EarlyChoices {
  readonly language: Language;
  readonly color: ColorChoice;
  readonly output: OutputFormat | undefined;
  readonly errorFormat: 'text' | 'json' | undefined;
  readonly quiet: boolean;
}

interface EarlyRun extends EarlyChoices {
  /** `--ci`, `FISCAL_CI`, else detected. */
  readonly reportsToGithub: boolean;
  readonly isInGithub: boolean;
}

/** Reads argv and environment and never fails: the parser reports wrong values later. */
export function earlyChoices(argv: readonly string[], env: Environment): EarlyRun {
  const typed = readSharedFlags(argv);
  const value = (name: SharedFlag): string | undefined => textOf(typed.get(name)) ?? env[variableWord(name)];
  return {
    language: languageOf(value('lang')) ?? localeLanguage(env),
    color: known(value('color'), sharedFlags.color.choices) ?? 'auto',
    output: known(value('output'), sharedFlags.output.choices),
    errorFormat: known(value('errorFormat'), sharedFlags.errorFormat.choices),
    reportsToGithub: (known(value('ci'), sharedFlags.ci.choices) ?? (isInGithub(env) ? 'github' : 'none')) === 'github',
    isInGithub: isInGithub(env),
    quiet: typed.has('quiet') || fields.quiet.parse(env[variableWord('quiet')]) === true,
  };
}

function isInGithub(env: Environment): boolean {
  return env['GITHUB_ACTIONS'] === 'true';
}

function known<Choice extends string>(value: string | undefined, choices: readonly Choice[]): Choice | undefined {
  return choices.find((choice) => choice === value);
}

/** How this run presents its output. */
export interface Presentation {
  readonly language: Language;
  readonly color: ColorChoice;
  readonly output: OutputFormat | undefined;
  readonly csvStyle: CsvStyle;
  readonly out?: string | undefined;
  readonly errorFormat: 'text' | 'json' | undefined;
  readonly fields: readonly string[] | undefined;
  readonly query: string | undefined;
  readonly utc: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly noInput: boolean;
  readonly noPager: boolean;
  readonly yes: boolean;
  /** Absent when the configuration cannot be read. */
  readonly whose?: Whose | undefined;
}

/**
 * Reads the whole configuration where possible. Otherwise (`auth login` for a new profile, `doctor` on a damaged file)
 * flags and environment are enough; a command that needs the settings reads them itself and reports the same error.
 */
export async function choosePresentation(
  settings: () => Promise<Settings>,
  flags: FlagValues,
  early: EarlyChoices,
): Promise<Presentation> {
  try {
    const resolved = await settings();
    const { profile, usualProfile, company, usualCompany, tenant, usualTenant } = resolved;
    const whose = { profile, usualProfile, company, usualCompany, tenant, usualTenant };
    return { ...resolved, whose, language: languageOf(resolved.lang) ?? early.language };
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    return withoutSettings(flags, early);
  }
}

export function withoutSettings(flags: FlagValues, early: EarlyChoices): Presentation {
  const fields = textOf(flags['fields']);
  return {
    ...early,
    csvStyle: known(textOf(flags['csvStyle']), sharedFlags.csvStyle.choices) ?? 'rfc4180',
    out: textOf(flags['out']),
    fields: fields === undefined ? undefined : splitList(fields),
    query: textOf(flags['query']),
    utc: flags['utc'] === true,
    quiet: flags['quiet'] === true || early.quiet,
    verbose: flags['verbose'] === true,
    noInput: flags['noInput'] === true,
    noPager: flags['noPager'] === true,
    yes: flags['yes'] === true,
  };
}

function textOf(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
