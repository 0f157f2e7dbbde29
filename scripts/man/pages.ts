import {
  type ArgumentSpec,
  type CommandDefinition,
  exampleLine,
  type OptionSpec,
  type OptionSpecs,
} from '../../src/cli/command.js';
import { exitCodeMeanings, exitsOf } from '../../src/cli/exit-codes.js';
import { flagWord } from '../../src/cli/option-value.js';
import { sharedFlags } from '../../src/cli/shared-flags.js';
import { topics } from '../../src/cli/topics.js';
import { version } from '../../src/domain/version.js';
import type { Language, Text } from '../../src/contract/text.js';
import { groups, singles } from '../../src/commands/groups.js';
import { loadCommands, type NamedCommand } from '../reference/commands.js';
import { bold, roffArgument, roffText, section, tagged, typed } from './roff.js';

const words = {
  en: {
    name: 'NAME',
    synopsis: 'SYNOPSIS',
    description: 'DESCRIPTION',
    arguments: 'ARGUMENTS',
    options: 'OPTIONS',
    shared: 'OPTIONS OF EVERY COMMAND',
    commands: 'COMMANDS',
    examples: 'EXAMPLES',
    exitCodes: 'EXIT STATUS',
    seeAlso: 'SEE ALSO',
    flags: 'flags',
    command: 'command',
    verb: 'verb',
    manual: 'Manual of fiscal',
    program: 'Brazilian fiscal documents from the command line',
    preset: 'Default',
    all: 'every option of every command is in',
    topics: 'Topics',
  },
  pt: {
    name: 'NOME',
    synopsis: 'SINOPSE',
    description: 'DESCRIÇÃO',
    arguments: 'ARGUMENTOS',
    options: 'OPÇÕES',
    shared: 'OPÇÕES DE TODO COMANDO',
    commands: 'COMANDOS',
    examples: 'EXEMPLOS',
    exitCodes: 'CÓDIGOS DE SAÍDA',
    seeAlso: 'VEJA TAMBÉM',
    flags: 'opções',
    command: 'comando',
    verb: 'verbo',
    manual: 'Manual do fiscal',
    program: 'Documentos fiscais brasileiros no terminal',
    preset: 'Padrão',
    all: 'as opções de todo comando estão em',
    topics: 'Tópicos',
  },
} as const;

/** `inbound sync` → `fiscal-inbound-sync`. */
function pageName(command: string): string {
  return ['fiscal', ...command.split(' ')].join('-');
}

/** The pages by their names: the program, its nouns and its commands. */
export async function manPages(language: Language): Promise<ReadonlyMap<string, string>> {
  const commands = await loadCommands();
  const pages = new Map([['fiscal', programPage(language)]]);
  for (const [noun, { summary }] of Object.entries(groups)) {
    const own = commands.filter(({ name }) => name.startsWith(`${noun} `));
    pages.set(pageName(noun), nounPage(noun, { summary, commands: own }, language));
  }
  for (const command of commands) pages.set(pageName(command.name), commandPage(command, language));
  return pages;
}

/** The page of one command. */
function commandPage({ name, definition }: NamedCommand, language: Language): string {
  const word = words[language];
  const { summary, description, options, examples, scope = [] } = definition;
  const [noun = ''] = name.split(' ', 1);
  const shared = ['profile', ...scope, 'output', 'fields', 'query', 'dryRun', 'yes', 'lang'] as const;
  return page(pageName(name), language, [
    ...section(word.name, [`${roffText(pageName(name))} \\- ${roffText(summary[language])}`]),
    ...section(word.synopsis, [synopsis(name, definition, word.flags)]),
    ...section(word.description, [roffText(description?.[language] ?? `${summary[language]}.`)]),
    ...section(
      word.arguments,
      Object.entries(definition.takes ?? {}).flatMap((argument) => argumentLines(argument, language)),
    ),
    ...section(word.options, optionLines(options, language)),
    ...section(word.shared, [
      ...optionLines(Object.fromEntries(shared.map((flag) => [flag, sharedFlags[flag]])), language),
      '.PP',
      `${roffText(word.all)} ${bold('fiscal')}(1).`,
    ]),
    ...section(
      word.examples,
      examples.flatMap((each, index) => [
        ...(index === 0 ? [] : ['.PP']),
        `${roffText(each.summary[language])}:`,
        ...typed([exampleLine(name, each)]),
      ]),
    ),
    ...section(word.exitCodes, exitCodeLines(definition, language)),
    ...section(word.seeAlso, [seeAlso(noun === name ? ['fiscal'] : ['fiscal', pageName(noun)])]),
  ]);
}

