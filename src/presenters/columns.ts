import { genericView } from './generic.js';
import type { View } from './look.js';
import { isRecord } from '../domain/record.js';
import { valueAt } from './scalar.js';

/**
 * A table of these columns only; whoever wants every field asks with `--fields` or a machine output. In the column
 * `companyName` a company without a name has its id.
 */
export function columnsView(names: readonly string[]): View {
  return (data, look) => {
    if (!Array.isArray(data)) return genericView(data, look);
    const rows = data.filter(isRecord);
    const isNamed = rows.some((row) => row['companyName'] !== undefined);
    const columns = isNamed ? names : names.map((name) => (name === 'companyName' ? 'companyId' : name));
    const used = [...new Set(columns)].filter((name) => rows.some((row) => cellOf(row, name) !== undefined));
    return genericView(
      rows.map((row) => Object.fromEntries(used.map((name) => [name, cellOf(row, name)]))),
      look,
    );
  };
}

function cellOf(row: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = valueAt(row, name);
  return name === 'companyName' ? (value ?? row['companyId']) : value;
}
