import type { Language } from '../contract/text.js';
import type { ExitCode } from '../errors/exit-code.js';
import type { CommandDefinition, OptionSpec, OptionSpecs } from './command.js';
import { exitCodeMeanings } from './exit-code-meanings.js';
import { columns, heading, wrap, type Reader } from './help-layout.js';
import { flagWord } from './option-value.js';
import { sharedFlags, type SharedFlag } from './shared-flags.js';

const words = {
  en: {
    usage: 'Usage',
    options: 'options',
    arguments: 'Arguments',
    own: 'Options',
    shared: 'Options of every command (all: fiscal help output, fiscal help environment)',
    examples: 'Examples',
    exitCodes: 'Exit codes',
    preset: 'default',
    oneOf: 'one of',
  },
  pt: {
    usage: 'Uso',
    options: 'opções',
    arguments: 'Argumentos',
    own: 'Opções',
    shared: 'Opções de todo comando (todas: fiscal help output, fiscal help environment)',
    examples: 'Exemplos',
    exitCodes: 'Códigos de saída',
    preset: 'padrão',
    oneOf: 'um de',
  },
} as const;

type Row = readonly [string, string];

/** Everything about one command, as lines no wider than the reader's, but for examples. */
export function commandHelp(name: string, definition: CommandDefinition, reader: Reader): readonly string[] {
  const { language, width } = reader;
  const word = words[language];
  const section = (title: string, rows: readonly Row[]): readonly string[] =>
    rows.length === 0 ? [] : [...heading(title), ...columns(rows, width)];
  const description = definition.description?.[language];
  return [
    definition.summary[language],
    ...(description === undefined ? [] : ['', ...wrap(description, width)]),
    ...heading(word.usage),
    `  fiscal ${[name, ...argumentWords(definition), `[${word.options}]`].join(' ')}`,
    ...section(word.arguments, argumentRows(definition, language)),
    ...section(word.own, optionRows(definition.options, language)),
    ...section(word.shared, optionRows(commonFlags(definition), language)),
    ...heading(word.examples),
    ...definition.examples.flatMap(({ command, summary }) => [`  ${command}`, `      ${summary[language]}`]),
    ...section(word.exitCodes, exitCodeRows(definition.exitCodes, language)),
  ];
}

/** The shared flags that are worth a line in this help. */
function commonFlags({ scope = [] }: CommandDefinition): OptionSpecs {
  const names: readonly SharedFlag[] = ['profile', ...scope, 'output', 'fields', 'query', 'dryRun', 'yes'];
  return Object.fromEntries(names.map((name) => [name, sharedFlags[name]]));
}

function argumentWords(definition: CommandDefinition): readonly string[] {
  return (definition.arguments ?? []).map((argument) => {
    const name = argument.variadic === true ? `${argument.name}...` : argument.name;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
}

function argumentRows(definition: CommandDefinition, language: Language): readonly Row[] {
  return (definition.arguments ?? []).map((argument) => [argument.name, argument.summary[language]]);
}

function optionRows(specs: OptionSpecs, language: Language): readonly Row[] {
  return Object.entries(specs).map(([name, spec]) => [
    `${spec.short === undefined ? '    ' : `-${spec.short}, `}${flagWord(name)}${valueWord(spec)}`,
    `${spec.summary[language]}${detail(spec, language)}`,
  ]);
}

function valueWord(spec: OptionSpec): string {
  switch (spec.kind) {
    case 'toggle':
      return '';
    case 'choice':
      return ' <choice>';
    case 'list':
      return ` <${spec.value},...>`;
    case 'texts':
      return ` <${spec.value}> ...`;
    default:
      return ` <${spec.value}>`;
  }
}

function detail(spec: OptionSpec, language: Language): string {
  const word = words[language];
  const choices = spec.kind === 'choice' ? ` (${word.oneOf} ${spec.choices.join(', ')})` : '';
  const preset = 'default' in spec && spec.default !== undefined ? ` [${word.preset}: ${spec.default}]` : '';
  return choices + preset;
}

function exitCodeRows(own: readonly ExitCode[], language: Language): readonly Row[] {
  const codes = [...new Set<ExitCode>([0, 1, 2, ...own])].sort((left, right) => left - right);
  return codes.map((code) => [String(code), exitCodeMeanings[code][language]]);
}