/** The page of a noun: its verbs. */
function nounPage(
  noun: string,
  { summary, commands }: { readonly summary: Text; readonly commands: readonly NamedCommand[] },
  language: Language,
): string {
  const word = words[language];
  return page(pageName(noun), language, [
    ...section(word.name, [`${roffText(pageName(noun))} \\- ${roffText(summary[language])}`]),
    ...section(word.synopsis, [`${bold(`fiscal ${noun}`)} \\fI${word.verb}\\fR [\\fI${word.flags}\\fR]`]),
    ...section(word.commands, commandLines(commands, language)),
    ...section(word.seeAlso, [seeAlso(['fiscal'])]),
  ]);
}

/** The page of the program: its commands, its shared flags and its exit codes. */
function programPage(language: Language): string {
  const word = words[language];
  const entries = Object.entries({ ...groups, ...singles });
  const topicLines = Object.entries(topics).flatMap(([name, { summary }]) =>
    tagged(bold(`fiscal help ${name}`), roffText(summary[language])),
  );
  return page('fiscal', language, [
    ...section(word.name, [`fiscal \\- ${roffText(word.program)}`]),
    ...section(word.synopsis, [`${bold('fiscal')} \\fI${word.command}\\fR [\\fI${word.flags}\\fR]`]),
    ...section(
      word.commands,
      entries.flatMap(([name, { summary }]) => tagged(`${bold(pageName(name))}(1)`, roffText(summary[language]))),
    ),
    ...section(word.shared, optionLines(sharedFlags, language)),
    ...section(word.topics.toUpperCase(), topicLines),
    ...section(
      word.exitCodes,
      Object.entries(exitCodeMeanings).flatMap(([code, meaning]) => tagged(code, roffText(meaning[language]))),
    ),
  ]);
}

/** Without a date, which would change the page at every build. */
function page(name: string, language: Language, lines: readonly string[]): string {
  const title = [name.toUpperCase(), '1', '', `fiscal ${version}`, words[language].manual];
  return `${[`.TH ${title.map(roffArgument).join(' ')}`, '.nh', '.ad l', ...lines].join('\n')}\n`;
}

function synopsis(name: string, definition: CommandDefinition, flags: string): string {
  const typedArguments = Object.entries(definition.takes ?? {}).map(([argument, { required, variadic }]) => {
    const word = `\\fI${roffText(argument)}\\fR${variadic === true ? '...' : ''}`;
    return required ? word : `[${word}]`;
  });
  return [bold(`fiscal ${name}`), ...typedArguments, `[\\fI${flags}\\fR]`].join(' ');
}

function argumentLines([name, { summary }]: readonly [string, ArgumentSpec], language: Language): readonly string[] {
  return tagged(`\\fI${roffText(name)}\\fR`, roffText(summary[language]));
}

function optionLines(options: OptionSpecs, language: Language): readonly string[] {
  return Object.entries(options).flatMap(([name, spec]) => tagged(optionTerm(name, spec), optionText(spec, language)));
}

function optionTerm(name: string, spec: OptionSpec): string {
  const short = spec.short === undefined ? '' : `${bold(`-${spec.short}`)}, `;
  return `${short}${bold(flagWord(name))}${optionValue(spec)}`;
}

function optionValue(spec: OptionSpec): string {
  if (spec.kind === 'toggle') return '';
  if (spec.kind === 'choice') return ` ${spec.choices.map(bold).join('|')}`;
  return ` \\fI${roffText(spec.value)}\\fR`;
}

function optionText(spec: OptionSpec, language: Language): string {
  const preset = 'default' in spec && spec.default !== undefined ? String(spec.default) : undefined;
  const text = roffText(spec.summary[language]);
  return preset === undefined ? text : `${text}. ${words[language].preset}: ${roffText(preset)}.`;
}

function commandLines(commands: readonly NamedCommand[], language: Language): readonly string[] {
  return commands.flatMap(({ name, definition }) =>
    tagged(`${bold(pageName(name))}(1)`, roffText(definition.summary[language])),
  );
}

function exitCodeLines(definition: CommandDefinition, language: Language): readonly string[] {
  return [...exitsOf(definition)].flatMap(([code, meaning]) => tagged(String(code), roffText(meaning[language])));
}

function seeAlso(names: readonly string[]): string {
  return names.map((name) => `${bold(name)}(1)`).join(', ');
}
