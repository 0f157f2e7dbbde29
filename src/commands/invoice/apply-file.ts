import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { requestSchema } from '../../contract/request-schemas.js';
import type { Schema } from '../../contract/schema.js';
import type { Text } from '../../contract/text.js';
import type { InvoiceFinding } from '../../domain/invoice-rules.js';
import { parseKeepingNumbers } from '../../domain/json-numbers.js';
import { isRecord } from '../../domain/record.js';
import type { BodyForms } from '../../domain/request-body.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { usesTaxEngine } from '../../jobs/kinds/invoice-issue.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import { CellReader } from '../../services/input/cell-reader.js';
import { lastName, parseFieldPath, type PathStep, placeAt, cellValue } from '../../services/input/field-path.js';
import type { Cells, InputRecord, Reading, RecordForm, RecordRules } from '../../services/input/record.js';
import { readJsonOrYaml, readRecords } from '../../services/input/records.js';
import { type ImportInput, type ImportRecord, validateAll, type Validated } from '../../services/batch/import-input.js';
import { type InputContext, openSource, type Source } from '../../services/input/source.js';
import type { Context } from '../../services/context.js';
import type { RowCompany } from '../../services/scope/companies.js';
import { contentDigest } from './identity.js';
import { issueOperations } from './invoice.js';
import { modelOfBody, modelsOfBody, notFor } from './model.js';
import { documents } from './options.js';
import { checkWritten, type InvoiceFields, takeRegistration } from './written-invoice.js';

/** An invoice of an import. */
export interface ValidInvoice {
  readonly line: number;
  readonly invoice: InvoiceFields;
  readonly companyId: string;
  /** The state registration that issues it; `undefined`: the service chooses. */
  readonly stateTaxId: string | undefined;
}

type InvoiceRecord = ImportRecord<ValidInvoice>;

interface RecordOptions extends RecordForm {
  readonly model: InvoiceModel;
  readonly environment: string | undefined;
  /** The records told the model; another one is refused. */
  readonly isTold: boolean;
  readonly isInBody: boolean;
  /** The state registration of the command. */
  readonly stateTax: string | undefined;
  readonly unchecked: boolean;
  readonly forms: BodyForms;
  /** The company that issues a record: the one that it names, else that of the command. */
  readonly companyOf: (cell: unknown) => Promise<RowCompany>;
}

const MAX_FILES = 100_000;

interface OpenOptions extends Omit<RecordOptions, 'model' | 'isTold'> {
  readonly model: InvoiceModel | undefined;
  readonly again: boolean;
}

interface OpenInvoices {
  readonly input: ImportInput<ValidInvoice>;
  readonly model: InvoiceModel;
}

/**
 * A file (CSV, NDJSON, JSON, YAML), standard input, or a folder whose JSON and YAML files hold one invoice each, in the order
 * of their names; and the model that is named, or that the first record tells. Errors: `usage.missing`, `usage.invalid`, those of
 * `openSource` and `readRecords`.
 */
export async function openInvoices(context: Context, path: string, given: OpenOptions): Promise<OpenInvoices> {
  const isFiles = path !== '-' && (await isFolder(resolve(context.cwd, path)));
  const again = given.again || given.model === undefined;
  const source = isFiles ? undefined : await openSource(context, path, { again });
  const cells = new CellReader(given);
  const raw = (model: InvoiceModel | undefined, reader: CellReader): AsyncIterable<NamedRecord> =>
    source === undefined
      ? recordsOfFolder(context, path)
      : recordsOf(source, { model, format: given.format, cells: reader });
  const model =
    given.model ??
    (await modelOfRecords(context, {
      records: raw(undefined, new CellReader(given)),
      // Standard input is kept while it is read for the first time.
      isWhole: source !== undefined && source.file === undefined,
    }).catch(async (error: unknown) => {
      await source?.close();
      throw error;
    }));
  const options = { ...given, model, isTold: given.model === undefined };
  const input = {
    name: source?.name ?? path,
    records: () => checked(raw(model, cells), options),
    file: source?.file,
    ...(source === undefined ? {} : { cells }),
    contentOf: (record: ValidInvoice) => contentOf(record, options.stateTax),
    close: async () => await source?.close(),
  };
  return { input, model };
}

