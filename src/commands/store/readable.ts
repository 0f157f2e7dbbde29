import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { copiedTables, type NamedTable } from '../../store/schema.js';
import { rowFault } from '../../store/row-faults.js';
import { pagesOf, type WholeRows } from '../../store/whole-rows.js';
import type { WholeRow } from '../../store/row.js';
import { nameOf, type Place } from './place.js';

/** Throws at the first damage: a copy would carry it on, or stop at it in the middle. `seen` gets the rows of each page. */
export async function requireReadable(
  rows: WholeRows,
  place: Place,
  seen: (table: string, rows: number) => void,
): Promise<void> {
  const hint = checkHint(place);
  const reason = await rows.engineFault();
  if (reason !== undefined)
    throw new FiscalError('store.damaged', { path: nameOf(place), reason }, { sent: 'no', hint });
  for (const table of copiedTables) {
    for await (const page of pagesOf(rows, table)) {
      seen(table.name, page.length);
      for (const row of page) {
        const fault = rowFault(table.name, row);
        if (fault === undefined) continue;
        const values = { path: nameOf(place), table: table.name, key: keyText(table, row) };
        throw new FiscalError('store.damaged_row', { ...values, reason: fault.reason }, { sent: 'no', hint });
      }
    }
  }
}

/** `seq 12`, or `profile acme, host api.example`. */
function keyText({ key }: NamedTable, row: WholeRow): string {
  return key.map((column) => `${column} ${String(row[column])}`).join(', ');
}

function checkHint(place: Place): Text {
  const line = fiscalLine({
    command: 'store check',
    positionals: [place.kind === 'server' ? 'server' : place.path],
  });
  return {
    en: `to see everything that is damaged: ${line}`,
    pt: `para ver tudo o que está danificado: ${line}`,
  };
}
