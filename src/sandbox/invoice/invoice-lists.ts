import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import { whole } from '../inbound/nfse-page.js';
import type { InvoiceFilter } from './invoice-pages.js';
import type { StoredInvoice } from './invoices.js';
import { environments } from './read-merchandise.js';
import { showMerchandise, showService } from './show-invoice.js';

const mostOnPage = 50;
const usualOnPage = 10;
const names = { nfe: 'productInvoices', nfce: 'consumerInvoices' } as const;

/** By cursor: `environment` required, `startingAfter` or `endingBefore` an id, `limit` 1 to 50 (public; the bounds assumed). */
export function cursorList(
  core: Core,
  query: URLSearchParams,
  { companyId, kind }: { readonly companyId: string; readonly kind: 'nfe' | 'nfce' },
): object {
  const environment = environments.find((each) => each === query.get('environment'));
  if (environment === undefined) {
    throw invalid('environment', `Is required: one of ${environments.join(', ')}.`);
  }
  const limit = whole(query, 'limit', { from: 1, to: mostOnPage, otherwise: usualOnPage });
  const filter = { companyId, kind, environment };
  const before = positionNamed(core, query, { filter, name: 'endingBefore' });
  const after = positionNamed(core, query, { filter, name: 'startingAfter' });
  if (before !== undefined && after !== undefined) {
    throw invalid('endingBefore', 'Cannot be given together with startingAfter.');
  }
  const { shown, hasMore } =
    before === undefined
      ? following(core.invoicePages.after(filter, after, limit + 1), limit)
      : preceding(core.invoicePages.before(filter, before, limit + 1), limit);
  return { [names[kind]]: shown.map(showMerchandise), hasMore };
}

interface Page {
  readonly shown: readonly StoredInvoice[];
  readonly hasMore: boolean;
}

/** One more than asked for is read, to know whether there are more. */
function following(found: readonly StoredInvoice[], limit: number): Page {
  return { shown: found.slice(0, limit), hasMore: found.length > limit };
}

function preceding(found: readonly StoredInvoice[], limit: number): Page {
  return { shown: found.slice(-limit), hasMore: found.length > limit };
}

function positionNamed(
  core: Core,
  query: URLSearchParams,
  { filter, name }: { readonly filter: InvoiceFilter; readonly name: string },
): number | undefined {
  const id = query.get(name);
  if (id === null || id === '') return undefined;
  const position = core.invoicePages.positionOf(filter, id);
  if (position === undefined) throw invalid(name, 'Must be the id of an invoice of this company.');
  return position;
}

/** By page number: `pageIndex` from 1, `pageCount` 1 to 50, times of creation and issue, `hasTotals` (public). */
export function pageList(core: Core, query: URLSearchParams, companyId: string): object {
  const page = whole(query, 'pageIndex', { from: 1, to: 1_000_000, otherwise: 1 });
  const size = whole(query, 'pageCount', { from: 1, to: mostOnPage, otherwise: mostOnPage });
  const filter: InvoiceFilter = {
    companyId,
    kind: 'nfse',
    ...timeField(query, 'createdBegin', 'createdFrom'),
    ...timeField(query, 'createdEnd', 'createdTo'),
    ...timeField(query, 'issuedBegin', 'issuedFrom'),
    ...timeField(query, 'issuedEnd', 'issuedTo'),
  };
  const invoices = core.invoicePages.page(filter, (page - 1) * size, size);
  return {
    ...totals(core, filter, query.get('hasTotals') === 'true' ? size : undefined),
    page,
    serviceInvoices: invoices.map(showService),
  };
}

function totals(core: Core, filter: InvoiceFilter, size: number | undefined): object {
  if (size === undefined) return {};
  const totalResults = core.invoicePages.count(filter);
  return { totalResults, totalPages: Math.ceil(totalResults / size) };
}

function timeField(query: URLSearchParams, name: string, field: keyof InvoiceFilter): object {
  const text = query.get(name);
  if (text === null) return {};
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isFinite(at)) throw invalid(name, 'Must be a date in ISO 8601.');
  return { [field]: at };
}
