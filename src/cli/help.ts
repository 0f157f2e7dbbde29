import { Help } from 'commander';
import type { Language, Text } from '../contract/text.js';
import type { OutputStream } from '../io/io.js';
import {
  type Catalogue,
  type Definition,
  type Example,
  exampleLine,
  type OptionSpec,
  type OptionSpecs,
} from './command.js';
import { exitsOf, ownExitsOf } from './exit-codes.js';
import { argumentWord, flagWord } from './option-value.js';
import { sharedFlags, type SharedFlag } from './shared-flags.js';
import { topicNames, topics } from './topics.js';
import { readCommandLine, type CommandLine, type CommandNode } from './tree.js';

/** The widest line of help, for readability. */
const WIDEST = 100;

/** The narrowest line that help is wrapped to; a smaller terminal wraps by itself. */
const NARROWEST = 60;

/** At most so many examples, without `--all`. */
const USUAL_EXAMPLES = 3;

/** The words of a longer choice are listed only with `--all`. */
const USUAL_CHOICES = 16;

/** The reader of a help text: language, and line width in characters. */
export interface Reader {
  readonly language: Language;
  readonly width: number;
  /** `--all`: also the description, the less common options and what every command knows. */
  readonly all?: boolean;
}

/** The reader at `stream`: as wide as its terminal, 100 characters at most; without a terminal nothing is wrapped. */
export function readerAt(stream: OutputStream, language: Language): Reader {
  const width = stream.isTerminal ? Math.max(NARROWEST, Math.min(WIDEST, stream.columns)) : Number.MAX_SAFE_INTEGER;
  return { language, width };
}

/** The help for a command line. Loads only what it shows: the verbs of a noun, or one command. */
export async function helpFor(
  { nodes }: Pick<CommandLine, 'nodes'>,
  catalogue: Catalogue,
  reader: Reader,
): Promise<string> {
  const [program, noun = program] = nodes;
  const node = nodes.at(-1) ?? noun;
  const { definition, path, args } = node;
  if (path === 'fiscal help' && args.length > 0) return await helpOnWords(args, catalogue, reader);
  const verbs = definition === undefined && noun !== program ? await node.verbs() : [];
  const format = (helper: Help): readonly string[] => {
    const page = { helper, language: reader.language };
    if (definition !== undefined && reader.all === true) return fullHelp(path, definition, page);
    if (definition !== undefined) return commandHelp(path, definition, page);
    return verbs.length === 0
      ? topHelp(catalogue, page)
      : verbsHelp(node, { verbs, about: node.about ?? noun.about, ...page });
  };
  return noun
    .configureOutput({ getOutHasColors: () => false, getOutHelpWidth: () => reader.width })
    .configureHelp({ minWidthToWrap: 20, formatHelp: (_node, helper) => format(helper).join('\n') })
    .helpInformation();
}

/** Answers `fiscal help <topic>`, and `fiscal help product create` like `fiscal product create --help`. */
async function helpOnWords(words: readonly string[], catalogue: Catalogue, reader: Reader): Promise<string> {
  const [word = ''] = words;
  if (Object.hasOwn(topics, word)) return (await topics[word]?.load())?.topic[reader.language] ?? '';
  const known = [...Object.keys(catalogue.groups), ...Object.keys(catalogue.singles), 'help'];
  if (!known.includes(word)) {
    const { unknownCommand } = await import('./unknown-word.js');
    throw await unknownCommand(word, { path: 'fiscal help', known: [...topicNames, ...known] });
  }
  return await helpFor(await readCommandLine(['--help', ...words], catalogue), catalogue, reader);
}

/** The format of one help page; commander's helper wraps it to the width. */
interface Page {
  readonly helper: Help;
  readonly language: Language;
}

