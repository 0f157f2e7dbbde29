import { groups, singles } from '../commands/groups.js';
import type { FiscalError } from '../errors/fiscal-error.js';
import { loadVerb, type CommandGroup } from './command.js';
import { commandHelp } from './help-command.js';
import { columns, heading, wrap, type Reader } from './help-layout.js';
import { entryOf, findVerb, nouns, unknownCommand, verbAmong, type Route } from './route.js';
import { topicNames, topics } from './topics.js';

/** The help that a route asks for, as lines that fit the reader. Loads the one command that it is about, and nothing else. */
export async function helpFor(route: Route, reader: Reader): Promise<readonly string[]> {
  switch (route.kind) {
    case 'command':
      return commandHelp(route.name, route.definition, reader);
    case 'group-help':
      return await groupHelp(route.noun, route.group, reader);
    case 'help':
      return await helpForWords(route.words, reader);
    case 'top-help':
    case 'version':
      return topHelp(reader);
  }
}

async function helpForWords(words: readonly string[], reader: Reader): Promise<readonly string[]> {
  const [noun, ...rest] = words;
  if (noun === undefined) return topHelp(reader);
  const topic = entryOf(topics, noun);
  if (topic !== undefined) return (await topic.load()).topic[reader.language].split('\n');
  const single = entryOf(singles, noun);
  if (single !== undefined) return commandHelp(noun, (await single.load()).command, reader);
  const entry = entryOf(groups, noun);
  if (entry === undefined) throw unknownTopic(noun);
  const { group } = await entry.load();
  const verb = verbAmong(rest, group);
  if (verb === undefined) return await groupHelp(noun, group, reader);
  return commandHelp(`${noun} ${verb}`, await findVerb(noun, verb, group), reader);
}

function unknownTopic(word: string): FiscalError {
  return unknownCommand(word, ['help'], [...topicNames, ...nouns()]);
}

const words = {
  en: {
    intro: 'Brazilian fiscal documents from the command line: never sent twice, never lost.',
    usage: 'Usage',
    line: 'fiscal <command> [arguments] [options]',
    commands: 'Commands',
    verbs: 'Verbs',
    topics: 'Help topics',
    more: 'fiscal <command> --help shows its options, examples and exit codes.',
    start: 'To try everything on this machine, without an account: fiscal --profile sandbox product list',
  },
  pt: {
    intro: 'Documentos fiscais brasileiros pela linha de comando: nunca enviados duas vezes, nunca perdidos.',
    usage: 'Uso',
    line: 'fiscal <comando> [argumentos] [opções]',
    commands: 'Comandos',
    verbs: 'Verbos',
    topics: 'Tópicos de ajuda',
    more: 'fiscal <comando> --help mostra as opções, os exemplos e os códigos de saída.',
    start: 'Para experimentar tudo nesta máquina, sem conta: fiscal --profile sandbox product list',
  },
} as const;

function topHelp(reader: Reader): readonly string[] {
  const { language, width } = reader;
  const word = words[language];
  const commands = Object.entries({ ...groups, ...singles }).map(
    ([name, entry]) => [name, entry.summary[language]] as const,
  );
  const known = Object.entries(topics).map(
    ([name, { summary }]) => [`help ${name}`, summary[language]] as const,
  );
  return [
    ...wrap(word.intro, width),
    ...heading(word.usage),
    `  ${word.line}`,
    ...heading(word.commands),
    ...columns(commands, width),
    ...heading(word.topics),
    ...columns(known, width),
    '',
    ...wrap(word.more, width),
    ...wrap(word.start, width),
  ];
}

function otherWords(verb: string, { aliases = {} }: CommandGroup): readonly string[] {
  return Object.keys(aliases).filter((word) => aliases[word] === verb);
}

async function groupHelp(noun: string, group: CommandGroup, reader: Reader): Promise<readonly string[]> {
  const { language, width } = reader;
  const word = words[language];
  const verbs = await Promise.all(
    Object.entries(group.verbs).map(async ([verb, entry]) => {
      const command = await loadVerb(entry);
      return [[verb, ...otherWords(verb, group)].join(', '), command.summary[language]] as const;
    }),
  );
  return [
    group.summary[language],
    ...heading(word.usage),
    `  fiscal ${noun} ${language === 'pt' ? '<verbo> [argumentos] [opções]' : '<verb> [arguments] [options]'}`,
    ...heading(word.verbs),
    ...columns(verbs, width),
    '',
    ...wrap(word.more.replace('<command>', `${noun} <verb>`).replace('<comando>', `${noun} <verbo>`), width),
  ];
}
