import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { TableRow } from './table-rows.js';

export interface CsvOptions {
  readonly name: string;
  /** The beginning of the text, where the separator is read from the header. */
  readonly head: string;
  readonly limitMib: number;
}

const MIB = 1024 * 1024;
const separators = [',', ';', '\t'] as const;

/**
 * The rows of a CSV (RFC 4180); the separator is the comma, the semicolon or the tab, whichever the header uses most.
 * Errors: `input.syntax`, `input.line_too_long`.
 */
export async function* csvRows(
  bytes: AsyncIterable<Uint8Array>,
  options: CsvOptions,
): AsyncIterable<TableRow> {
  try {
    yield* parsedRows(bytes, options);
  } catch (error) {
    throw error instanceof CsvError ? csvFault(error, options) : error;
  }
}

async function* parsedRows(bytes: AsyncIterable<Uint8Array>, options: CsvOptions): AsyncIterable<TableRow> {
  const parser = parse({
    bom: true,
    delimiter: separatorOf(options.head),
    info: true,
    max_record_size: options.limitMib * MIB,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const source = Readable.from(bytes, { objectMode: false });
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const row of parser) yield asRow(row);
  } finally {
    source.destroy();
  }
}

function asRow(row: unknown): TableRow {
  // With `info: true` and no `columns`, csv-parse gives exactly this.
  const { record, info } = row as { record: string[]; info: { lines: number } };
  return { cells: record.map(withoutFormula), line: info.lines };
}

/** `="0123"` is how digits are kept as text in a CSV for a spreadsheet (`--csv-style excel-br`). */
function withoutFormula(cell: string): string {
  return /^="([\d,-]+)"$/.exec(cell)?.[1] ?? cell;
}

/** Counted in the first line, outside quotes; a header without any separator is one column. */
export function separatorOf(head: string): string {
  const end = head.search(/[\r\n]/);
  const header = (end === -1 ? head : head.slice(0, end)).replaceAll(/"[^"]*"/g, '');
  let best: string = separators[0];
  for (const separator of separators) {
    if (header.split(separator).length > header.split(best).length) best = separator;
  }
  return best;
}

function csvFault(error: CsvError, options: CsvOptions): FiscalError {
  const found: unknown = error['lines'];
  const line = typeof found === 'number' ? found : '?';
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return new FiscalError('input.line_too_long', { path: options.name, line, limit: options.limitMib });
  }
  const fault = faultOf(error);
  return new FiscalError('input.syntax', {
    path: options.name,
    format: 'CSV',
    reason: { en: `line ${line}: ${fault.en}`, pt: `linha ${line}: ${fault.pt}` },
  });
}

function faultOf(error: CsvError): Text {
  return error.code === 'CSV_QUOTE_NOT_CLOSED'
    ? { en: 'a quoted cell is never closed', pt: 'uma célula entre aspas não é fechada' }
    : { en: 'a quote inside a cell', pt: 'há aspas soltas dentro de uma célula' };
}