const words = {
  en: {
    intro: 'Brazilian fiscal documents from the command line: never sent twice, never lost.',
    usage: 'Usage',
    command: 'command',
    verb: 'verb',
    arguments: 'arguments',
    options: 'options',
    verbs: 'Verbs',
    topics: (names: string) => `fiscal help <topic> explains ${names}.`,
    more: (command: string) => `fiscal ${command} --help shows its examples and options.`,
    rest: '--help --all explains everything.',
    also: (names: string) => `Also ${names}: --help --all explains them.`,
    start: 'To begin: fiscal setup. To try it: fiscal sandbox seed --documents 5',
    argumentList: 'Arguments',
    optionList: 'Options',
    rare: 'Less common options',
    shared: 'Options of every command (all: fiscal help output, fiscal help environment)',
    sharedLine: (names: string) => `Of every command: ${names} (fiscal help output)`,
    examples: 'Examples',
    exitCodes: (codes: string) => `Exit codes: ${codes} (fiscal help exit-codes)`,
    preset: 'default',
    oneOf: 'one of',
  },
  pt: {
    intro: 'Documentos fiscais brasileiros no terminal: nunca em duplicidade, nunca perdidos.',
    usage: 'Uso',
    command: 'comando',
    verb: 'verbo',
    arguments: 'argumentos',
    options: 'opções',
    verbs: 'Verbos',
    topics: (names: string) => `fiscal help <tópico> explica ${names}.`,
    more: (command: string) => `fiscal ${command} --help mostra os exemplos e as opções.`,
    rest: '--help --all explica tudo.',
    also: (names: string) => `Também ${names}: --help --all explica.`,
    start: 'Para começar: fiscal setup. Para testar: fiscal sandbox seed --documents 5',
    argumentList: 'Argumentos',
    optionList: 'Opções',
    rare: 'Opções menos comuns',
    shared: 'Opções de todo comando (todas: fiscal help output, fiscal help environment)',
    sharedLine: (names: string) => `De todo comando: ${names} (fiscal help output)`,
    examples: 'Exemplos',
    exitCodes: (codes: string) => `Códigos de saída: ${codes} (fiscal help exit-codes)`,
    preset: 'padrão',
    oneOf: 'um de',
  },
} as const;

type Row = readonly [term: string, description: string];

/** The first screen: with the prompt, it fits a terminal of 24 lines. */
function topHelp(catalogue: Catalogue, { helper, language }: Page): readonly string[] {
  const word = words[language];
  return [
    wrap(word.intro, helper),
    `${word.usage}: fiscal <${word.command}> [${word.arguments}] [${word.options}]`,
    '',
    ...sectionLines(catalogue, { helper, language }),
    '',
    wrap(word.topics(topicNames.join(', ')), helper),
    wrap(word.more(`<${word.command}>`), helper),
    wrap(word.start, helper),
  ];
}

/** Each section has its title in the first column, then its commands. */
function sectionLines({ groups, singles, sections }: Catalogue, { helper, language }: Page): readonly string[] {
  const entries: Readonly<Record<string, { readonly summary: Text }>> = { ...groups, ...singles };
  const titleWidth = Math.max(...sections.map(({ title }) => title[language].length)) + 2;
  const rows = sections.flatMap(({ title, commands }) =>
    commands.map(
      (name, index): Row => [
        (index === 0 ? title[language] : '').padEnd(titleWidth) + name,
        entries[name]?.summary[language] ?? '',
      ],
    ),
  );
  const named = sections.flatMap(({ title, names = [] }) =>
    names.length === 0 ? [] : [helper.formatItem(title[language], titleWidth - 2, names.join(', '), helper)],
  );
  return [...columns(rows, helper), ...named];
}

/** The verbs of a noun, or of a part of it such as `inbound capture`. */
function verbsHelp(node: CommandNode, { verbs, about, helper, language }: Page & VerbsOfNode): readonly string[] {
  const word = words[language];
  const rows = verbs.map((verb): Row => {
    const name = verb.path.slice(node.path.length + 1);
    return [[name, ...verb.aliases()].join(', '), verb.definition?.summary[language] ?? ''];
  });
  return [
    about?.[language] ?? '',
    ...section(word.usage, [`  ${node.path} <${word.verb}> [${word.arguments}] [${word.options}]`]),
    ...table(word.verbs, rows, helper),
    '',
    wrap(word.more(`${node.path.slice('fiscal '.length)} <${word.verb}>`), helper),
  ];
}

interface VerbsOfNode {
  readonly verbs: readonly CommandNode[];
  /** What the noun is. */
  readonly about: Text | undefined;
}

/** What is usual: examples first. Each example stays on one line, so that it can be copied. */
function commandHelp(path: string, definition: Definition, page: Page): readonly string[] {
  const { helper, language } = page;
  const word = words[language];
  const { usual, rare } = optionsOf(definition);
  const names = Object.keys(rare).map(flagWord).join(', ');
  const shared = Object.entries(commonFlags(definition)).map(([name, { short }]) =>
    short === undefined ? flagWord(name) : `-${short}`,
  );
  return [
    wrap(definition.summary[language], helper),
    ...section(word.examples, exampleLines(path, definition.examples.slice(0, USUAL_EXAMPLES), language)),
    ...usageLines(path, definition, page),
    ...table(word.optionList, optionRows(usual, language, USUAL_CHOICES), helper),
    '',
    wrap(names === '' ? word.rest : word.also(names), helper),
    wrap(word.sharedLine(shared.join(', ')), helper),
  ];
}

