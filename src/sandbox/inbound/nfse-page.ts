import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import type { ShownDocument } from '../document/documents.js';
import { holderOf, showNfse } from './show.js';
import type { ListQuery } from './listing.js';
import type { Condition } from './odata-filter.js';

const defaultCount = 50;
const highestCount = 100;

const ranges: Readonly<Record<string, string>> = {
  createdBegin: 'created_on >= ?',
  createdEnd: 'created_on <= ?',
  issuedBegin: 'issued_on >= ?',
  issuedEnd: 'issued_on <= ?',
};
const numbers: Readonly<Record<string, string>> = { nsuBegin: 'nsu >= ?', nsuEnd: 'nsu <= ?' };
const texts: Readonly<Record<string, string>> = {
  status: 'status = ?',
  webhookStatus: 'webhook_status = ?',
  federalTaxNumber: 'issuer_tax_number = ?',
  type: "'serviceInvoice' = ?",
};

/** The list by page number (public). The newest capture comes first (assumed). */
export function nfsePage(core: Core, companyId: string, query: URLSearchParams): object {
  const page = whole(query, 'pageIndex', { from: 1, to: 1_000_000, otherwise: 1 });
  const size = whole(query, 'pageCount', { from: 1, to: highestCount, otherwise: defaultCount });
  const list = {
    companyId,
    family: 'nfse',
    conditions: conditionsOf(query),
    order: [],
    skip: (page - 1) * size,
    limit: size,
  } as const;
  const rows = core.listing.documents(list);
  const isEndless = rows.length === 0 && core.behaviour.listHostility() !== undefined;
  const shown = isEndless ? core.listing.documents({ ...list, skip: 0 }) : rows;
  const before = core.behaviour.pageFaults().doubled && page > 1;
  const doubled = before ? core.listing.documents({ ...list, skip: list.skip - 1, limit: 1 }) : [];
  const holder = holderOf(core, companyId);
  return {
    ...totals(core, list, query.get('hasTotals') === 'true'),
    page,
    documents: ordered(core, [...doubled, ...shown]).map((document) => showNfse(document, holder)),
  };
}

function ordered(core: Core, rows: readonly ShownDocument[]): readonly ShownDocument[] {
  return core.behaviour.pageFaults().reordered ? rows.toReversed() : rows;
}

function totals(core: Core, list: ListQuery, isAsked: boolean): object {
  if (!isAsked) return {};
  const totalResults = core.listing.countDocuments(list);
  return { totalResults, totalPages: Math.ceil(totalResults / list.limit) };
}

function conditionsOf(query: URLSearchParams): readonly Condition[] {
  return [...query].flatMap(([name, text]): Condition[] => {
    const [range, number, plain] = [ranges[name], numbers[name], texts[name]];
    if (range !== undefined) return [{ sql: range, values: [timeOf(name, text)] }];
    if (number !== undefined) return [{ sql: number, values: [numberOf(name, text)] }];
    return plain === undefined ? [] : [{ sql: plain, values: [text] }];
  });
}

function timeOf(name: string, text: string): number {
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isFinite(at)) throw invalid(name, 'Must be a date in ISO 8601.');
  return at;
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw invalid(name, 'Must have up to 15 digits.');
  return Number(text);
}

export function whole(
  query: URLSearchParams,
  name: string,
  { from, to, otherwise }: { readonly from: number; readonly to: number; readonly otherwise: number },
): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw invalid(name, `Must be from ${from} to ${to}.`);
}
