import { withFormulaInside } from '../../domain/spreadsheet-cell.js';

/** Space of any kind, and characters that nobody sees: zero-width spaces, marks of direction, soft hyphens. */
const unseen = /[\s\p{Cf}]/u;
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
  while (start < end && unseen.test(text.charAt(start))) start += 1;
  while (end > start && unseen.test(text.charAt(end - 1))) end -= 1;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}
