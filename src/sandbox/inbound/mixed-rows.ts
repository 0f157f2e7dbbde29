import type { Family, KnownCompany } from '../core/records.js';
import type { Core } from '../core/core.js';
import type { MixedRow } from './listing.js';
import { showEventRow, showNfseEvent, showNote } from './show.js';

/** Whether the list of a company has events among its notes. Without any event the list of notes is the same, and faster. */
export function hasMixedRows(
  { behaviour, documentEvents }: Core,
  companyId: string,
  family: Family,
): boolean {
  return behaviour.eventPlaces()[family] === 'mixed' && documentEvents.hasAny(companyId, family);
}

export function showMixed(
  core: Core,
  family: Family,
  row: MixedRow,
  holder: KnownCompany | undefined,
): object {
  const event = row.eventKey === null ? undefined : core.documentEvents.get(row.companyId, row.eventKey);
  if (event === undefined) return showNote(core, { ...row, family }, holder);
  return family === 'nfse' ? showNfseEvent(core, event, holder) : showEventRow(core, event, holder);
}