/** The model of the first record that tells one. Errors: `usage.missing`; `usage.invalid` for general invoices. */
async function modelOfRecords(
  context: Context,
  { records, isWhole }: { readonly records: AsyncIterable<NamedRecord>; readonly isWhole: boolean },
): Promise<InvoiceModel> {
  let first: unknown;
  for await (const record of records) {
    if (first === undefined && 'value' in record && modelsOfBody(record.value).length > 0) first = record.value;
    if (first !== undefined && !isWhole) break;
  }
  const model = await modelOfBody(context, first, documents);
  if (model === 'general') throw notFor({ command: 'invoice apply', models: documents }, model);
  return model;
}

async function* checked(records: AsyncIterable<NamedRecord>, options: RecordOptions): AsyncIterable<InvoiceRecord> {
  for await (const { file, ...record } of records) {
    const found = await check(record, options);
    yield file === undefined || !('problems' in found) ? found : { ...found, problems: named(file, found.problems) };
  }
}

async function check(record: InputRecord, options: RecordOptions): Promise<InvoiceRecord> {
  const { line } = record;
  if ('problem' in record) return { line, problems: [{ field: '', message: record.problem }] };
  const { model, environment, isInBody, unchecked, forms } = options;
  const told = options.isTold ? modelsOfBody(record.value) : [];
  if (told.length > 0 && !told.includes(model)) return { line, problems: [{ field: '', message: ofAnotherModel }] };
  const { cell, value } = withoutCompany(record.value);
  const rules = { model, environment, isInBody, unchecked, forms, externalId: undefined };
  const checkedRecord = checkWritten(value, rules);
  const written =
    'problems' in checkedRecord ? checkedRecord : takeRegistration(model, checkedRecord.invoice, options.stateTax);
  const company = await options.companyOf(cell);
  const problems = [
    ...('problem' in company ? [{ field: 'company', message: company.problem }] : []),
    ...('problems' in written ? written.problems : []),
  ];
  if ('problem' in company || 'problems' in written) return { line, problems };
  return { line, ...written, companyId: company.companyId };
}

/** The company is not a field of an invoice: it belongs to the path of the call. */
function withoutCompany(value: unknown): { readonly cell: unknown; readonly value: unknown } {
  if (!isRecord(value)) return { cell: undefined, value };
  const name = Object.keys(value).find((key) => /^(?:company|companyid|empresa)$/i.test(key));
  if (name === undefined) return { cell: undefined, value };
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
  return { cell: value[name], value: rest };
}

const ofAnotherModel: Text = {
  en: 'is of another model than the first record: one file has one model',
  pt: 'é de outro modelo que o primeiro registro: um arquivo tem um só modelo',
};

/** A record of a folder has the name of its file. */
type NamedRecord = InputRecord & { readonly file?: string };

async function* recordsOf(
  source: Source,
  { model, format, cells }: InvoiceTable & Pick<RecordForm, 'format'>,
): AsyncIterable<NamedRecord> {
  if (format === undefined && /^\.ya?ml$/.test(source.extension)) {
    const whole = await readJsonOrYaml(source, parseKeepingNumbers);
    const list: readonly unknown[] = Array.isArray(whole) ? whole : [whole];
    for (const [index, value] of list.entries()) yield { line: index + 1, value };
    return;
  }
  const rules: RecordRules = {
    parse: parseKeepingNumbers,
    rows: (header, name) => invoiceRows(header, name, { model, cells }),
  };
  yield* readRecords(source, rules, format, cells);
}

