import { sandboxProfile } from '../config/sandbox-profile.js';
import type { Settings } from '../config/settings.js';
import type { Text } from '../contract/text.js';
import { commandsIn, shellLine, splitCommand } from '../domain/command-words.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { flagWord } from './option-value.js';
import type { Route } from './route.js';

/** Whose things a run works on. */
export interface Whose extends Pick<Settings, 'profile' | 'company' | 'tenant'> {
  /** The run is for all companies of the account, whichever the settings name. */
  readonly isForAll?: boolean;
}

/** What these commands do depends on no profile, or they name it themselves. */
const withoutProfile =
  /^(?:sandbox|key|completion|version|help|auth use|auth list|tax codes|manifestation codes)\b/;

/** The error, whose commands mean the same wherever they are typed. */
export async function withWholeCommands(error: FiscalError, whose: Whose | undefined): Promise<FiscalError> {
  if (whose === undefined) return error;
  const { resume, hint, details } = error.facts;
  const whole = error.with({
    ...(resume === undefined ? {} : { resume: await wholeSentence(resume, whose) }),
    ...(hint === undefined ? {} : { hint: await wholeText(hint, whose) }),
    ...(details === undefined
      ? {}
      : {
          details: await Promise.all(
            details.map(async ({ field, message }) => ({
              field,
              message: typeof message === 'string' ? message : await wholeText(message, whose),
            })),
          ),
        }),
  });
  return whole.withText(await wholeText(error.text, whose));
}

/**
 * The text, in which every command names the profile of the run, and where the command works on a company or a tenant, those
 * too: typed in any shell it acts for the same ones as the run did.
 */
export async function wholeText(text: Text, whose: Whose | undefined): Promise<Text> {
  return {
    en: await wholeSentence(text.en, whose),
    pt: await wholeSentence(text.pt, whose),
  };
}

/** The same for one sentence or one command line. */
export async function wholeSentence(sentence: string, whose: Whose | undefined): Promise<string> {
  if (whose === undefined) return sentence;
  let text = sentence;
  for (const { start, flagsEnd, end } of commandsIn(sentence).toReversed()) {
    const missing = await missingWords(sentence.slice(start, end), whose);
    text = text.slice(0, flagsEnd) + missing.map((word) => ` ${word}`).join('') + text.slice(flagsEnd);
  }
  return text;
}

/** What a command lacks to name whom it is for; nothing for words that are no command of this program. */
async function missingWords(command: string, whose: Whose): Promise<readonly string[]> {
  // The place for a value, and a choice of several, mean something to a shell.
  const split = splitCommand(command.replaceAll(/[<>|]/g, '_'));
  const words = 'words' in split ? split.words.slice(1) : [];
  const route = await routeOf(words);
  if (route === undefined || words.includes('--help')) return [];
  const { name, definition, words: flags } = route;
  const { scope = [] } = definition;
  const isNamed = (flag: string): boolean =>
    flags.some((word) => word === flag || word.startsWith(`${flag}=`));
  const isChosen =
    ['--company', '--all-companies', '--plan'].some(isNamed) ||
    Object.entries(definition.options).some(
      ([key, { notWith }]) => notWith?.includes('company') === true && isNamed(flagWord(key)),
    );
  return [
    ...(scope.includes('company') && !isChosen && !withoutCompany.test(name)
      ? companyWords(route, whose)
      : []),
    ...(scope.includes('tenant') && !isNamed('--tenant') ? flagWords('--tenant', whose.tenant) : []),
    ...(withoutProfile.test(name) || isNamed('--profile') ? [] : profileWords(name, whose.profile)),
  ];
}

/** Without `--company` these are for all, also where the settings name one: of what a run was, they show the whole. */
const withoutCompany = /^(?:usage|certificate check)$/;

/** A command for one company, in a run for several, is for whichever the reader means. */
function companyWords({ definition }: CommandRoute, { company, isForAll = false }: Whose): readonly string[] {
  const takesSeveral = 'allCompanies' in definition.options;
  if (isForAll) return takesSeveral ? ['--all-companies'] : ['--company', '<id>'];
  if (company?.includes(',') === true && !takesSeveral) return ['--company', '<id>'];
  return flagWords('--company', company);
}

/** No keys are kept for the built-in profile: they go to another one. */
function profileWords(name: string, profile: string | undefined): readonly string[] {
  return name === 'auth login' && profile === sandboxProfile.name
    ? ['--profile', '<name>']
    : flagWords('--profile', profile);
}

function flagWords(flag: string, value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [flag, shellLine([value])];
}

type CommandRoute = Extract<Route, { kind: 'command' }>;

async function routeOf(words: readonly string[]): Promise<CommandRoute | undefined> {
  const { findRoute } = await import('./route.js');
  try {
    const route = await findRoute(words);
    return route.kind === 'command' ? route : undefined;
  } catch (error) {
    if (error instanceof FiscalError) return undefined;
    throw error;
  }
}
