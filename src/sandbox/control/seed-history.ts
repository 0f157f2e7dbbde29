import type { Core } from '../core/core.js';
import type { StoredDocument } from '../document/documents.js';
import { inventDocument, nextNsu } from '../document/invent-document.js';
import { historyShape } from '../inbound/capture-document.js';
import { saveSettings } from '../inbound/settings.js';
import { billHistory } from '../maintenance/bill-history.js';
import { officeCompanies } from './office-companies.js';
import { boundsOf, type Month } from './seed-month.js';

const minuteMs = 60_000;
/** Two years. */
const spanMs = 730 * 86_400_000;
/** From the capture of one document to that of the next. */
const captureMs = 10;

/**
 * New clients: companies that capture NFS-e, and nothing but documents of the two years before their cut-off, which is
 * the first day of the month unless they have one. All are captured, hidden and billed as history.
 */
export function seedHistory(core: Core, { month, companies: count, documents }: Month): object {
  const { start } = boundsOf(core, month);
  const companies = officeCompanies(core, count);
  const first = core.documents.count() + 1;
  let ordinal = first;
  for (const [index, companyId] of companies.entries()) {
    const share = Math.floor(documents / count) + (index < documents % count ? 1 : 0);
    addHistory(core, { companyId, cutOff: cutOffOf(core, companyId, start), ordinal, count: share });
    ordinal += share;
  }
  return { month, companies: companies.length, documents: ordinal - first, hidden: ordinal - first };
}

function cutOffOf(core: Core, companyId: string, start: number): number {
  const given = core.captures.settings(companyId, 'nfse')?.given ?? {};
  const { startFromDate } = given;
  if (typeof startFromDate === 'string') return Date.parse(startFromDate);
  const chosen = { ...given, startFromDate: new Date(start).toISOString() };
  saveSettings(core, { companyId, family: 'nfse' }, chosen);
  return start;
}

interface Share {
  readonly companyId: string;
  readonly cutOff: number;
  readonly ordinal: number;
  readonly count: number;
}

/** The oldest first, as the national environment distributes them. */
function addHistory(core: Core, { companyId, cutOff, ordinal, count }: Share): void {
  const nsu = nextNsu(core, companyId, 'nfse');
  const now = core.clock.now();
  const shape = historyShape(core, { companyId, family: 'nfse' });
  const born = Array.from({ length: count }, (_, index): StoredDocument => {
    const issuedOn = cutOff - minuteMs - spanMs + Math.floor((index * spanMs) / count);
    const wanted = { family: 'nfse', companyId, ordinal: ordinal + index, issuedOn } as const;
    const invented = inventDocument(core, { ...wanted, direction: 'incoming', nsu: nsu + index });
    const createdOn = now - (count - index) * captureMs;
    const document = { ...invented, ...shape, createdOn, modifiedOn: createdOn };
    core.documents.put(document);
    return document;
  });
  billHistory(core, born);
}
