import type { Language } from '../contract/text.js';
import type { OutputStream } from '../io/io.js';
import { wrapWords } from '../presenters/wrap-words.js';

/** The widest line of help; longer ones tire the eye. */
const WIDEST = 100;

/** The narrowest line that help is fitted to; on a smaller terminal the terminal breaks it. */
const NARROWEST = 60;

/** The widest line of a help topic, whose lines are broken by hand: what any terminal shows. */
export const TOPIC_WIDTH = 80;

/** Who reads a help: their language, and the width of their lines in characters. */
export interface Reader {
  readonly language: Language;
  readonly width: number;
}

/** The reader at `stream`: as wide as its terminal, 100 characters at most; elsewhere 100. */
export function readerAt(stream: OutputStream, language: Language): Reader {
  const width = stream.isTerminal ? Math.max(NARROWEST, Math.min(WIDEST, stream.columns)) : WIDEST;
  return { language, width };
}

/** Two columns for help: words left, their meaning right, wrapped to `width` characters. */
export function columns(rows: readonly (readonly [string, string])[], width = WIDEST): readonly string[] {
  const left = Math.min(34, Math.max(0, ...rows.map(([word]) => word.length)));
  return rows.flatMap(([word, meaning]) => {
    const [first = '', ...more] = wrap(meaning, width - left - 4);
    const start =
      word.length > left
        ? [`  ${word}`, `  ${' '.repeat(left)}  ${first}`]
        : [`  ${word.padEnd(left)}  ${first}`];
    return [...start, ...more.map((line) => `  ${' '.repeat(left)}  ${line}`)].map((line) => line.trimEnd());
  });
}

export function heading(title: string): readonly string[] {
  return ['', `${title}:`];
}

/** Lines of at most `width` characters, broken between words. */
export function wrap(text: string, width: number): readonly string[] {
  return wrapWords(text.split(' '), width, (line) => line.length);
}
