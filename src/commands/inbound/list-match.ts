import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import { compareExactly, type JsonNumber } from '../../domain/exact-decimal.js';
import { documentStates } from '../../domain/document-state.js';
import { NumberLiteral } from '../../domain/json-numbers.js';
import { parseDecimalText } from '../../domain/decimal-text.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { valueAt } from '../../presenters/scalar.js';
import { amountIn, type RowState } from '../../services/lists/totals.js';
import type { list } from './read-commands.js';

export type ListedRow = Readonly<Record<string, unknown>>;

export type ListGiven = Given<typeof list>;

/** Conditions that no list of the service knows: they are applied to the rows after they are read. */
export interface RowMatch {
  /** The options that are in use. */
  readonly options: readonly string[];
  matches(row: ListedRow): boolean;
}

/**
 * `supplier` is a part of the name, whatever its accents and case; `value` is `100..500`, `100,50..500`, `..500`, `100..`, or one
 * amount. Error: `usage.invalid_value`.
 */
export function rowMatch({ supplier, value }: Pick<ListGiven, 'supplier' | 'value'>): RowMatch {
  const name = supplier === undefined ? undefined : plainName(supplier);
  const range = value === undefined ? undefined : readRange(value);
  return {
    options: [...(name === undefined ? [] : ['--supplier']), ...(range === undefined ? [] : ['--value'])],
    matches: (row) =>
      (name === undefined || plainName(supplierOf(row) ?? '').includes(name)) &&
      (range === undefined || isWithin(amountOf(row), range)),
  };
}

/** The rows that match. */
export async function* matching<Row extends ListedRow>(
  rows: AsyncIterable<Row>,
  { matches }: RowMatch,
): AsyncGenerator<Row> {
  for await (const row of rows) if (matches(row)) yield row;
}

/** As `shownDocument` has written it; an event among the rows has none. */
export function stateOfRow(row: ListedRow): RowState {
  const state = row['state'];
  return documentStates.find((known) => known === state) ?? 'event';
}

/** The name of the issuer of an NF-e or CT-e, or of the provider of an NFS-e. */
export function supplierOf(row: ListedRow): string | undefined {
  const name = valueAt(row, 'issuer.name') ?? valueAt(row, 'provider.name');
  return typeof name === 'string' ? name : undefined;
}

/** The total of a document: that of its XML where the list has another one; each family has its own field. `undefined` where no number stands. */
export function amountOf(row: ListedRow): JsonNumber | undefined {
  return amountIn(row['amount'] ?? row['totalInvoiceAmount'] ?? row['totalAmount'] ?? row['servicesAmount']);
}

function plainName(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

interface Range {
  readonly from: JsonNumber | undefined;
  readonly to: JsonNumber | undefined;
}

function isWithin(amount: JsonNumber | undefined, { from, to }: Range): boolean {
  if (amount === undefined) return false;
  if (from !== undefined && compareExactly(amount, from) < 0) return false;
  return to === undefined || compareExactly(amount, to) <= 0;
}

function readRange(text: string): Range {
  const [first = '', second = first, ...more] = text.split('..').map((end) => end.trim());
  const [from, to] = [first, second].map((end) => (end === '' ? undefined : readAmount(end)));
  const isBad = from === null || to === null || more.length > 0 || (from === undefined && to === undefined);
  if (isBad || (from !== undefined && to !== undefined && compareExactly(from, to) > 0))
    throw invalidValue('--value', text, aRange);
  return { from, to };
}

/** `100`, `100.50`, `100,50`, `1.234,56`. A point before three digits has two readings and is refused: `1.234`. */
function readAmount(text: string): JsonNumber | null {
  const isGrouped = /^\d{1,3}(?:\.\d{3})+,\d+$/.test(text);
  const plain = isGrouped ? text.replaceAll('.', '').replace(',', '.') : text.replace(',', '.');
  if (/^\d{1,3}\.\d{3}$/.test(text) || parseDecimalText(plain) === undefined) return null;
  return new NumberLiteral(plain);
}

const aRange: Text = {
  en: 'expected two amounts, such as 100..500 or 100,50..500, of which one may be left out',
  pt: 'esperam-se dois valores, como 100..500 ou 100,50..500; um deles pode faltar',
};
