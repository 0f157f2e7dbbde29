import { Conversions } from './conversions.js';
import { peek } from './lines.js';
import { isWorkbook } from './records.js';
import type { Source } from './source.js';
import { textBytes } from './text-bytes.js';

/** The lines of a list: those of a text, or the rows of the first sheet of a workbook, with semicolons between cells. */
export async function* listText(source: Pick<Source, 'bytes' | 'interruption' | 'name'>): AsyncIterable<Uint8Array> {
  const { name, interruption } = source;
  const { beginning, bytes } = await peek(source.bytes());
  if (!isWorkbook(beginning)) return yield* textBytes(bytes, name);
  const { workbookRows } = await import('./xlsx/rows.js');
  let line = 0;
  const form = { name, sheet: undefined, conversions: new Conversions(), interruption };
  for await (const row of workbookRows(bytes, form)) {
    // Every line keeps the number that the spreadsheet shows.
    const empty = '\n'.repeat(row.line - line - 1);
    const cells = row.cells.map((cell) => `"${cell.replaceAll(/["\r\n]/g, ' ')}"`);
    line = row.line;
    yield Buffer.from(`${empty}${cells.join(';')}\n`);
  }
}
