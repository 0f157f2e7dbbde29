import { origins, type ProductInput } from '../../contract/product.js';
import type { Text } from '../../contract/text.js';
import { checkProduct, type ProductFinding } from '../../domain/product-check.js';
import { parseKeepingNumbers } from '../../domain/json-numbers.js';
import {
  canonicalTaxName,
  fieldOf,
  productShape,
  requiredProductFields,
  type Shape,
} from '../../domain/product-shape.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { hasTaxRules } from '../../jobs/kinds/product.js';
import { type CellReading, CellReader } from '../../services/input/cell-reader.js';
import { plainTitle } from '../../services/input/column-title.js';
import { LineProblems } from '../../services/input/line-problems.js';
import type { Cells, InputRecord, Reading, RecordForm, RecordRules } from '../../services/input/record.js';
import { readRecords } from '../../services/input/records.js';
import {
  type ImportInput,
  type ImportRecord,
  isInvalid,
  validateAll,
  type Validated,
} from '../../services/batch/import-input.js';
import type { Source } from '../../services/input/source.js';
import { contentDigest, createKey, labelOf } from './known-products.js';

/** A product of an import. */
export interface ValidProduct {
  readonly line: number;
  readonly product: ProductInput;
  readonly notes: readonly ProductFinding[];
}

export type ProductRecord = ImportRecord<ValidProduct>;

interface ReadOptions extends RecordForm {
  readonly unchecked: boolean;
}

/** The products of a source, for both readings. */
export function productInput(source: Source, options: ReadOptions): ImportInput<ValidProduct> {
  const cells = new CellReader(options);
  return {
    name: source.name,
    records: () => productRecords(source, options, cells),
    file: source.file,
    cells,
    contentOf: ({ product }) => contentDigest(product),
    close: () => source.close(),
  };
}

/** Reads the records of an import one by one. With `unchecked`, products are sent as written. */
async function* productRecords(source: Source, options: ReadOptions, cells: CellReader): AsyncIterable<ProductRecord> {
  const rules: RecordRules = { parse: parseKeepingNumbers, rows: (header, name) => productRows(header, name, cells) };
  for await (const record of readRecords(source, rules, options.format, cells)) {
    yield placed(checked(record, options.unchecked), cells);
  }
}

function checked(record: InputRecord, unchecked: boolean): ProductRecord {
  const { line } = record;
  if ('problem' in record) return { line, problems: [{ field: '', message: record.problem }] };
  if (unchecked) return asWritten(line, record.value);
  const { product, problems, notes } = checkProduct(record.value, { forCreate: true });
  return problems.length > 0 ? { line, problems } : { line, product, notes };
}

/** The problems of a row of a table show the value, and its column where that has another name than the field. */
function placed(record: ProductRecord, cells: CellReader): ProductRecord {
  if (!isInvalid(record) || cells.table === undefined) return record;
  const problems = record.problems.map(({ field, message }) => {
    const at = cells.columns.get(field) ?? -1;
    const value = cells.row.cells[at]?.trim() ?? '';
    if (value === '') return { field, message };
    const expected = field === 'origin' ? anOrigin : message;
    return { field, message: withValue(expected, value, cells.header[at] === field ? '' : cells.header[at]) };
  });
  return { ...record, problems };
}

const LONGEST_VALUE = 60;

function withValue({ en, pt }: Text, value: string, title = ''): Text {
  const shown = value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value;
  if (title === '') return { en: `"${shown}" ${en}`, pt: `"${shown}" ${pt}` };
  return { en: `"${shown}" (column ${title}) ${en}`, pt: `"${shown}" (coluna ${title}) ${pt}` };
}

/** Table A of the NF-e layout, by its codes. */
const anOrigin: Text = {
  en: `must be a code from 0 to 8: ${origins.map((name, code) => `${code} ${name}`).join(', ')}`,
  pt: 'deve ser um código de 0 a 8: 0 nacional, 1 estrangeira de importação direta, 2 estrangeira adquirida no mercado interno, 3 nacional com mais de 40% e até 70% de conteúdo importado, 4 nacional conforme processo produtivo básico, 5 nacional com até 40% de conteúdo importado, 6 estrangeira de importação direta sem similar nacional, 7 estrangeira adquirida no mercado interno sem similar nacional, 8 nacional com mais de 70% de conteúdo importado',
};

function asWritten(line: number, value: unknown): ProductRecord {
  return isObject(value)
    ? { line, product: value, notes: [] }
    : { line, problems: [{ field: '', message: mustBeObject }] };
}

