import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseKeepingNumbers } from '../../domain/product-number.js';
import { isRecord } from '../../domain/record.js';
import type { InvoiceFinding } from '../../domain/invoice-rules.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import type { InputFormat, InputRecord } from '../../services/input/record.js';
import { readJsonOrYaml, readRecords } from '../../services/input/records.js';
import { openSource, type InputContext, type Source } from '../../services/input/source.js';
import type { RowCompany } from '../../services/scope/row.js';
import { invoiceRows } from './import-columns.js';
import { checkWritten, type InvoiceFields } from './written-invoice.js';

/** One record of an import, read and checked. */
export type InvoiceRecord = { readonly line: number } & (
  | { readonly invoice: InvoiceFields; readonly companyId: string }
  | { readonly problems: readonly InvoiceFinding[] }
);

export interface RecordOptions {
  readonly model: InvoiceModel;
  readonly format: InputFormat | undefined;
  readonly environment: string | undefined;
  readonly unchecked: boolean;
  /** The company that issues a record: the one that it names, else that of the command. */
  readonly companyOf: (cell: unknown) => Promise<RowCompany>;
}

/** What an import reads, twice. */
export interface InvoiceInputs {
  readonly name: string;
  records(): AsyncIterable<InvoiceRecord>;
  close(): Promise<void>;
}

const MAX_FILES = 100_000;

/**
 * A file (CSV, NDJSON, JSON, YAML), standard input, or a folder whose JSON and YAML files hold one invoice each, in the order
 * of their names. Errors: those of `openSource` and `readRecords`.
 */
export async function openInvoices(
  context: InputContext,
  path: string,
  options: RecordOptions & { readonly again: boolean },
): Promise<InvoiceInputs> {
  if (path !== '-' && (await isFolder(resolve(context.cwd, path)))) return folder(context, path, options);
  const source = await openSource(context, path, { again: options.again });
  return {
    name: source.name,
    records: () => checked(recordsOf(source, options.format), options),
    close: () => source.close(),
  };
}

async function* checked(
  records: AsyncIterable<InputRecord>,
  options: RecordOptions,
): AsyncIterable<InvoiceRecord> {
  for await (const record of records) yield await check(record, options);
}

async function check(record: InputRecord, options: RecordOptions): Promise<InvoiceRecord> {
  const { line } = record;
  if ('problem' in record) return { line, problems: [{ field: '', message: record.problem }] };
  const { model, environment, unchecked } = options;
  const { cell, value } = withoutCompany(record.value);
  const written = checkWritten(value, { model, environment, unchecked, externalId: undefined });
  const company = await options.companyOf(cell);
  const problems = [
    ...('problem' in company ? [{ field: 'company', message: company.problem }] : []),
    ...('problems' in written ? written.problems : []),
  ];
  if ('problem' in company || 'problems' in written) return { line, problems };
  return { line, ...written, companyId: company.companyId };
}

/** The company is no field of an invoice: it stands in the path of the call. */
function withoutCompany(value: unknown): { readonly cell: unknown; readonly value: unknown } {
  if (!isRecord(value)) return { cell: undefined, value };
  const name = Object.keys(value).find((key) => /^(?:company|companyid|empresa)$/i.test(key));
  if (name === undefined) return { cell: undefined, value };
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
  return { cell: value[name], value: rest };
}

async function* recordsOf(source: Source, format: InputFormat | undefined): AsyncIterable<InputRecord> {
  if (format === undefined && /^\.ya?ml$/.test(source.extension)) {
    const whole = await readJsonOrYaml(source, parseKeepingNumbers);
    const list: readonly unknown[] = Array.isArray(whole) ? whole : [whole];
    for (const [index, value] of list.entries()) yield { line: index + 1, value };
    return;
  }
  yield* readRecords(source, { parse: parseKeepingNumbers, rows: invoiceRows }, format);
}

function folder(context: InputContext, path: string, options: RecordOptions): InvoiceInputs {
  return {
    name: path,
    records: () => recordsOfFolder(context, path, options),
    close: async () => {},
  };
}

async function* recordsOfFolder(
  context: InputContext,
  path: string,
  options: RecordOptions,
): AsyncIterable<InvoiceRecord> {
  const names = (await readdir(resolve(context.cwd, path)))
    .filter((name) => /\.(?:json|ya?ml)$/i.test(name) && !name.startsWith('.'))
    .toSorted();
  if (names.length > MAX_FILES) {
    const reason = `more than ${MAX_FILES} files`;
    throw new FiscalError('input.unreadable', { path, reason }, { sent: 'no' });
  }
  for (const [index, name] of names.entries()) {
    const record = await readFile(context, join(path, name), { line: index + 1, options });
    yield 'problems' in record ? { ...record, problems: named(name, record.problems) } : record;
  }
}

/** A file that cannot be read is a problem of this file; the others can be. */
async function readFile(
  context: InputContext,
  path: string,
  { line, options }: { readonly line: number; readonly options: RecordOptions },
): Promise<InvoiceRecord> {
  try {
    const source = await openSource(context, path, { again: false });
    return await check({ line, value: await readJsonOrYaml(source, parseKeepingNumbers) }, options);
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    return { line, problems: [{ field: '', message: error.text }] };
  }
}

function named(name: string, problems: readonly InvoiceFinding[]): readonly InvoiceFinding[] {
  return problems.map(({ field, message }) => ({ field: field === '' ? name : `${name} ${field}`, message }));
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
