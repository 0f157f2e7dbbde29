import type { Text } from '../contract/text.js';

/** The words of a command line, or why they could not be told apart. */
export type CommandWords = { readonly words: readonly string[] } | { readonly problem: Text };

/** Outside of single quotes they would mean something to a shell, and there is none. */
const shellOnly = /[|&;<>()$`]/;

/**
 * Splits a command line into its program and arguments, by a rule that knows no shell: blanks separate; '…' stands for
 * itself; in "…", and outside of quotes, a backslash takes the next character as it is. Nothing is expanded, and what only
 * a shell would understand is refused, so that nobody takes a `|` for a pipe.
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

/** Single quotes · double quotes · a backslash and what follows · a run of anything else. */
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

const noProgram: Text = { en: 'a program is expected', pt: 'espera-se um programa' };

const openQuote: Text = {
  en: 'a quote or a backslash at its end is not closed',
  pt: 'uma aspa ou uma barra invertida no fim não foi fechada',
};

function shellSign(sign: string): Text {
  return {
    en: `no shell reads it, so ${sign} means nothing; put it between single quotes, or the whole into a script`,
    pt: `nenhum shell o lê, então ${sign} não significa nada; ponha-o entre aspas simples, ou tudo em um script`,
  };
}

/** What stands on a command line of this program, before it becomes words. */
export interface CommandParts {
  /** The noun and the verb: `product create`. */
  readonly command: string;
  readonly positionals?: readonly string[];
  /** In the order of the words; a flag with several values stands several times. `true`: a flag without a value. */
  readonly flags?: readonly (readonly [flag: string, value: string | true])[];
  /** Whom the command is for: an id, or several with commas. */
  readonly company?: string | undefined;
  readonly tenant?: string | undefined;
  readonly profile?: string | undefined;
}

/**
 * The command line as a POSIX shell reads it back. A value that begins with `-` is joined to its flag, and a positional
 * that does goes behind `--`, so that neither is taken for a flag.
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

/** Words as a POSIX shell reads them back. */
export function shellLine(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

/** A word that ends as a part of a sentence does is quoted too: in one, nothing else shows where the command ends. */
function quoted(word: string): string {
  return /^[\w./:=@%+,-]*[\w/=@%+-]$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command of this program inside a sentence. */
export interface PrintedCommand {
  readonly start: number;
  /** Where its flags end: before `--`, else where it ends itself. */
  readonly flagsEnd: number;
  readonly end: number;
}

const program = /(?<![\w./-])fiscal(?= [a-z])/g;

/** A blank and one more word: quoted as `quoted` does it, or with a place for a value, such as `<file>`. */
const nextWord = /^ (?![>|→]|\/ )(?:'[^']*'|\\[^]|<[^>]*>|[,:.](?=[^\s'")])|[^\s'"();,:.\\<>])+/u;

/**
 * The commands that a sentence names. One ends with the sentence, or before `;` `(` `)` `"`, a `,` `:` or `.` that a blank follows,
 * a sign of the shell, or a second blank: a sentence that goes on after a command needs one of these.
 */
export function commandsIn(sentence: string): readonly PrintedCommand[] {
  const commands: PrintedCommand[] = [];
  for (const { index: start } of sentence.matchAll(program)) {
    // A word of the command before may hold anything, also the name of the program.
    if (start < (commands.at(-1)?.end ?? 0)) continue;
    let end = start + 'fiscal'.length;
    let dashes: number | undefined;
    for (;;) {
      const word = nextWord.exec(sentence.slice(end))?.[0];
      if (word === undefined) break;
      if (word === ' --') dashes ??= end;
      end += word.length;
    }
    commands.push({ start, flagsEnd: dashes ?? end, end });
  }
  return commands;
}

/** The command that provides a job's input again; `undefined` for `job resume`, which needs a complete job. */
export function inputCommand(commandLine: string): string | undefined {
  return commandLine.startsWith('fiscal job resume ') ? undefined : commandLine;
}
