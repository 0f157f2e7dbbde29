import type { ServiceInvoice } from '../../contract/invoice-service.js';
import type { Invoice, IssuedEvent, MerchandiseInvoice } from '../../contract/invoice.js';
import { cursorLimit, pageIndex, queryTime, wholeIn } from '../core/checks.js';
import type { Core } from '../core/core.js';
import { exactNumber, textOf } from '../core/exact-json.js';
import type { StoredIssuedEvent } from '../core/records.js';
import { Refusal, invalid } from '../core/refusal.js';
import type { InvoiceFilter, Place, StoredInvoice } from './invoices.js';
import { environments } from './read-invoice.js';

/**
 * An NF-e or NFC-e as a read returns it: the body that was sent, then the fields of the service. Fields without a
 * value are absent.
 */
export function showMerchandise(invoice: StoredInvoice): MerchandiseInvoice {
  return {
    ...invoice.content,
    id: invoice.id,
    ...given('externalId', invoice.externalId),
    status: invoice.status,
    environment: invoice.environment,
    environmentType: invoice.environment,
    ...given('serie', invoice.serie),
    ...given('number', invoice.number),
    totals: { icms: { invoiceAmount: exactNumber(invoice.totalAmount) } },
    ...authorizationOf(invoice),
    ...given('errorCode', invoice.errorCode),
    ...given('errorMessage', invoice.errorMessage),
    ...timesOf(invoice),
  };
}

/** `status` by `flowStatus` (public). */
const serviceStatuses: Readonly<Record<string, string>> = {
  Issued: 'Issued',
  IssueFailed: 'Error',
  Cancelled: 'Cancelled',
  CancelFailed: 'Issued',
  WaitingSendCancel: 'Issued',
};

export function showService(invoice: StoredInvoice): ServiceInvoice {
  const { accessKey, number, errorCode, errorMessage, content } = invoice;
  return {
    ...content,
    id: invoice.id,
    ...given('externalId', invoice.externalId),
    environment: invoice.environment,
    flowStatus: invoice.status,
    ...(errorMessage === null ? {} : { flowMessage: [errorCode, errorMessage].filter(Boolean).join(': ') }),
    status: serviceStatuses[invoice.status] ?? 'Created',
    ...given('number', number),
    ...given('accessKey', accessKey),
    ...given('checkCode', accessKey === null ? null : accessKey.slice(-9)),
    rpsSerialNumber: textOf(content['rpsSerialNumber']) ?? '1',
    // The service uses the city's number as RPS number if the body has none.
    ...given('rpsNumber', content['rpsNumber'] ?? number),
    ...timesOf(invoice),
  };
}

/** The short form; every field except `id` is assumed. */
export function showGeneral(invoice: StoredInvoice): Invoice {
  return {
    ...invoice.content,
    id: invoice.id,
    status: invoice.status,
    ...given('numero', invoice.number),
    ...given('chaveAcesso', invoice.accessKey),
    ...given('protocolo', invoice.protocol),
    valorTotal: invoice.totalAmount,
    ...given('errorCode', invoice.errorCode),
    ...given('errorMessage', invoice.errorMessage),
    ...timesOf(invoice),
  };
}

const eventNames = { Cancellation: 'Cancelamento', CorrectionLetter: 'Carta de Correção' } as const;

/** A page of the events of an invoice: `startingAfter` is the index of the last row before it, from 0 (public). */
export function eventPage(query: URLSearchParams, events: readonly StoredIssuedEvent[]): object {
  const limit = cursorLimit(query);
  const before = wholeIn(query, 'startingAfter', { from: -1, to: 1_000_000, otherwise: -1 });
  const rest = events.slice(before + 1);
  return { events: rest.slice(0, limit).map(showIssuedEvent), hasMore: rest.length > limit };
}

function showIssuedEvent(event: StoredIssuedEvent): IssuedEvent {
  return {
    type: event.type,
    sequence: event.sequence,
    data: {
      description: eventNames[event.type],
      status: event.status,
      ...given('protocol', event.protocol),
      ...given('reason', event.reason),
      ...given('errorCode', event.errorCode),
      ...given('errorMessage', event.errorMessage),
      createdOn: isoOf(event.createdAt),
    },
  };
}

function authorizationOf({ accessKey, protocol, issuedAt }: StoredInvoice): object {
  if (accessKey === null || issuedAt === null) return {};
  const authorization = { accessKey, ...given('protocol', protocol), receiptOn: isoOf(issuedAt) };
  return { authorization: { ...authorization, message: 'Autorizado o uso' } };
}

function timesOf({ createdAt, modifiedAt, issuedAt, cancelledAt }: StoredInvoice): object {
  return {
    createdOn: isoOf(createdAt),
    modifiedOn: isoOf(modifiedAt),
    ...given('issuedOn', issuedAt === null ? null : isoOf(issuedAt)),
    ...given('cancelledOn', cancelledAt === null ? null : isoOf(cancelledAt)),
  };
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}

function given(name: string, value: unknown): object {
  return value === null || value === undefined ? {} : { [name]: value };
}

/** The invoice of this kind and company; throws 404 otherwise. */
export function requireInvoice(
  invoice: StoredInvoice | undefined,
  { companyId, kind }: Pick<StoredInvoice, 'companyId' | 'kind'>,
): StoredInvoice {
  if (invoice?.companyId === companyId && invoice.kind === kind) return invoice;
  throw new Refusal('not_found', 'There is no invoice with this id.');
}

