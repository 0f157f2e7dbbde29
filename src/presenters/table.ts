import Table from 'cli-table3';
import type { Look } from './look.js';
import { displayWidth, fit } from './width.js';

export interface Column {
  readonly title: string;
  readonly cells: readonly string[];
}

const narrowest = 6;
const gap = 3; // A space, a line and a space between two columns.

/** Light borders; columns are shortened, widest first, until the table fits. The cells are safe text already. */
export function tableLines(columns: readonly Column[], look: Look): readonly string[] {
  if (columns.length === 0) return [];
  const widths = fitWidths(columns.map(naturalWidth), look.columns - 1);
  const table = new Table({
    head: columns.map((column, index) => look.paint.strong(fit(column.title, widths[index] ?? 0))),
    style: { head: [], border: [], 'padding-left': 1, 'padding-right': 1 },
    chars: lightBorders,
  });
  const rows = columns[0]?.cells.length ?? 0;
  for (let row = 0; row < rows; row += 1) {
    table.push(columns.map((column, index) => fit(column.cells[row] ?? '', widths[index] ?? 0)));
  }
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

const lightBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  right: '',
  middle: '│',
  mid: '',
  'left-mid': '',
  'mid-mid': '',
  'right-mid': '',
} as const;

function naturalWidth(column: Column): number {
  return column.cells.reduce(
    (widest, cell) => Math.max(widest, displayWidth(cell)),
    displayWidth(column.title),
  );
}

/** Takes from the widest column until all fit, but leaves each at least a few characters. */
function fitWidths(natural: readonly number[], columns: number): readonly number[] {
  const widths = [...natural];
  const room = columns - gap * (widths.length - 1) - 2;
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= narrowest) break;
    widths[widths.indexOf(widest)] = widest - 1;
    excess -= 1;
  }
  return widths;
}
