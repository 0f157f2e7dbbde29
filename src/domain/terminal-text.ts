import { NumberLiteral } from './json-numbers.js';

/**
 * Text from the service is untrusted: an escape sequence in a company's name must not move the cursor, and a
 * bidirectional override must not make one number look like another.
 */

// C0 (except tab and line feed), DEL and C1; bidirectional marks and overrides; line and paragraph separators;
// zero-width characters, which hide text; lone surrogates.
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Surrogate}/gu;

/** Makes every control character except tab and line feed visible, e.g. as `\u001b`. */
export function terminalText(text: string): string {
  return text.replaceAll(unsafe, escapeCharacter);
}

/** Like `terminalText`, for one line: line feeds and tabs become visible too. */
export function terminalLine(text: string): string {
  // Most texts have nothing to escape, and a list has millions of them.
  if (/^[ -~]*$/.test(text)) return text;
  return terminalText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** Writes the same characters of a JSON text as JSON escapes: the bytes change, the data does not. */
export function terminalJson(json: string): string {
  return json.replaceAll(unsafe, escapeCharacter);
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
  return asciiEscapes[code] ?? escapeOf(code);
}

function escapeOf(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Most characters to escape are ASCII, and a hostile text may have millions. */
const asciiEscapes: readonly string[] = Array.from({ length: 128 }, (_, code) => escapeOf(code));