/** Everything about one command. */
function fullHelp(path: string, definition: Definition, page: Page): readonly string[] {
  const { helper, language } = page;
  const word = words[language];
  const description = definition.description?.[language];
  const { usual, rare } = optionsOf(definition);
  return [
    definition.summary[language],
    ...(description === undefined ? [] : ['', wrap(description, helper)]),
    ...section(word.examples, exampleLines(path, definition.examples, language)),
    ...usageLines(path, definition, page),
    ...table(word.optionList, optionRows(usual, language), helper),
    ...table(word.rare, optionRows(rare, language), helper),
    ...table(word.shared, optionRows(commonFlags(definition), language), helper),
    '',
    ...exitCodeLines(definition, page),
  ];
}

function exampleLines(path: string, examples: readonly Example[], language: Language): readonly string[] {
  const name = path.slice('fiscal '.length);
  return examples.flatMap((example) => [`  ${exampleLine(name, example)}`, `      ${example.summary[language]}`]);
}

function usageLines(path: string, definition: Definition, { helper, language }: Page) {
  const word = words[language];
  return [
    ...section(word.usage, [`  ${[path, ...argumentWords(definition), `[${word.options}]`].join(' ')}`]),
    ...table(word.argumentList, argumentRows(definition, language), helper),
  ];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return ['', `${title}:`, ...lines];
}

function table(title: string, rows: readonly Row[], helper: Help): readonly string[] {
  return rows.length === 0 ? [] : section(title, columns(rows, helper));
}

function wrap(text: string, helper: Help): string {
  return helper.boxWrap(text, helper.helpWidth ?? WIDEST);
}

/** Commander's help formatter for lines of `width` characters. */
export function helperOf(width: number): Help {
  return Object.assign(new Help(), { helpWidth: width, minWidthToWrap: 20 });
}

/** Terms on the left, descriptions on the right; a long term gets its own line. */
export function columns(rows: readonly Row[], helper: Help): readonly string[] {
  const left = Math.min(34, Math.max(0, ...rows.map(([term]) => term.length)));
  return rows.map(([term, description]) =>
    term.length > left
      ? `  ${term}\n${helper.formatItem('', left, description, helper)}`
      : helper.formatItem(term, left, description, helper),
  );
}

/** The shared flags listed in this command's help. */
function commonFlags({ scope = [] }: Definition): OptionSpecs {
  const names: readonly SharedFlag[] = ['profile', ...scope, 'output', 'fields', 'query', 'dryRun', 'yes'];
  return Object.fromEntries(names.map((name) => [name, sharedFlags[name]]));
}

function argumentWords(definition: Definition): readonly string[] {
  return Object.entries(definition.takes ?? {}).map(([name, spec]) => argumentWord(name, spec));
}

function argumentRows(definition: Definition, language: Language): readonly Row[] {
  return Object.entries(definition.takes ?? {}).map(([name, { summary }]) => [name, summary[language]]);
}

/** The usual options, and those that are rare. */
function optionsOf({ options }: Definition): Readonly<Record<'usual' | 'rare', OptionSpecs>> {
  const entries = Object.entries(options);
  return {
    usual: Object.fromEntries(entries.filter(([, { rare }]) => rare !== true)),
    rare: Object.fromEntries(entries.filter(([, { rare }]) => rare === true)),
  };
}

/** Of a choice among more than `choices` words, no list is given. */
function optionRows(specs: OptionSpecs, language: Language, choices = Infinity): readonly Row[] {
  return Object.entries(specs).map(([name, spec]) => [
    `${spec.short === undefined ? '    ' : `-${spec.short}, `}${flagWord(name)}${valueWord(spec)}`,
    `${spec.summary[language]}${detail(spec, language, choices)}`,
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

function detail(spec: OptionSpec, language: Language, most: number): string {
  const word = words[language];
  const choices =
    spec.kind === 'choice' && spec.choices.length <= most ? ` (${word.oneOf} ${spec.choices.join(', ')})` : '';
  const preset = 'default' in spec && spec.default !== undefined ? ` [${word.preset}: ${spec.default}]` : '';
  return choices + preset;
}

/** One line of codes; then those that mean something of their own in this command. */
function exitCodeLines(definition: Definition, { helper, language }: Page): readonly string[] {
  const codes = [...exitsOf(definition).keys()].join(', ');
  const rows = [...ownExitsOf(definition)].map(([code, meaning]): Row => [String(code), meaning[language]]);
  return [wrap(words[language].exitCodes(codes), helper), ...columns(rows, helper)];
}
