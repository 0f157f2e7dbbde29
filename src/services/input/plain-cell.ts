import { withoutGlyph } from '../../domain/terminal-text.js';
import { withFormulaInside } from '../../domain/spreadsheet-cell.js';

/** Space of any kind, or a character that nobody sees. */
const unseen = new RegExp(String.raw`^[\s${withoutGlyph}]$`, 'u');
/** What `withoutFormula` (domain/spreadsheet-cell.ts) protects, and digits or a code that a person keeps as text. */
const afterApostrophe = /^(?:[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|[\dA-Z][\dA-Z./-]*$)/;

/**
 * The value of a cell without the forms by which a spreadsheet keeps it as text, `="0123"` and `'0123`, and without blank or
 * invisible characters around a single word. A text of several words stays as it is.
 */
export function plainCell(written: string): string {
  const cell = withFormulaInside(written);
  const seen = withoutEdges(cell);
  const text = seen.startsWith('="') ? withoutEdges(withoutFormulaQuotes(seen)) : seen;
  if (text.startsWith("'")) {
    const rest = withoutEdges(text.slice(1).replace(/'$/, ''));
    if (afterApostrophe.test(rest)) return rest;
  }
  return text === seen && /\s/.test(text) ? cell : text;
}

function withoutFormulaQuotes(text: string): string {
  return /^="((?:[^"]|"")*)"$/.exec(text)?.[1]?.replaceAll('""', '"') ?? text;
}

/** Without blank and invisible characters around it. */
export function withoutEdges(text: string): string {
  let start = 0;
  let end = text.length;
  // The second half of a pair stands for a character of two.
  const lengthBefore = (place: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(place - 1)) ? 2 : 1);
  const lengthAt = (place: number): number => (/[\uD800-\uDBFF]/.test(text.charAt(place)) ? 2 : 1);
  while (start < end && unseen.test(text.slice(start, start + lengthAt(start)))) start += lengthAt(start);
  while (end > start && unseen.test(text.slice(end - lengthBefore(end), end))) end -= lengthBefore(end);
  return start === 0 && end === text.length ? text : text.slice(start, end);
}
