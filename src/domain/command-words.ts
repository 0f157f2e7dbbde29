import type { Text } from '../contract/text.js';

/** The arguments of a command line, or why it cannot be split. */
export type CommandWords = { readonly words: readonly string[] } | { readonly problem: Text };

/** Characters with a meaning in a shell. Commands run without one. */
const shellOnly = /[|&;<>()$`]/;

/**
 * Splits a command line into its program and arguments, without a shell: blanks separate arguments; '…' is literal;
 * in "…" and outside quotes, a backslash escapes the next character. Nothing is expanded. Shell syntax is an error,
 * so that a `|` is never read as a pipe that does not exist.
 */
export function splitCommand(line: string): CommandWords {
  const words: string[] = [];
  const rest = { text: line.trim() };
  while (rest.text !== '') {
    const word = takeWord(rest);
    if (typeof word !== 'string') return { problem: word };
    words.push(word);
    rest.text = rest.text.trimStart();
  }
  if (words[0] === undefined || words[0] === '') return { problem: noProgram };
  return { words };
}

/** One of: single quotes, double quotes, a backslash and its character, a run of other characters. */
const piece = /^(?:'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\]+))/;

function takeWord(rest: { text: string }): string | Text {
  let word = '';
  while (rest.text !== '' && !/^\s/.test(rest.text)) {
    const found = piece.exec(rest.text);
    if (found === null) return openQuote;
    const [all, single, double, escaped, plain] = found;
    const unescaped = double?.replaceAll(/\\([^])/g, '');
    const sign = shellOnly.exec(unescaped === undefined ? (plain ?? '') : unescaped.replaceAll(/[^$`]/g, ''));
    if (sign !== null) return shellSign(sign[0]);
    word += single ?? double?.replaceAll(/\\([^])/g, '$1') ?? escaped ?? plain ?? '';
    rest.text = rest.text.slice(all.length);
  }
  return word;
}

const noProgram: Text = { en: 'a program is missing', pt: 'falta o programa' };

const openQuote: Text = {
  en: 'a quote is not closed, or the line ends with a backslash',
  pt: 'faltam as aspas finais, ou a linha termina em barra invertida',
};

function shellSign(sign: string): Text {
  return {
    en: `the command runs without a shell, so ${sign} has no effect; quote it with ' or use a script`,
    pt: `o comando roda sem shell, então ${sign} não tem efeito; use aspas simples ou um script`,
  };
}

/** A command of this program and its arguments. */
export interface CommandParts {
  /** The noun and the verb: `product create`. */
  readonly command: string;
  readonly positionals?: readonly string[];
  /** In order; a flag with several values occurs several times. `true`: a flag without a value. */
  readonly flags?: readonly (readonly [flag: string, value: string | true])[];
  /** Company ids, separated by commas. */
  readonly company?: string | undefined;
  readonly tenant?: string | undefined;
  readonly profile?: string | undefined;
}

/**
 * Writes the command line, quoted for a POSIX shell. A value that begins with `-` is joined to its flag, and a
 * positional that begins with `-` follows `--`, so that neither is parsed as a flag.
 */
export function fiscalLine({ command, positionals = [], flags = [], ...scope }: CommandParts): string {
  const { company, tenant, profile } = scope;
  const scopeFlags = Object.entries({ company, tenant, profile }).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[`--${name}`, value] as const],
  );
  const flagWords = [...flags, ...scopeFlags].flatMap(([flag, value]) => {
    if (value === true) return [flag];
    return /^-./.test(value) ? [`${flag}=${value}`] : [flag, value];
  });
  const dashed = positionals.findIndex((word) => /^-./.test(word));
  const plain = dashed === -1 ? positionals : positionals.slice(0, dashed);
  const after = dashed === -1 ? [] : ['--', ...positionals.slice(dashed)];
  return shellLine(['fiscal', ...command.split(' '), ...plain, ...flagWords, ...after]);
}

/** Joins arguments into a line, quoted for a POSIX shell. */
export function shellLine(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

/** Also quotes an argument that ends in punctuation: in a sentence, nothing else shows where the command ends. */
function quoted(word: string): string {
  return /^[\w./:=@%+,-]*[\w/=@%+-]$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command of this program inside a sentence. */
export interface PrintedCommand {
  readonly start: number;
  /** As they are written, up to `flagsEnd`. */
  readonly words: readonly string[];
  /** Where its flags end: before `--`, or at `end`. */
  readonly flagsEnd: number;
  readonly end: number;
}

const program = /(?<![\w./-])fiscal(?= [a-z])/g;

/** A blank and one argument: quoted as `quoted` does it, or a placeholder such as `<file>`. */
const nextWord = /^ (?![>|\u2192]|\/ )(?:'[^']*'|\\[^]|<[^>]*>|[,:.](?=[^\s'")])|[^\s'"();,:.\\<>])+/u;

/**
 * Finds the commands in a sentence. A command ends with the sentence, at `;` `(` `)` `"`, at a `,` `:` or `.` before
 * a blank, at a shell operator, or at a second blank. A sentence that continues after a command needs one of these.
 */
export function commandsIn(sentence: string): readonly PrintedCommand[] {
  const commands: PrintedCommand[] = [];
  for (const { index: start } of sentence.matchAll(program)) {
    // An argument of the previous command may contain the name of the program.
    if (start < (commands.at(-1)?.end ?? 0)) continue;
    let end = start + 'fiscal'.length;
    let dashes: number | undefined;
    const words = [sentence.slice(start, end)];
    for (;;) {
      const word = nextWord.exec(sentence.slice(end))?.[0];
      if (word === undefined) break;
      if (word === ' --') dashes ??= end;
      if (dashes === undefined) words.push(word.slice(1));
      end += word.length;
    }
    commands.push({ start, words, flagsEnd: dashes ?? end, end });
  }
  return commands;
}

/** The command that provides a job's input again; `undefined` for `job resume`, which needs a complete job. */
export function inputCommand(commandLine: string): string | undefined {
  return commandLine.startsWith('fiscal job resume ') ? undefined : commandLine;
}
