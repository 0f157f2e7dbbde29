import { NumberLiteral } from './json-numbers.js';

/**
 * Text from the service is untrusted: an escape sequence in a company's name must not move the cursor, a
 * bidirectional override must not make one number look like another, and nothing may be hidden.
 */

/**
 * Whatever has no glyph, for a class of a regular expression: marks and overrides of direction, tags, fillers, joiners, selectors, and
 * three that Unicode has as letters and signs (Braille blank, null notehead, Khitan filler).
 */
export const withoutGlyph = String.raw`\p{Default_Ignorable_Code_Point}\p{Cf}\u2800\u{1D159}\u{16FE4}`;

/** The same, controls other than tab and line feed, separators of lines, and lone surrogates. Compiled only when needed, since that slows a start. */
export function unseen(): RegExp {
  return new RegExp(String.raw`[${withoutGlyph}\p{Zl}\p{Zp}\p{Surrogate}]|(?![\t\n])\p{Cc}`, 'gu');
}

/** Most texts have nothing to escape, and a list has millions of them. */
const isPlain = (text: string): boolean => /^[\t\n -~]*$/.test(text);

/** Makes every control character except tab and line feed visible, e.g. as `\u001b`. */
export function terminalText(text: string): string {
  return isPlain(text) ? text : text.replaceAll(unseen(), escapeCharacter);
}

/** Whether a text has only blanks and what ASCII shows. */
export function isPlainLine(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/** Like `terminalText`, for one line: line feeds and tabs become visible too. */
export function terminalLine(text: string): string {
  if (isPlainLine(text)) return text;
  return terminalText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/**
 * Writes the same characters of a JSON text as JSON escapes: the bytes change, the data does not. Also `##[`, in which a runner sees a
 * command.
 */
export function terminalJson(json: string): string {
  return terminalText(json).replaceAll(/(##\w*)\[/g, String.raw`$1\u005b`);
}

/** The data with every text, field names included, safe for one line of a terminal. Objects without other texts stay. */
export function terminalData(data: unknown): unknown {
  if (typeof data === 'string') return terminalLine(data);
  if (Array.isArray(data)) return data.map(terminalData);
  if (typeof data !== 'object' || data === null || data instanceof Date || data instanceof NumberLiteral) return data;
  const given: readonly (readonly [string, unknown])[] = Object.entries(data);
  const safe = given.map(([name, value]) => [terminalLine(name), terminalData(value)] as const);
  const isSafe = given.every(([name, value], at) => safe[at]?.[0] === name && safe[at][1] === value);
  return isSafe ? data : Object.fromEntries(safe);
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  const first = asciiEscapes[code] ?? escapeOf(code);
  return character.length === 1 ? first : first + escapeOf(character.charCodeAt(1));
}

function escapeOf(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Most characters to escape are ASCII, and a hostile text may have millions. */
const asciiEscapes: readonly string[] = Array.from({ length: 128 }, (_, code) => escapeOf(code));
