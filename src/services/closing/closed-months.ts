import { parseUtc } from '../../domain/dates.js';
import type { ArchiveStorage } from '../../archive/storage.js';
import type { Store } from '../../store/store.js';
import { type CloseVerdict, glanceAtClose } from './found-close.js';
import { type Month, monthOf } from './month.js';

/**
 * closed: proven, and no document has come since · open: documents are known, and no close proves the month · broken: the close no
 * longer holds, because it was changed, follows other rules, or a document of the month came after it.
 */
export type MonthState = 'closed' | 'open' | 'broken';

/** Whole months that are looked at. */
const MONTHS = 3;

/** The last whole months before a day, newest first. */
export function wholeMonths(today: string): readonly Month[] {
  const months: Month[] = [];
  for (let name = today.slice(0, 7); months.length < MONTHS; ) {
    name = new Date(Date.parse(`${name}-01T00:00:00Z`) - 1).toISOString().slice(0, 'yyyy-mm'.length);
    months.push(monthOf(name));
  }
  return months;
}

interface MonthPlace {
  readonly storage: ArchiveStorage;
  readonly documents: Store['documents'];
  readonly profile: string;
  readonly companyId: string;
}

/** The state of a month of received documents; `undefined`: nothing of it is known. Makes no request for a folder. */
export async function monthState(place: MonthPlace, month: Month): Promise<MonthState | undefined> {
  const { storage, documents, profile, companyId } = place;
  const range = { profile, companies: [companyId], since: month.since, until: month.until, limit: 1 };
  const { verdict, closedAt } = await glanceAtClose({ storage, month, companyId, direction: 'received' });
  switch (stateOf(verdict)) {
    case 'broken':
      return 'broken';
    case 'open':
      return (await documents.list(range)).length > 0 || verdict !== 'not-closed' ? 'open' : undefined;
    case 'closed': {
      const seenSince = (parseUtc(closedAt ?? '') ?? 0) + 1;
      return (await documents.list({ ...range, seenSince })).length > 0 ? 'broken' : 'closed';
    }
  }
}

function stateOf(verdict: CloseVerdict): MonthState {
  if (verdict === 'complete') return 'closed';
  return verdict === 'older' || verdict === 'contradictory' ? 'broken' : 'open';
}
