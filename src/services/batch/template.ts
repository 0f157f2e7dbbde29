import { type FileHandle, open, rm } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { workbookBytes } from '../../io/workbook.js';
import type { Context } from '../context.js';
import { exampleMark } from '../input/report-columns.js';
import { notWritten, unwritable } from '../../io/output-file.js';
import { csvErrorLine } from './error-sheet.js';

/** A sheet to fill in: the titles, and an example below them; what stands in the first column of the example marks it. */
export interface Template {
  readonly titles: readonly Text[];
  /** From the second column on. */
  readonly example: readonly string[];
}

/** Writes a new CSV or workbook, by its extension. Errors: `usage.invalid_value`, `store.unwritable`. */
export async function writeTemplate(context: Context, file: string, template: Template): Promise<Outcome> {
  const { language } = context;
  const extension = extname(file).toLowerCase();
  if (extension !== '.csv' && extension !== '.xlsx') throw invalidValue('--template', file, csvOrXlsx);
  const titles = template.titles.map((title) => title[language]);
  const example = [exampleMark[language], ...template.example];
  const bytes = extension === '.csv' ? csvOf(titles, example, language) : sheetOf(titles, example);
  if ((await context.settings()).dryRun) return { data: undefined, written: true, notices: [notWritten] };
  const path = resolve(context.cwd, file);
  const target = await create(path, file);
  try {
    for await (const chunk of bytes) await target.writeFile(chunk);
  } catch (error) {
    await rm(path, { force: true });
    throw unwritable(file, error);
  } finally {
    await target.close();
  }
  const command = await context.goOn.again({ file, without: ['template'], flags: [] });
  return {
    data: undefined,
    written: true,
    notices: [{ en: `fill in ${file}, then: ${command}`, pt: `preencha ${file} e depois: ${command}` }],
  };
}

async function create(path: string, file: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw isThere ? new FiscalError('store.unwritable', { path: file, reason: exists }) : unwritable(file, error);
  }
}

/** Excel in Portuguese separates by semicolons, and takes UTF-8 by the mark. */
async function* csvOf(titles: readonly string[], example: readonly string[], language: keyof Text) {
  const separator = language === 'pt' ? ';' : ',';
  yield Buffer.from(`\uFEFF${csvErrorLine(titles, separator)}${csvErrorLine(example, separator)}`);
}

function sheetOf(titles: readonly string[], example: readonly string[]): AsyncIterable<Uint8Array> {
  async function* rows() {
    yield example;
  }
  return workbookBytes(rows(), { name: 'fiscal', columns: titles.map((title) => ({ title, kind: 'text' })) });
}

const csvOrXlsx: Text = { en: 'a file that ends in .csv or .xlsx', pt: 'um arquivo que termine em .csv ou .xlsx' };
const exists: Text = { en: 'it is there already', pt: 'ele já existe' };

/** The file of an import. Error: `usage.missing`. */
export function requiredFile(file: string | undefined, name = '<file>'): string {
  if (file === undefined || file === '')
    throw new FiscalError('usage.missing', { names: `${name} / --template <file>` }, { sent: 'no' });
  return file;
}