function isObject(value: unknown): value is ProductInput {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const mustBeObject: Text = { en: 'must be an object', pt: 'deve ser um objeto' };

const MOST_NOTES = 20;

/** What the first reading of a file found. */
export interface ValidatedProducts extends Validated<ValidProduct> {
  readonly billed: number;
  /** Records with the same content as an earlier one: the line of each with the line of the first. */
  readonly repeats: ReadonlyMap<number, number>;
  /** Of the first record with a note of each field. */
  readonly notes: readonly ProductFinding[];
}

/**
 * Checks every record. Errors: those of `validateAll`; `input.invalid`, with all problems, if one SKU occurs twice with
 * different content, even with `skipInvalid`: only a person knows which record is meant.
 */
export async function validateProducts(input: ImportInput<ValidProduct>, tenantId: string): Promise<ValidatedProducts> {
  const conflicts = new LineProblems();
  const seen = new Map<string, { readonly line: number; readonly content: string }>();
  const repeats = new Map<number, number>();
  let billed = 0;
  const notes: ProductFinding[] = [];
  const found = await validateAll(input, (record, content) => {
    const { line, product } = record;
    for (const note of record.notes) {
      if (notes.length < MOST_NOTES && notes.every(({ field }) => field !== note.field)) notes.push(note);
    }
    const key = createKey(tenantId, product);
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, { line, content });
      if (hasTaxRules(product)) billed += 1;
    } else if (first.content === content) {
      repeats.set(line, first.line);
    } else {
      conflicts.add(line, [{ field: 'sku', message: otherContent(labelOf(product), first.line) }]);
    }
  });
  if (conflicts.lines > 0) {
    found.problems.include(conflicts);
    throw found.problems.error(input.name);
  }
  return { ...found, billed, repeats, notes };
}

function otherContent(sku: string, line: number): Text {
  return {
    en: `"${sku}" is on line ${line} as well, with other content`,
    pt: `"${sku}" também está na linha ${line}, com outro conteúdo`,
  };
}

/** Short and Portuguese names of columns, as `plainTitle` gives them. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['ncm', 'tax.ncm'],
  ['cest', 'tax.cest'],
  ['collection', 'collectionId'],
  ...['codigo', 'codigodoproduto', 'codigoproduto'].map((title): [string, string] => [title, 'sku']),
  ...['descricao', 'descricaodoproduto'].map((title): [string, string] => [title, 'description']),
  ...['origem', 'origemdamercadoria'].map((title): [string, string] => [title, 'origin']),
  ...['ean', 'codigodebarras'].map((title): [string, string] => [title, 'gtin']),
  ['regimetributario', 'taxRegime'],
  ['colecao', 'collectionId'],
]);

interface Column {
  readonly title: string;
  readonly index: number;
  readonly path: readonly Step[];
  /** The cell holds JSON: a whole object or list. */
  readonly isJson: boolean;
}

interface Step {
  readonly name: string;
  /** The field is a list: the column fills its only element. */
  readonly isList: boolean;
}

/**
 * Maps a CSV header to products: a column is a field (`sku`), a path (`customTax.intraState.icms.pICMS`, in any letter
 * case) or a whole group as JSON (`customTax`). Empty cells are absent fields.
 * Errors: `input.missing_column`, `input.unknown_column`, `input.syntax` for two columns of one field.
 */
export function productRows(header: readonly string[], name: string, reader: CellReader): (cells: Cells) => Reading {
  const found = header.map((title, index) => ({ title, column: columnOf(title, index) }));
  const unknown = found.filter(({ column }) => column === undefined).map(({ title }) => title || '""');
  if (unknown.length > 0) throw unknownColumn(unknown, name);
  const columns = found.flatMap(({ column }) => (column === undefined ? [] : [column]));
  const titles = columns.map((column) => column.path.map((step) => step.name).join('.'));
  const missing = requiredProductFields.filter((field) => !titles.includes(field));
  if (missing.length > 0) {
    throw new FiscalError('input.missing_column', { columns: missing.join(', '), path: name });
  }
  const clash = titles.find((title, index) => titles.some((other, at) => at !== index && covers(title, other)));
  if (clash !== undefined) throw twoColumns(clash, name);
  reader.columns = new Map(columns.map(({ index }, at) => [titles[at] ?? '', index]));
  for (const { title, path } of columns) noteName(reader, title, path);
  return (cells) => readRow(columns, cells, reader);
}

/** A title in another language than that of the field is a conversion. */
function noteName({ conversions }: CellReader, title: string, path: readonly Step[]): void {
  const field = path.map((step) => step.name).join('.');
  const isKnown = field.toLowerCase().endsWith(title.toLowerCase()) || /^collection$/i.test(title);
  if (!isKnown) conversions.add('column', title, field);
}

