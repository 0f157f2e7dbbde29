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
/** In this order where the lines fit several: a decimal comma is more likely than semicolons in text. */
const separators = [';', '\t', ','] as const;

/**
 * The rows of a CSV (RFC 4180), separated by `separatorOf` the head. A line that only names the separator is no row.
 * Errors: `input.syntax`, `input.line_too_long`.
 */
export async function* csvRows(bytes: AsyncIterable<Uint8Array>, options: CsvOptions): AsyncIterable<TableRow> {
  try {
    yield* parsedRows(bytes, options);
  } catch (error) {
    throw error instanceof CsvError ? csvFault(error, options) : error;
  }
}

async function* parsedRows(bytes: AsyncIterable<Uint8Array>, options: CsvOptions): AsyncIterable<TableRow> {
  const delimiter = separatorOf(options.head);
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    max_record_size: options.limitMib * MIB,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const source = Readable.from(withoutFormulas(bytes, delimiter), { objectMode: false });
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let isNamed = namedSeparator(options.head) !== undefined;
  try {
    for await (const row of parser) {
      if (!isNamed) yield asRow(row);
      isNamed = false;
    }
  } finally {
    source.destroy();
  }
}

function asRow(row: unknown): TableRow {
  // With `info: true` and no `columns`, csv-parse gives exactly this.
  const { record, info } = row as { record: string[]; info: { lines: number } };
  return { cells: record, line: info.lines };
}

const [equals, quote] = [0x3d, 0x22];
const byteOrderMark = [0xef, 0xbb, 0xbf];

/**
 * `="0123"` is how a CSV for a spreadsheet keeps digits as text; the quote does not stand at the beginning of its cell, as
 * RFC 4180 demands. Without the equals sign it does.
 */
async function* withoutFormulas(bytes: AsyncIterable<Uint8Array>, separator: string): AsyncIterable<Uint8Array> {
  const beforeCell = [0x0a, 0x0d, separator.charCodeAt(0)];
  let isStart = true;
  let isInside = false;
  let isHeld = false;
  for await (const chunk of bytes) {
    const kept = new Uint8Array(chunk.length + 1);
    let length = 0;
    for (const byte of chunk) {
      if (isHeld && byte !== quote) kept[length++] = equals;
      isHeld = isStart && byte === equals;
      if (byte === quote) isInside = !isInside;
      isStart = !isInside && (beforeCell.includes(byte) || (isStart && byteOrderMark.includes(byte)));
      if (!isHeld) kept[length++] = byte;
    }
    yield kept.subarray(0, length);
  }
  if (isHeld) yield Uint8Array.of(equals);
}

const SEEN_LINES = 20;

/**
 * The separator that `sep=;` in the first line names, as Excel writes it; else the one of which most lines have as many as the
 * line after them, since titles above the header have none. A header without rows: the one that it has most of.
 */
export function separatorOf(head: string): string {
  const named = namedSeparator(head);
  if (named !== undefined) return named;
  const lines = head
    .replaceAll(/"[^"]*"/g, '')
    // The comma of a number that a spreadsheet has rounded.
    .replaceAll(/\b\d,\d{1,15}E\+?\d\d/gi, '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, SEEN_LINES);
  const found = separators.map((separator) => {
    const counts = lines.map((line) => line.split(separator).length - 1);
    const pairs = counts.filter((count, at) => count > 0 && count === counts[at + 1]).length;
    return { separator, pairs, most: Math.max(0, ...counts) };
  });
  const [best] = found.toSorted((one, other) => other.pairs - one.pairs || other.most - one.most);
  return best?.separator ?? ';';
}

/** The separator that a first line `sep=;` names. */
export function namedSeparator(head: string): string | undefined {
  return /^"?sep=([,;|\t])"?[,;\t]*(?:[\r\n]|$)/i.exec(head)?.[1];
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