const mostOnPage = 50;
const names = { nfe: 'productInvoices', nfce: 'consumerInvoices' } as const;

/**
 * The list by cursor: `environment` required, `startingAfter` or `endingBefore` an id, `limit` 1 to 50 (public; the
 * bounds assumed).
 */
export function cursorList(
  core: Core,
  query: URLSearchParams,
  { companyId, kind }: { readonly companyId: string; readonly kind: 'nfe' | 'nfce' },
): object {
  const environment = environments.find((each) => each === query.get('environment'));
  if (environment === undefined) {
    throw invalid('environment', `Is required: one of ${environments.join(', ')}.`);
  }
  const limit = cursorLimit(query);
  const search = query.get('q');
  const asked = { companyId, kind, environment, ...(search === null ? {} : { search }) };
  const filter: InvoiceFilter = { ...asked, order: orderOf(core) };
  const before = placeNamed(core, query, { filter, name: 'endingBefore' });
  const after = placeNamed(core, query, { filter, name: 'startingAfter' });
  if (before !== undefined && after !== undefined) {
    throw invalid('endingBefore', 'Cannot be given together with startingAfter.');
  }
  if (after !== undefined) changeLast(core, filter);
  const { shown, hasMore } =
    before === undefined
      ? following(core.invoicePages.after(filter, after, limit + 1), limit)
      : preceding(core.invoicePages.before(filter, before, limit + 1), limit);
  const rowBefore = core.invoices.get(query.get('startingAfter') ?? '');
  const rows = faultyRows(core, { rows: shown, rowBefore }, { filter, limit });
  const isEndless = core.behaviour.listHostility() !== undefined;
  return { [names[kind]]: rows.map(showMerchandise), hasMore: hasMore || isEndless };
}

interface Page {
  readonly shown: readonly StoredInvoice[];
  readonly hasMore: boolean;
}

/** Reads one extra row, to know whether there are more. */
function following(found: readonly StoredInvoice[], limit: number): Page {
  return { shown: found.slice(0, limit), hasMore: found.length > limit };
}

function preceding(found: readonly StoredInvoice[], limit: number): Page {
  return { shown: found.slice(-limit), hasMore: found.length > limit };
}

function placeNamed(
  core: Core,
  query: URLSearchParams,
  { filter, name }: { readonly filter: InvoiceFilter; readonly name: string },
): Place | undefined {
  const id = query.get(name);
  if (id === null || id === '') return undefined;
  const place = core.invoicePages.placeOf(filter, id);
  if (place === undefined) throw invalid(name, 'Must be the id of an invoice of this company.');
  return place;
}

/**
 * The list by page number: `pageIndex` from 1, `pageCount` 1 to 50, times of creation and issue, `hasTotals`
 * (public).
 */
export function pageList(core: Core, query: URLSearchParams, companyId: string): object {
  const page = pageIndex(query);
  const size = wholeIn(query, 'pageCount', { from: 1, to: mostOnPage, otherwise: mostOnPage });
  const filter: InvoiceFilter = {
    companyId,
    kind: 'nfse',
    order: orderOf(core),
    ...timeField(query, 'createdBegin', 'createdFrom'),
    ...timeField(query, 'createdEnd', 'createdTo'),
    ...timeField(query, 'issuedBegin', 'issuedFrom'),
    ...timeField(query, 'issuedEnd', 'issuedTo'),
  };
  if (page > 1) changeLast(core, filter);
  const skip = (page - 1) * size;
  const found = core.invoicePages.page(filter, skip, size);
  const [rowBefore] = page > 1 ? core.invoicePages.page(filter, skip - 1, 1) : [];
  const invoices = faultyRows(core, { rows: found, rowBefore }, { filter, limit: size });
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
  return { [field]: queryTime(name, text) };
}

/** The order of the lists of issued invoices: no order is published. */
export function orderOf({ behaviour }: Core): 'created' | 'changed' {
  return behaviour.pageFaults().byChange ? 'changed' : 'created';
}

/** Before a page that is not the first, the last invoice of the list changes, if that is configured. */
export function changeLast(core: Core, filter: InvoiceFilter): void {
  const { behaviour, clock, invoicePages, invoices } = core;
  if (!behaviour.pageFaults().stirred) return;
  const [last] = invoicePages.page(filter, Math.max(0, invoicePages.count(filter) - 1), 1);
  const [first] = invoicePages.page({ ...filter, order: 'changed' }, 0, 1);
  if (last === undefined || first === undefined) return;
  invoices.change(last.id, { modifiedAt: Math.max(clock.now(), first.modifiedAt + 1) });
}

interface GivenPage {
  readonly rows: readonly StoredInvoice[];
  /** The last row of the page before it. */
  readonly rowBefore: StoredInvoice | undefined;
}

/** The rows as a page gives them: with a row twice, in reverse order, or from the beginning of a list without an end. */
export function faultyRows(
  { behaviour, invoicePages }: Core,
  { rows, rowBefore }: GivenPage,
  { filter, limit }: { readonly filter: InvoiceFilter; readonly limit: number },
): readonly StoredInvoice[] {
  const { doubled, reordered } = behaviour.pageFaults();
  const hostility = behaviour.listHostility();
  const isFirstAgain = hostility === 'self-link' || (hostility === 'endless-list' && rows.length === 0);
  const shown = isFirstAgain ? invoicePages.page(filter, 0, limit) : rows;
  const all = doubled && rowBefore !== undefined ? [rowBefore, ...shown] : shown;
  return reordered ? all.toReversed() : all;
}
