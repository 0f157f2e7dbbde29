import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Language } from '../../contract/text.js';
import { withoutFormula } from '../../domain/spreadsheet-cell.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { readWholeFile } from '../../io/input-file.js';
import { type SheetValue, workbookBytes } from '../../io/workbook.js';
import { type ImportInput, type ImportRecord, isInvalid } from './import-input.js';
import type { Context } from '../context.js';
import type { CellReader } from '../input/cell-reader.js';
import { reportColumns } from '../input/report-columns.js';
import { temporaryBeside } from '../../io/output-file.js';

/** Which rows of a table failed, and why. */
export interface FailedRows<Valid> {
  readonly input: ImportInput<Valid>;
  /** That of the first reading: a file that has changed since gets no sheet. */
  readonly digest: string;
  reasonOf(record: ImportRecord<Valid>): Promise<string | undefined>;
}

export interface ErrorSheet {
  /** As the user typed the folder of the input. */
  readonly file: string;
  readonly rows: number;
}

/**
 * Writes the failed rows of a table beside it, with their rows and reasons, to be mended and imported again. No file is
 * replaced: one of the same name that is there already may have been mended. `undefined`: the input is no table in a file, or
 * no row failed. Errors: `store.unwritable`, `input.changed`.
 */
export async function writeErrorSheet<Valid>(
  context: Context,
  failed: FailedRows<Valid>,
): Promise<ErrorSheet | undefined> {
  const { cells, file } = failed.input;
  if (cells?.table === undefined || file === undefined) return undefined;
  const temporary = temporaryBeside(resolve(context.cwd, file), context.random);
  const counter = { rows: 0 };
  try {
    await writeRows(temporary, rowsOf(failed, counter), { cells, language: context.language });
    if (counter.rows === 0) return undefined;
    return { file: await placed(context, temporary, { file, form: cells.table.form }), rows: counter.rows };
  } catch (error) {
    throw unwritable(file, error);
  } finally {
    await rm(temporary, { force: true });
  }
}

interface FailedRow {
  readonly line: number;
  readonly reason: string;
}

/** `cells.row` is the row of the record that was read last. */
async function* rowsOf<Valid>(
  { input, digest, reasonOf }: FailedRows<Valid>,
  counter: { rows: number },
): AsyncIterable<FailedRow> {
  const hash = createHash('sha256');
  for await (const record of input.records()) {
    if (!isInvalid(record)) hash.update(input.contentOf(record));
    const reason = await reasonOf(record);
    if (reason === undefined) continue;
    counter.rows += 1;
    yield { line: input.cells?.row.line ?? 0, reason };
  }
  if (hash.digest('hex') !== digest) throw new FiscalError('input.changed', { path: input.name });
}

interface Form {
  readonly cells: CellReader;
  readonly language: Language;
}

async function writeRows(path: string, rows: AsyncIterable<FailedRow>, form: Form): Promise<void> {
  const bytes = form.cells.table?.form === 'xlsx' ? await sheetOf(rows, form) : csvOf(rows, form);
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of bytes) await file.write(chunk);
  } finally {
    await file.close();
  }
}

async function* csvOf(rows: AsyncIterable<FailedRow>, { cells, language }: Form): AsyncIterable<Uint8Array> {
  const separator = cells.table?.separator ?? ';';
  const titles = [reportColumns.row[language], reportColumns.reason[language]];
  let isFirst = true;
  for await (const { line, reason } of rows) {
    const { header } = cells;
    // The mark tells Excel that the text is UTF-8.
    if (isFirst) yield Buffer.from(`\uFEFF${csvErrorLine([...header, ...titles], separator)}`);
    isFirst = false;
    const own = cells.row.cells.slice(0, header.length);
    const beyond = cells.row.cells.slice(header.length);
    yield Buffer.from(
      csvErrorLine([...own, String(line), withoutFormula(reason.replaceAll(/\s+/g, ' ')), ...beyond], separator),
    );
  }
}

/** The header is known when the first row has been read. */
async function sheetOf(rows: AsyncIterable<FailedRow>, { cells, language }: Form): Promise<AsyncIterable<Uint8Array>> {
  const iterator = rows[Symbol.asyncIterator]();
  let next = await iterator.next();
  async function* values(): AsyncIterable<readonly SheetValue[]> {
    for (; next.done !== true; next = await iterator.next()) {
      const { line, reason } = next.value;
      yield [...cells.row.cells.map((cell, at) => typedValue(cells, cell, at)), line, reason];
    }
  }
  const { row, reason } = reportColumns;
  const columns = [
    ...cells.header.map((title) => ({ title, kind: 'text' as const })),
    { title: row[language], kind: 'number' as const },
    { title: reason[language], kind: 'text' as const },
  ];
  return workbookBytes(values(), { name: language === 'en' ? 'errors' : 'erros', columns });
}

/** A number of the workbook stays one, so that it has one reading again. */
function typedValue({ typed }: CellReader, cell: string, at: number): SheetValue {
  return typed.has(at) && /^-?\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : cell;
}

/** Moves the file to the first free name, `products.errors.csv`, `products.errors-2.csv`; equal bytes are the same file. */
async function placed(
  { cwd }: Context,
  temporary: string,
  { file, form }: { readonly file: string; readonly form: 'csv' | 'xlsx' },
): Promise<string> {
  const stem = basename(file, extname(file)).replace(/\.errors(?:-\d+)?$/, '');
  const written = await readFile(temporary);
  for (let count = 1; ; count += 1) {
    const name = join(dirname(file), `${stem}.errors${count === 1 ? '' : `-${count}`}.${form}`);
    const path = resolve(cwd, name);
    const claimed = await claim(path);
    if (claimed !== undefined) {
      await claimed.close();
      await rename(temporary, path);
      return name;
    }
    if (path !== resolve(cwd, file) && (await holds(path, written))) return name;
  }
}

/** False also for what is no regular file: a pipe would wait for its writer. */
async function holds(path: string, written: Buffer): Promise<boolean> {
  const found = await readWholeFile(path, { mostBytes: written.length }).catch(() => undefined);
  return found?.equals(written) === true;
}

async function claim(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
    throw error;
  }
}

function unwritable(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error instanceof FiscalError) return error;
  return new FiscalError('store.unwritable', { path: dirname(path), reason: String(error.code) });
}

/** Excel keeps 15 digits of a number, and no zeros before it. */
const EXCEL_DIGITS = 15;

/** A record of a CSV that keeps its digits when a spreadsheet saves it again: `="0012"` is read back as `0012`. */
export function csvErrorLine(cells: readonly string[], separator: string): string {
  const texts = cells.map((cell) => {
    const isDigits = /^\d+$/.test(cell) && (cell.length > EXCEL_DIGITS || /^0\d/.test(cell));
    const text = isDigits ? `="${cell}"` : cell;
    return /["\r\n]|^\s|\s$/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${texts.join(separator)}\r\n`;
}
