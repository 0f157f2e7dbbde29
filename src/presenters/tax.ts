import { defaultView } from './generic.js';
import { each, record } from './record.js';
import type { View } from './render.js';
import { isRecord } from '../domain/record.js';
import { scalarText } from './scalar.js';
import { tableLines } from './table.js';

type Row = Readonly<Record<string, string>>;

const row = record(each('text', 'item, cfop, tax: tributo, cst, base, rate: alíquota, amount: valor, others: outros'));

/** One line per item and tax. Values are the unchanged text; nothing is added up. */
export const taxView: View = (data, options) => {
  const items = isRecord(data) && Array.isArray(data['items']) ? data['items'].filter(isRecord) : undefined;
  if (items === undefined) return defaultView(data, options);
  const rows = items.flatMap(rowsOf);
  if (rows.length === 0) return defaultView(data, options);
  const used = Object.keys(row.properties ?? {}).filter((title) => rows.some((cells) => (cells[title] ?? '') !== ''));
  return tableLines(
    used.map((title) => ({ title, cells: rows.map((cells) => cells[title] ?? '') })),
    options,
    { record: row },
  );
};

function rowsOf(item: Readonly<Record<string, unknown>>, index: number): readonly Row[] {
  const head = { item: scalarText(item['id'] ?? index + 1), cfop: scalarText(item['cfop']) };
  const taxes = Object.entries(item).flatMap(([tax, values]) => (isRecord(values) ? [{ tax, values }] : []));
  return taxes.map(({ tax, values }) => ({ ...head, tax, ...parts(tax, values) }));
}

/**
 * A tax's own rate and amount are named after it in the layout: `pICMS` and `vICMS`. The other values follow by name.
 */
function parts(tax: string, values: Readonly<Record<string, unknown>>): Row {
  const name = tax.toUpperCase();
  const own = {
    cst: find(values, ['CST', 'CSOSN']),
    base: find(values, ['VBC', `VBC${suffixOf(name)}`]),
    rate: find(values, [`P${name}`]),
    amount: find(values, [`V${name}`]),
  };
  const shown = new Set(Object.values(own).map((found) => found?.name));
  const others = Object.entries(values).filter(([field]) => !shown.has(field));
  return {
    ...Object.fromEntries(Object.entries(own).map(([title, found]) => [title, found?.text ?? ''])),
    others: others.map(([field, value]) => `${field} ${scalarText(value)}`).join(', '),
  };
}

function suffixOf(name: string): string {
  return name.replace('ICMS', '');
}

function find(values: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const found = Object.entries(values).find(([field]) => names.includes(field.toUpperCase()));
  return found === undefined ? undefined : { name: found[0], text: scalarText(found[1]) };
}