function columnOf(title: string, index: number): Column | undefined {
  const written = aliases.get(plainTitle(title)) ?? title;
  const path: Step[] = [];
  let shape: Shape = productShape;
  for (const part of written.split('.')) {
    const step = stepInto(shape, part);
    if (step === undefined) return undefined;
    path.push({ name: step.name, isList: step.shape.kind === 'list' });
    shape = elementOf(step.shape);
  }
  return { title, index, path, isJson: shape.kind === 'group' };
}

function stepInto(shape: Shape, part: string): { name: string; shape: Shape } | undefined {
  if (shape.kind === 'group') return fieldOf(shape, part);
  const isName = /^[A-Za-z]\w*$/.test(part);
  return shape.kind === 'tax-group' && isName ? { name: canonicalTaxName(part), shape } : undefined;
}

function elementOf(shape: Shape): Shape {
  return shape.kind === 'list' ? elementOf(shape.of) : shape;
}

function covers(title: string, other: string): boolean {
  return title === other || other.startsWith(`${title}.`);
}

function readRow(columns: readonly Column[], cells: Cells, reader: CellReader): Reading {
  const root = new GroupBuilder();
  for (const column of columns) {
    const text = cells[column.index]?.trim() ?? '';
    if (text === '') continue;
    const value = column.isJson ? readJsonCell(text) : asReading(readCell(column, text, reader));
    if ('problem' in value) return value;
    root.put(column.path, value.value);
  }
  return { value: root.value() };
}

function asReading(cell: CellReading): Reading {
  return 'problem' in cell ? cell : { value: cell.text };
}

/** A cell as a spreadsheet shows it: `0901.21.00`, `18,00`, `18,00%`, `Nacional`. */
function readCell({ title, index, path }: Column, text: string, reader: CellReader): CellReading {
  const name = path.at(-1)?.name ?? '';
  if (['ncm', 'cest', 'gtin', 'cfop'].includes(name)) return { text: reader.code(text) };
  if (name === 'origin') return { text: originName(text, reader) };
  if (!/^p[A-Z]/.test(name)) return { text };
  // A margin may exceed 100 percent. No percentage reaches 1000, so none has two readings.
  const atMost = name.startsWith('pMVA') ? 999.9999 : 100;
  return reader.number(text.replace(/(?<!\s)\s*%$/, ''), { column: title, at: index, atMost });
}

/** The origin by its code in the NF-e layout, which is its position in the list, or by the word for a national product. */
function originName(text: string, { conversions }: CellReader): string {
  const code = plainTitle(text) === 'nacional' ? '0' : text;
  const name = /^\d$/.test(code) ? origins[Number(code)] : undefined;
  if (name === undefined) return text;
  conversions.add('origin', text, name);
  return name;
}

function readJsonCell(text: string): Reading {
  try {
    return { value: parseKeepingNumbers(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: notJson };
  }
}

/** A group under construction. */
class GroupBuilder {
  private readonly fields = new Map<string, unknown>();
  private readonly groups = new Map<string, { readonly node: GroupBuilder; readonly isList: boolean }>();

  put(path: readonly Step[], value: unknown): void {
    const [step, ...rest] = path;
    if (step === undefined) return;
    if (rest.length === 0) {
      this.fields.set(step.name, value);
      return;
    }
    const group = this.groups.get(step.name) ?? { node: new GroupBuilder(), isList: step.isList };
    this.groups.set(step.name, group);
    group.node.put(rest, value);
  }

  value(): Readonly<Record<string, unknown>> {
    const groups = [...this.groups].map(([name, { node, isList }]): [string, unknown] => [
      name,
      isList ? [node.value()] : node.value(),
    ]);
    return Object.fromEntries([...this.fields, ...groups]);
  }
}

const notJson: Text = {
  en: 'has a cell that is not valid JSON',
  pt: 'tem uma célula que deveria conter JSON e não contém',
};

function unknownColumn(titles: readonly string[], name: string): FiscalError {
  return new FiscalError(
    'input.unknown_column',
    { columns: titles.join(', '), path: name },
    {
      hint: {
        en: 'correct or remove the column; columns are fields of the product, e.g. sku, description, origin, ncm, gtin, customTax',
        pt: 'corrija ou remova a coluna; as colunas são campos do produto, p. ex. sku, description, origin, ncm, gtin, customTax',
      },
    },
  );
}

function twoColumns(title: string, name: string): FiscalError {
  return new FiscalError('input.syntax', {
    path: name,
    format: 'CSV',
    reason: { en: `two columns fill ${title}`, pt: `duas colunas preenchem ${title}` },
  });
}
