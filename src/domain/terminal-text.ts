/**
 * What comes from the service is hostile: an escape sequence in a company's name must not move the cursor,
 * and an override of writing direction must not make one number look like another.
 */

// C0 (tab and line feed apart), DEL and C1; marks and overrides of direction; line and paragraph separators;
// the characters of no width that hide text; lone surrogates.
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Surrogate}/gu;

/** Text of one or more lines: every control character but tab and line feed becomes visible, e.g. `\u001b`. */
export function terminalText(text: string): string {
  return text.replaceAll(unsafe, escapeCharacter);
}

/** Text for one line: line feeds and tabs become visible too. */
export function terminalLine(text: string): string {
  return terminalText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** JSON text with the same characters in JSON's own escapes: other bytes, the same data. */
export function terminalJson(json: string): string {
  return json.replaceAll(unsafe, escapeCharacter);
}

/** A copy of data in which every text, names of fields included, is safe for one line of a terminal. */
export function terminalData(data: unknown): unknown {
  if (typeof data === 'string') return terminalLine(data);
  if (Array.isArray(data)) return data.map(terminalData);
  if (typeof data !== 'object' || data === null || data instanceof Date) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [terminalLine(name), terminalData(value)]),
  );
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
