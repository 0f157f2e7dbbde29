import type { Text } from '../contract/text.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { closestWord } from './closest-word.js';
import type { OtherWords } from './command.js';
import { seeHelp } from './tree.js';

/** What is known where an unknown word was typed. */
interface Place {
  /** The command before the word: `fiscal` or `fiscal product`. */
  readonly path: string;
  /** The words that may follow it. */
  readonly known: readonly string[];
  /** The words of the verbs below it: `list`, `nfe list`. */
  readonly verbs?: readonly string[];
  readonly otherWords?: (() => Promise<{ readonly otherWords: OtherWords }>) | undefined;
}

/** Suggests the commands that other words name (`danfe`, `listar`), else the word that is spelt almost the same. */
export async function unknownCommand(
  typed: string,
  { path, known, verbs = [], otherWords }: Place,
): Promise<FiscalError> {
  const words = (await otherWords?.())?.otherWords;
  const meant = words === undefined ? [] : commandsMeant(plain(typed), { path, known, verbs, words });
  const near = meant.length > 0 ? undefined : closestWord(typed, known);
  const suggestions = near === undefined ? meant : [near];
  const quoted = suggestions.map((words) => `"${path} ${words}"`);
  const command = `${path} ${shownWord(typed)}`.slice('fiscal '.length);
  const hint = quoted.length === 0 ? seeHelp(path) : didYouMean(quoted, path);
  return new FiscalError('usage.unknown_command', { command }, { hint });
}

export function unknownOption(typed: string, { path, known }: Place): FiscalError {
  // The text after `=` may be a secret meant for another option.
  const option = typed.split('=', 1)[0] ?? typed;
  const near = closestWord(option, known);
  const hint = near === undefined ? seeHelp(path) : didYouMean([near], path);
  return new FiscalError('usage.unknown_option', { option: shownWord(option), command: path }, { hint });
}

/** At the top, the commands of a word; below a noun, the verbs that the word or one of its translations names. */
function commandsMeant(word: string, { path, known, verbs, words }: Meant): readonly string[] {
  if (path === 'fiscal') return ownOf(words.commands, word);
  for (const name of [word, ...ownOf(words.verbs, word)]) {
    if (known.includes(name) || verbs.includes(name)) return [name];
    const longer = verbs.filter((verb) => verb.endsWith(` ${name}`));
    if (longer.length > 0) return longer;
  }
  return [];
}

interface Meant extends Required<Pick<Place, 'path' | 'known' | 'verbs'>> {
  readonly words: OtherWords;
}

function ownOf(words: Readonly<Record<string, readonly string[]>>, word: string): readonly string[] {
  return Object.hasOwn(words, word) ? (words[word] ?? []) : [];
}

/** `Ciência` → `ciencia`. */
function plain(word: string): string {
  return word.length > 64 ? '' : word.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
}

function didYouMean(suggestions: readonly string[], path: string): Text {
  return {
    en: `did you mean ${listed(suggestions, 'or')}? See ${path} --help`,
    pt: `você quis dizer ${listed(suggestions, 'ou')}? Veja ${path} --help`,
  };
}

/** `a, b or c` */
function listed(words: readonly string[], or: string): string {
  const [last = ''] = words.slice(-1);
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${or} ${last}`;
}

/** A word as shown in an error: a long one may be a key pasted by mistake. */
function shownWord(word: string): string {
  return word.length > 24 ? '…' : word;
}
