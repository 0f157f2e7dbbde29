import { sandboxProfile } from '../config/sandbox-profile.js';
import type { Settings } from '../config/settings.js';
import type { Text } from '../contract/text.js';
import { commandsIn, shellLine, splitCommand } from '../domain/command-words.js';
import type { ErrorDetail, FiscalError } from '../errors/fiscal-error.js';
import type { Catalogue, CommandDefinition } from './command.js';
import { readCommandLine, type TypedOptions } from './tree.js';

/** Whose things a run works on. */
export interface Whose extends Pick<Settings, 'profile' | 'company' | 'tenant'> {
  /** The run is for all companies of the account, whichever the settings name. */
  readonly isForAll?: boolean;
}

/** What these commands do depends on no profile, or they name it themselves. */
const withoutProfile =
  /^(?:sandbox|key|completion|version|help|auth use|auth list|tax codes|manifestation codes)\b/;

/**
 * Texts in which every command names the profile of the run, and where the command works on a company or a tenant, those too:
 * typed in any shell it acts for the same ones as the run did.
 */
export interface PrintedCommands {
  /** One sentence or one command line. */
  inSentence(sentence: string): Promise<string>;
  inText(text: Text): Promise<Text>;
  inError(error: FiscalError): Promise<FiscalError>;
}

/** Without `whose` every text stays as it is. */
export function printedCommands(catalogue: Catalogue, whose: Whose | undefined): PrintedCommands {
  const inSentence = async (sentence: string): Promise<string> => {
    if (whose === undefined) return sentence;
    let text = sentence;
    for (const { start, flagsEnd, end } of commandsIn(sentence).toReversed()) {
      const line = await readPrinted(sentence.slice(start, end), catalogue);
      const missing = line === undefined ? [] : missingWords(line, whose);
      text = text.slice(0, flagsEnd) + missing.map((word) => ` ${word}`).join('') + text.slice(flagsEnd);
    }
    return text;
  };
  const inText = async ({ en, pt }: Text): Promise<Text> => ({
    en: await inSentence(en),
    pt: await inSentence(pt),
  });
  return {
    inSentence,
    inText,
    async inError(error) {
      if (whose === undefined) return error;
      const { resume, hint, details } = error.facts;
      const whole = error.with({
        ...(resume === undefined ? {} : { resume: await inSentence(resume) }),
        ...(hint === undefined ? {} : { hint: await inText(hint) }),
        ...(details && { details: await Promise.all(details.map((detail) => inDetail(detail, inText))) }),
      });
      return whole.withText(await inText(error.text));
    },
  };
}

async function inDetail(
  { field, message }: ErrorDetail,
  inText: PrintedCommands['inText'],
): Promise<ErrorDetail> {
  return { field, message: typeof message === 'string' ? message : await inText(message) };
}

/** A command as it stands in a text. */
interface PrintedCommand {
  readonly name: string;
  readonly definition: CommandDefinition;
  readonly options: TypedOptions;
}

/** Nothing for words that are no command of this program. */
async function readPrinted(command: string, catalogue: Catalogue): Promise<PrintedCommand | undefined> {
  // The place for a value, and a choice of several, mean something to a shell.
  const split = splitCommand(command.replaceAll(/[<>|]/g, '_'));
  if (!('words' in split)) return undefined;
  const { nodes, wants, options } = await readCommandLine(split.words.slice(1), catalogue, {
    isLenient: true,
  });
  const { path, definition } = nodes.at(-1) ?? nodes[0];
  if (wants !== 'command' || definition === undefined) return undefined;
  return { name: path.slice('fiscal '.length), definition, options };
}

/** What a command lacks to name whom it is for. */
function missingWords(command: PrintedCommand, whose: Whose): readonly string[] {
  const { name, definition, options } = command;
  const { scope = [] } = definition;
  const isChosen =
    ['company', 'allCompanies', 'plan'].some((key) => options.has(key)) ||
    Object.entries(definition.options).some(
      ([key, { notWith }]) => notWith?.includes('company') === true && options.has(key),
    );
  return [
    ...(scope.includes('company') && !isChosen && !withoutCompany.test(name)
      ? companyWords(definition, whose)
      : []),
    ...(scope.includes('tenant') && !options.has('tenant') ? flagWords('--tenant', whose.tenant) : []),
    ...(withoutProfile.test(name) || options.has('profile') ? [] : profileWords(name, whose.profile)),
  ];
}

/** Without `--company` these are for all, also where the settings name one: of what a run was, they show the whole. */
const withoutCompany = /^(?:usage|certificate check)$/;

/** A command for one company, in a run for several, is for whichever the reader means. */
function companyWords(
  definition: CommandDefinition,
  { company, isForAll = false }: Whose,
): readonly string[] {
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
