import type { Text } from '../contract/text.js';
import { toCopyMark } from './copy-mark.js';
import { toInput } from './item-columns.js';
import { type Cell, DamagedRow, fromJson, sound, type WholeRow } from './row.js';
import { type Table, tables } from './schema.js';

/** Why the program cannot read a row. */
export interface RowFault {
  readonly column?: string;
  readonly reason: Text;
}

function columnsIn(table: string): Table['columns'] {
  const described: Readonly<Record<string, Table>> = tables;
  return described[table]?.columns ?? {};
}

/** `undefined`: every reader takes the row. */
export function rowFault(table: string, row: WholeRow): RowFault | undefined {
  let column: string | undefined;
  try {
    requireNumbers(row);
    const columns = columnsIn(table);
    for (column in columns) {
      const json = row[column];
      const isJson = columns[column]?.type === 'json' || columns[column]?.type === 'shortJson';
      if (isJson && typeof json === 'string') fromJson(json);
    }
    column = 'input';
    if (table === 'items') toInput({ id: textIn(row, 'id'), kind: textIn(row, 'kind'), input: textIn(row, 'input') });
    column = 'copy';
    if (table === 'identity') toCopyMark(row[column] === null ? null : textIn(row, column));
    return undefined;
  } catch (error) {
    if (!(error instanceof DamagedRow)) throw error;
    const place = error.column ?? column;
    return { ...(place !== undefined && { column: place }), reason: error.text };
  }
}

/** The number of a NSU has up to 15 digits, and may be no time. */
function requireNumbers({ nsu_number: _nsu, ...row }: WholeRow): void {
  sound(row);
}

function textIn(row: WholeRow, column: string): string {
  const cell = row[column];
  if (typeof cell === 'string') return cell;
  throw new DamagedRow(
    { en: `a row has no text in ${column}`, pt: `uma linha não tem texto em ${column}` },
    { column },
  );
}

/** A value that `rowFault` takes and that no program writes there. */
export function columnFault(table: string, row: WholeRow): RowFault | undefined {
  for (const [column, { rule }] of Object.entries(columnsIn(table))) {
    const cell = row[column];
    if (rule === undefined || cell === null || cell === undefined || rule.holds(cell, row)) continue;
    return { column, reason: withValue(cell, rule.expected) };
  }
  return undefined;
}

/** Texts may be of documents and people: only a number is shown. */
function withValue(cell: Cell, { en, pt }: Text): Text {
  return typeof cell === 'number' ? { en: `${en}, not ${cell}`, pt: `${pt}, e não ${cell}` } : { en, pt };
}
