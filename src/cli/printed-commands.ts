import { sandboxProfile } from '../config/sandbox-profile.js';
import type { Settings } from '../config/settings.js';
import type { Text } from '../contract/text.js';
import { commandsIn, shellLine, splitCommand } from '../domain/command-words.js';
import type { ErrorDetail, FiscalError } from '../errors/fiscal-error.js';
import type { Catalogue, CommandDefinition } from './command.js';
import { isForNoCompany } from './parse.js';
import { readCommandLine, type TypedOptions } from './tree.js';

/** The profile, company and tenant of a run. */
export interface Whose
  extends Pick<Settings, 'profile' | 'company' | 'tenant'>,
    Partial<Pick<Settings, 'usualProfile' | 'usualCompany' | 'usualTenant'>> {
  /** The run is for all companies of the account, whatever the settings name. */
  readonly isForAll?: boolean;
}

/** For a person: without what a command has that names none. Several companies stay, which not every command takes. */
export function withoutUsual(whose: Whose): Whose {
  const { profile, usualProfile, company, usualCompany, tenant, usualTenant } = whose;
  return {
    ...whose,
    profile: profile === usualProfile ? undefined : profile,
    company: company === usualCompany && company?.includes(',') === false ? undefined : company,
    tenant: tenant === usualTenant ? undefined : tenant,
  };
}

/** Commands that depend on no profile, or name one themselves. */
const withoutProfile = /^(?:setup|sandbox|key|completion|help|auth use|tax codes|manifestation codes)\b/;

/**
 * Texts whose commands include the profile of the run, and its company and tenant where they matter: typed in any
 * shell, such a command acts for the same ones.
 */
export interface PrintedCommands {
  /** Completes the commands in one sentence or command line. */
  inSentence(sentence: string): Promise<string>;
  inText(text: Text): Promise<Text>;
  inError(error: FiscalError): Promise<FiscalError>;
}

/** A shorter word for the company with this id. */
type NameOf = (companyId: string) => Promise<string | undefined>;

/**
 * Without `whose`, texts are returned unchanged. With `nameOf`, as a person would type it: what the profile in use gives is left out, a
 * company has its alias or CNPJ. What is stored and typed again elsewhere is whole.
 */
export function printedCommands(catalogue: Catalogue, whose: Whose | undefined, nameOf?: NameOf): PrintedCommands {
  const inSentence = async (sentence: string): Promise<string> => {
    if (whose === undefined) return sentence;
    let text = sentence;
    for (const { start, words, flagsEnd, end } of commandsIn(sentence).toReversed()) {
      const line = await readPrinted(sentence.slice(start, end), catalogue);
      if (line === undefined) continue;
      const all = [...words, ...missingWords(line, whose)];
      const shown = nameOf === undefined ? all : await shortened(all, line, { whose, nameOf });
      text = text.slice(0, start) + shown.join(' ') + text.slice(flagsEnd);
    }
    return text;
  };
  const inText = async ({ en, pt }: Text): Promise<Text> => ({ en: await inSentence(en), pt: await inSentence(pt) });
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

async function shortened(
  command: readonly string[],
  { name, definition: { scope = [] }, options }: PrintedCommand,
  { whose, nameOf }: { readonly whose: Whose; readonly nameOf: NameOf },
): Promise<readonly string[]> {
  const { usualProfile, usualCompany, usualTenant } = whose;
  const named = [options.get('profile')].flat().at(-1);
  const isOurs = named === undefined || named === (whose.profile ?? usualProfile);
  const place = command.indexOf('--company') + 1;
  const ids = command[place] ?? '';
  const isNamed = place > 0 && /^[\w,-]+$/.test(ids);
  const names = isNamed ? await Promise.all(ids.split(',').map(async (id) => (await nameOf(id)) ?? id)) : [];
  const isUsual = usualCompany !== undefined && [ids, names.join(',')].includes(usualCompany);
  const mayLack = isOurs && scope.includes('company') && !withoutCompany.test(name);
  const words = isNamed ? command.with(place, shellLine([names.join(',')])) : command;
  return [
    ['--profile', usualProfile],
    ['--company', isUsual && mayLack ? names.join(',') : undefined],
    ['--tenant', isOurs && scope.includes('tenant') ? usualTenant : undefined],
  ].reduce<readonly string[]>((left, [flag = '', value]) => withoutFlag(left, flag, value), words);
}

function withoutFlag(words: readonly string[], flag: string, value: string | undefined): readonly string[] {
  const at = words.indexOf(flag);
  const isSame = at !== -1 && value !== undefined && words[at + 1] === shellLine([value]);
  return isSame ? words.toSpliced(at, 2) : words;
}

async function inDetail({ field, message }: ErrorDetail, inText: PrintedCommands['inText']): Promise<ErrorDetail> {
  return { field, message: typeof message === 'string' ? message : await inText(message) };
}

/** A command found in a text. */
interface PrintedCommand {
  readonly name: string;
  readonly definition: CommandDefinition;
  readonly options: TypedOptions;
}

/** `undefined` for words that are not a command of this program. */
async function readPrinted(command: string, catalogue: Catalogue): Promise<PrintedCommand | undefined> {
  // Placeholders and choices contain characters with a meaning in a shell.
  const split = splitCommand(command.replaceAll(/[<>|]/g, '_'));
  if (!('words' in split)) return undefined;
  const { nodes, wants, options } = await readCommandLine(split.words.slice(1), catalogue, { isLenient: true });
  const { path, definition } = nodes.at(-1) ?? nodes[0];
  if (wants !== 'command' || definition === undefined) return undefined;
  return { name: path.slice('fiscal '.length), definition, options };
}

/** The flags missing from a command. */
function missingWords(command: PrintedCommand, whose: Whose): readonly string[] {
  const { name, definition, options } = command;
  const { scope = [] } = definition;
  const isChosen =
    ['company', 'allCompanies', 'plan'].some((key) => options.has(key)) ||
    isForNoCompany(definition, [options.get('model')].flat().at(-1)) ||
    Object.entries(definition.options).some(
      ([key, { notWith }]) => notWith?.includes('company') === true && options.has(key),
    );
  return [
    ...(scope.includes('company') && !isChosen && !withoutCompany.test(name) ? companyWords(definition, whose) : []),
    ...(scope.includes('tenant') && !options.has('tenant') ? flagWords('--tenant', whose.tenant) : []),
    ...(withoutProfile.test(name) || options.has('profile') ? [] : profileWords(name, whose.profile)),
  ];
}

/** Without `--company` these commands cover all companies even when the settings name one. */
const withoutCompany = /^(?:status|usage|certificate check|job list)$/;

/** In a run for several companies, a command for one company keeps its placeholder. */
function companyWords(definition: CommandDefinition, { company, isForAll = false }: Whose): readonly string[] {
  const takesSeveral = 'allCompanies' in definition.options;
  if (isForAll) return takesSeveral ? ['--all-companies'] : ['--company', '<id>'];
  if (company?.includes(',') === true && !takesSeveral) return ['--company', '<id>'];
  return flagWords('--company', company);
}

/** The built-in profile has no keys of its own to store, so such a command is for another profile. */
function profileWords(name: string, profile: string | undefined): readonly string[] {
  return name === 'auth login' && profile === sandboxProfile.name
    ? ['--profile', '<name>']
    : flagWords('--profile', profile);
}

function flagWords(flag: string, value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [flag, shellLine([value])];
}
