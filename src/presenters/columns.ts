import { genericView } from './generic.js';
import type { View } from './look.js';
import { isRecord } from '../domain/record.js';
import { valueAt } from './scalar.js';

/** A table of these columns only; whoever wants every field asks with `--fields` or a machine output. */
export function columnsView(names: readonly string[]): View {
  return (data, look) => {
    if (!Array.isArray(data)) return genericView(data, look);
    const rows = data.filter(isRecord);
    const used = names.filter((name) => rows.some((row) => valueAt(row, name) !== undefined));
    return genericView(
      rows.map((row) => Object.fromEntries(used.map((name) => [name, valueAt(row, name)]))),
      look,
    );
  };
}