/** A file that cannot be read is a problem of this file; the others can be. */
async function* recordsOfFolder(context: InputContext, path: string): AsyncIterable<NamedRecord> {
  const names = (await readdir(resolve(context.cwd, path)))
    .filter((name) => /\.(?:json|ya?ml)$/i.test(name) && !name.startsWith('.'))
    .toSorted();
  if (names.length > MAX_FILES) {
    const reason = `more than ${MAX_FILES} files`;
    throw new FiscalError('input.unreadable', { path, reason }, { sent: 'no' });
  }
  for (const [index, file] of names.entries()) {
    const line = index + 1;
    try {
      const source = await openSource(context, join(path, file), { again: false });
      yield { line, file, value: await readJsonOrYaml(source, parseKeepingNumbers) };
    } catch (error) {
      if (!(error instanceof FiscalError)) throw error;
      yield { line, file, problem: error.text };
    }
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

/** What the first reading of a file found. */
export interface ValidatedInvoices extends Validated<ValidInvoice> {
  readonly billed: number;
  /** Records without an externalId: one is made of their content. */
  readonly unnamed: number;
  /** The companies that issue them. */
  readonly companies: ReadonlySet<string>;
}

/** Checks every record. Errors: those of `validateAll`. */
export async function validateInvoices(input: ImportInput<ValidInvoice>): Promise<ValidatedInvoices> {
  let billed = 0;
  let unnamed = 0;
  const companies = new Set<string>();
  const found = await validateAll(input, ({ invoice, companyId }) => {
    companies.add(companyId);
    if (usesTaxEngine(invoice)) billed += 1;
    if (typeof invoice['externalId'] !== 'string') unnamed += 1;
  });
  return { ...found, billed, unnamed, companies };
}

/** The registration of the command is part of the job, not of its records. */
function contentOf({ invoice, companyId, stateTaxId }: ValidInvoice, named: string | undefined): string {
  const { externalId } = invoice;
  const below = stateTaxId === named ? '' : ` ${stateTaxId}`;
  return `${typeof externalId === 'string' ? externalId : ''} ${contentDigest(invoice)} ${companyId}${below}\n`;
}

interface Column {
  readonly title: string;
  readonly path: readonly PathStep[];
  /** The operation takes a number here. */
  readonly isNumber: boolean;
}

interface InvoiceTable {
  /** Absent: every cell is text. */
  readonly model: InvoiceModel | undefined;
  readonly cells: CellReader;
}

/**
 * Maps a CSV header to invoices: a column is a field (`externalId`), a path (`items[0].quantity`) or a whole group as JSON
 * (`items`). Any name passes, as in a file. Empty cells are absent fields.
 * Errors: `input.unknown_column` for what is no path, `input.syntax` for two columns of one field.
 */
export function invoiceRows(
  header: readonly string[],
  name: string,
  { model, cells: reader }: InvoiceTable,
): (cells: Cells) => Reading {
  const schema = model === undefined ? undefined : requestSchema(issueOperations[model]);
  const columns: Column[] = [];
  const wrong: string[] = [];
  for (const title of header) {
    const path = parseFieldPath(title);
    if (path === undefined) wrong.push(title || '""');
    else columns.push({ title, path, isNumber: isNumberAt(schema, path) });
  }
  if (wrong.length > 0) throw notAPath(wrong, name);
  const twice = columns.find(({ title }, index) => columns.findIndex((other) => other.title === title) < index);
  if (twice !== undefined) throw twoColumns(twice.title, name);
  return (cells) => readRow(columns, cells, reader);
}

function isNumberAt(schema: Schema | undefined, path: readonly PathStep[]): boolean {
  const [step, ...rest] = path;
  if (schema === undefined) return false;
  if (step === undefined) return schema.type === 'number';
  if (typeof step === 'number') return isNumberAt(schema.items, rest);
  const { properties = {} } = schema;
  return Object.hasOwn(properties, step) && isNumberAt(properties[step], rest);
}

function readRow(columns: readonly Column[], cells: Cells, reader: CellReader): Reading {
  let row: unknown = {};
  for (const [index, { title, path, isNumber }] of columns.entries()) {
    const written = cells[index]?.trim() ?? '';
    if (written === '') continue;
    const number = isNumber ? reader.number(written, { column: title, at: index }) : { text: written };
    if ('problem' in number) return number;
    const read = readCell(number.text, lastName(path));
    const placed = 'problem' in read ? read : placeAt(row, path, read.value);
    if ('problem' in placed) {
      const { en, pt } = placed.problem;
      return { problem: { en: `column ${title}: ${en}`, pt: `coluna ${title}: ${pt}` } };
    }
    row = placed.value;
  }
  return { value: row };
}

function readCell(cell: string, field: string): Reading {
  try {
    return { value: cellValue(cell, field) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: notJson };
  }
}

const notJson: Text = { en: 'must hold JSON and does not', pt: 'deveria conter JSON e não contém' };

function notAPath(titles: readonly string[], name: string): FiscalError {
  const columns = titles.map((title) => title.slice(0, 60)).join(', ');
  const hint = {
    en: 'columns are fields or paths of the invoice, e.g. externalId, buyer.federalTaxNumber, items[0].quantity',
    pt: 'as colunas são campos ou caminhos da nota, p. ex. externalId, buyer.federalTaxNumber, items[0].quantity',
  };
  return new FiscalError('input.unknown_column', { columns, path: name }, { hint, sent: 'no' });
}

function twoColumns(title: string, name: string): FiscalError {
  const reason = { en: `two columns fill ${title}`, pt: `duas colunas preenchem ${title}` };
  return new FiscalError('input.syntax', { path: name, format: 'CSV', reason });
}
