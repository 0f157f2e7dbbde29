import { shownCell } from './cell.js';
import { usualFields } from './record.js';
import type { RenderOptions } from './render.js';
import { displayWidth, fit, pad } from './width.js';

type ChoiceRow = Readonly<Record<string, unknown>>;

/** The cursor and the box of a list stand before each line. */
const MARGIN = 5;

/** One line per row, with the cells in columns; a line that is too long is cut. */
export function choiceLines(
  rows: readonly ChoiceRow[],
  fields: readonly string[],
  look: RenderOptions,
): readonly string[] {
  const cells = rows.map((row) =>
    fields.map((name) => shownCell({ name, schema: usualFields[name] }, row[name], look).text),
  );
  const widths = fields.map((_field, index) =>
    Math.max(0, ...cells.map((row) => displayWidth(row[index] ?? ''))),
  );
  return cells.map((row) => {
    const line = row.map((cell, index) => pad(cell, widths[index] ?? 0)).join('  ');
    return fit(line.trimEnd(), look.columns - MARGIN);
  });
}
