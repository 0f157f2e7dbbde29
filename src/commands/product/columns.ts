import type { Text } from '../../contract/text.js';
import { parseKeepingNumbers } from '../../domain/product-number.js';
import {
  canonicalTaxName,
  fieldOf,
  productShape,
  requiredProductFields,
  type Shape,
} from '../../domain/product-shape.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Cells, Reading } from '../../services/input/record.js';

/** Columns that have a shorter name than the field that they fill. */
const aliases: Readonly<Record<string, string>> = {
  ncm: 'tax.ncm',
  cest: 'tax.cest',
  collection: 'collectionId',
};

interface Column {
  readonly index: number;
  readonly path: readonly Step[];
  /** The cell holds JSON: a whole object or list. */
  readonly isJson: boolean;
}

interface Step {
  readonly name: string;
  /** The field is a list: a column fills its one element. */
  readonly isList: boolean;
}

/**
 * How a CSV header fills products: a column is a field (`sku`), a path (`customTax.intraState.icms.pICMS`, in any letter
 * case) or a whole group as JSON (`customTax`). Empty cells are absent fields.
 * Errors: `input.missing_column`, `input.unknown_column`, `input.syntax` for two columns of one field.
 */
export function productRows(header: readonly string[], name: string): (cells: Cells) => Reading {
  const found = header.map((title, index) => ({ title, column: columnOf(title, index) }));
  const unknown = found.filter(({ column }) => column === undefined).map(({ title }) => title || '""');
  if (unknown.length > 0) throw unknownColumn(unknown, name);
  const columns = found.flatMap(({ column }) => (column === undefined ? [] : [column]));
  const titles = columns.map((column) => column.path.map((step) => step.name).join('.'));
  const missing = requiredProductFields.filter((field) => !titles.includes(field));
  if (missing.length > 0) {
    throw new FiscalError('input.missing_column', { columns: missing.join(', '), path: name });
  }
  const clash = titles.find((title, index) =>
    titles.some((other, at) => at !== index && covers(title, other)),
  );
  if (clash !== undefined) throw twoColumns(clash, name);
  return (cells) => readRow(columns, cells);
}

function columnOf(title: string, index: number): Column | undefined {
  const written = aliases[title.toLowerCase()] ?? title;
  const path: Step[] = [];
  let shape: Shape = productShape;
  for (const part of written.split('.')) {
    const step = stepInto(shape, part);
    if (step === undefined) return undefined;
    path.push({ name: step.name, isList: step.shape.kind === 'list' });
    shape = elementOf(step.shape);
  }
  return { index, path, isJson: shape.kind === 'group' };
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

function readRow(columns: readonly Column[], cells: Cells): Reading {
  const root = new GroupBuilder();
  for (const { index, path, isJson } of columns) {
    const text = cells[index]?.trim() ?? '';
    if (text === '') continue;
    const value = isJson ? readJsonCell(text) : { value: text };
    if ('problem' in value) return value;
    root.put(path, value.value);
  }
  return { value: root.value() };
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
  en: 'has a cell that must hold JSON and does not',
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
