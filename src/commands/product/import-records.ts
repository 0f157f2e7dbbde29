import type { ProductInput } from '../../contract/product.js';
import type { Text } from '../../contract/text.js';
import { checkProduct, plainNumbers, type ProductFinding } from '../../domain/product-check.js';
import { parseKeepingNumbers } from '../../domain/product-number.js';
import type { InputFormat, InputRecord } from '../../services/input/record.js';
import { readRecords } from '../../services/input/records.js';
import type { Source } from '../../services/input/source.js';
import { productRows } from './columns.js';

/** One record of an import, read and checked. */
export type ProductRecord = { readonly line: number } & (
  | { readonly product: ProductInput; readonly notes: readonly ProductFinding[] }
  | { readonly problems: readonly ProductFinding[] }
);

/** The records of an import, one after another. With `unchecked`, products go as they were written. */
export async function* productRecords(
  source: Source,
  options: { readonly format: InputFormat | undefined; readonly unchecked: boolean },
): AsyncIterable<ProductRecord> {
  const rules = { parse: parseKeepingNumbers, rows: productRows };
  for await (const record of readRecords(source, rules, options.format)) {
    yield checked(record, options.unchecked);
  }
}

function checked(record: InputRecord, unchecked: boolean): ProductRecord {
  const { line } = record;
  if ('problem' in record) return { line, problems: [{ field: '', message: record.problem }] };
  if (unchecked) return asWritten(line, record.value);
  const { product, problems, notes } = checkProduct(record.value, { forCreate: true });
  return problems.length > 0 ? { line, problems } : { line, product, notes };
}

function asWritten(line: number, value: unknown): ProductRecord {
  const plain = plainNumbers(value);
  return isObject(plain)
    ? { line, product: plain, notes: [] }
    : { line, problems: [{ field: '', message: mustBeObject }] };
}

function isObject(value: unknown): value is ProductInput {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const mustBeObject: Text = { en: 'must be an object', pt: 'deve ser um objeto' };
