import type { Text } from '../contract/text.js';
import { toCopyMark } from './copy-mark.js';
import { toInput } from './item-columns.js';
import { DamagedRow, fromJson, sound } from './row.js';
import type { WholeRow } from './whole-rows.js';

/** Why the program cannot read a row. */
export interface RowFault {
  readonly column?: string;
  readonly reason: Text;
}

/** The columns with JSON, read as the rows of each table are read. */
const jsonColumns: Readonly<Record<string, readonly string[]>> = {
  jobs: ['scope'],
  items: ['input'],
  item_events: ['step'],
  history: ['deprecation'],
  known: ['data'],
  answers: ['answer'],
  documents: ['data'],
  cursors: ['position'],
  webhook_events: ['done_by'],
};

/** `undefined`: every reader takes the row. */
export function rowFault(table: string, row: WholeRow): RowFault | undefined {
  let column: string | undefined;
  try {
    requireNumbers(row);
    for (column of jsonColumns[table] ?? []) {
      const json = row[column];
      if (typeof json === 'string') fromJson(json);
    }
    if (table === 'items')
      toInput({ id: textIn(row, 'id'), kind: textIn(row, 'kind'), input: textIn(row, 'input') });
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
