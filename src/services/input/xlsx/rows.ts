import type { Conversions } from '../conversions.js';
import { columnLetters, type TableRow } from '../table-rows.js';
import type { SheetRow } from './sheet-rows.js';
import { sheetRows } from './workbook.js';

interface WorkbookForm {
  readonly name: string;
  readonly sheet: string | undefined;
  readonly conversions: Conversions;
  /** Ends the reading between two pieces. */
  readonly interruption?: AbortSignal | undefined;
}

/** The rows of a sheet with a cell for each column. Error: `input.syntax`. */
export async function* workbookRows(bytes: AsyncIterable<Uint8Array>, form: WorkbookForm): AsyncIterable<TableRow> {
  for await (const row of sheetRows(bytes, form)) yield tableRow(row);
}

function tableRow({ line, cells }: SheetRow): TableRow {
  const length = Math.max(-1, ...cells.keys()) + 1;
  const texts = Array.from({ length }, (_, at) => cells.get(at)?.text ?? '');
  const typed = new Set<number>();
  for (const [at, { isTyped }] of cells) if (isTyped === true) typed.add(at);
  const fault = [...cells].find(([, { problem }]) => problem !== undefined);
  if (fault === undefined) return { line, cells: texts, typed };
  const [at, { problem }] = fault;
  const column = columnLetters(at);
  return {
    ...{ line, cells: texts, typed },
    problem: problem && { en: `column ${column}: ${problem.en}`, pt: `coluna ${column}: ${problem.pt}` },
  };
}
