import type { Given } from '../../cli/command.js';
import type { Client } from '../../client/client.js';
import { cursorRows, numberedRows, firstOf } from '../../client/list-rows.js';
import type { Text } from '../../contract/text.js';
import { type ClockRange, clockRangeOf, isDatedWithin } from '../../domain/document-date.js';
import { documentStates, stateOfStatus } from '../../domain/document-state.js';
import type { JsonNumber } from '../../domain/exact-decimal.js';
import { isNumber } from '../../domain/json-numbers.js';
import type { Outcome } from '../../domain/outcome.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { ExitCode } from '../../errors/exit-code.js';
import { Prose } from '../../domain/prose.js';
import { reasonWords } from '../../errors/reasons.js';
import { statusOfInvoice } from '../../jobs/kinds/invoice-answer.js';
import { eventsOfInvoice } from '../../jobs/kinds/invoice-events.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { issuedReadAt, syncLine } from '../../services/documents/facts.js';
import { documentPages } from '../../services/documents/pages.js';
import { recordOf } from '../../services/documents/record.js';
import { shownDocument } from '../../services/documents/shown.js';
import { readMoment } from '../../services/input/moment.js';
import { issuedGroup, type IssuedModel } from '../../services/issued/book.js';
import { finalityOf, seenInvoice } from '../../services/issued/rows.js';
import { amountIn, ListTotals, type RowState } from '../../services/lists/totals.js';
import { companyOf } from '../../services/scope/companies.js';
import { dateOf } from '../../store/document-dates.js';
import { invoiceOf, modelMissing } from './model.js';
import { documents, goods } from './options.js';
import type { events, list } from './read-commands.js';

/** One list of the service. */
interface ListRequest extends Given<typeof list> {
  readonly model: InvoiceModel;
}

const DEFAULT_LIMIT = 100;
const PAGE = 50;

/**
 * The issued invoices of a company, as a stream, each once, in the order of the service. Filters are applied to the rows read.
 * With `local`, of every model where none is named; exit 3 where no sync of this machine has read the whole list: what is absent
 * proves nothing then. Error: `usage.missing` without a model.
 */
export async function listInvoices(context: Context, given: Given<typeof list>): Promise<Outcome> {
  const everyOne = given.local ? documents : [];
  const models = given.model === undefined ? everyOne : [given.model];
  const requests = models.map((model) => requestOf(given, model));
  const [request] = requests;
  if (request === undefined) throw await modelMissing(context, documents);
  const filter = invoiceFilter(given, context.clock.now());
  const companyId = await companyOf(context);
  const limit = given.all ? Number.POSITIVE_INFINITY : (given.limit ?? DEFAULT_LIMIT);
  if ((await context.settings()).dryRun) return { data: await preview(context, request, companyId) };
  const reading = { given: 0, isCut: false };
  const totals = new ListTotals({ amountOf: invoiceAmount, stateOf: stateOfInvoice, noun: invoicesNoun });
  const unread = given.local ? await unreadNotice(context, requests, companyId) : undefined;
  const client = given.local ? undefined : await context.client();
  const rowsOf = (one: ListRequest): AsyncIterable<unknown> =>
    client === undefined
      ? storedRows(context, one, companyId)
      : listedRows(client, one, { companyId, signal: context.interruption });
  const isFiltered = filter.options.length > 0;
  return {
    data: totals.over(firstOf(matching(requests, rowsOf, filter), limit, reading)),
    exitCode: unread === undefined ? ExitCode.ok : ExitCode.partial,
    get sentence() {
      return unread === undefined ? totals.sentence({ isWhole: !reading.isCut }) : undefined;
    },
    // Known only when the last invoice has been given.
    get notices() {
      const isWhole = request.model !== 'nfse' && request.search === undefined && !isFiltered;
      if (reading.given === 0 && isWhole && !request.local) return [noneIn(request.environment)];
      return [
        ...(request.local ? [unread ?? onlyThisMachine] : []),
        ...(isFiltered && !request.local ? [appliedHere(filter.options)] : []),
        ...(reading.isCut && request.limit === undefined ? [cutAt(limit)] : []),
      ];
    },
  };
}

/** What only other models have does not narrow a list; the typed options were checked. */
function requestOf({ environment, search, ...given }: Given<typeof list>, model: InvoiceModel): ListRequest {
  return {
    ...given,
    model,
    environment: model === 'nfse' ? 'Production' : environment,
    search: model === 'nfe' ? search : undefined,
  };
}

async function* matching(
  requests: readonly ListRequest[],
  rowsOf: (request: ListRequest) => AsyncIterable<unknown>,
  { matches }: InvoiceFilter,
): AsyncGenerator<unknown> {
  for (const request of requests) {
    for await (const row of rowsOf(request)) if (matches(row, request.model)) yield row;
  }
}

/** As `shownDocument` has written it; a row of the service shows a cancellation in its status. */
function stateOfInvoice(row: unknown): RowState {
  const status = statusOfInvoice(row);
  const shown = fieldOf(row, 'state');
  const state = documentStates.find((known) => known === shown) ?? stateOfStatus(status) ?? 'standing';
  if (state !== 'standing') return state;
  const finality = finalityOf(status);
  if (finality === 'issued') return 'standing';
  return finality === 'refused' ? 'not-issued' : 'not-final';
}

interface InvoiceFilter {
  /** The options that are in use. */
  readonly options: readonly string[];
  matches(row: unknown, model: IssuedModel): boolean;
}

/** The lists of issued invoices know none of these conditions. Error: `usage.invalid_value`. */
function invoiceFilter({ since, until, status, text }: Given<typeof list>, now: number): InvoiceFilter {
  const range = clockRangeOf({
    since: since === undefined ? undefined : readMoment('--since', since, now),
    until: until === undefined ? undefined : readMoment('--until', until, now),
  });
  const wanted = text === undefined ? undefined : plain(text);
  const used = { '--since': since, '--until': until, '--status': status, '--text': text };
  return {
    options: Object.entries(used).flatMap(([name, value]) => (value === undefined ? [] : [name])),
    matches: (row, model) =>
      isWithin(row, model, range) &&
      (status === undefined || statusOfInvoice(row)?.toLowerCase() === status.toLowerCase()) &&
      (wanted === undefined || textsOf(row).some((each) => plain(each).includes(wanted))),
  };
}

/** By the time of issue; by that of creation for an invoice that is not issued. Without any, no period holds it. */
function isWithin(row: unknown, model: IssuedModel, range: ClockRange): boolean {
  if (range.since === undefined && range.until === undefined) return true;
  const seen = seenInvoice(model, row);
  return seen !== undefined && isDatedWithin(dateOf(seen), range);
}

/** What a person knows of an invoice: its numbers, its own id, and the buyer or taker. */
function textsOf(row: unknown): readonly string[] {
  const party = fieldOf(row, 'buyer') ?? fieldOf(row, 'borrower');
  const values = [
    ...['id', 'externalId', 'number', 'accessKey', 'description'].map((name) => fieldOf(row, name)),
    fieldOf(fieldOf(row, 'authorization'), 'accessKey'),
    ...['name', 'federalTaxNumber', 'email'].map((name) => fieldOf(party, name)),
  ];
  return values.flatMap((value) => {
    if (typeof value === 'string') return [value];
    return isNumber(value) ? [String(value)] : [];
  });
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The amount of an invoice; `undefined` where no number stands. */
function invoiceAmount(row: unknown): JsonNumber | undefined {
  const total = fieldOf(fieldOf(fieldOf(row, 'totals'), 'icms'), 'invoiceAmount');
  return amountIn(total ?? fieldOf(row, 'servicesAmount'));
}

const STORED_PAGE = 200;

/** What `invoice sync` has stored, newest issue first, with the state of the files. */
async function* storedRows(
  context: Context,
  { model, environment }: ListRequest,
  companyId: string,
): AsyncGenerator<unknown> {
  const { documents } = await context.store();
  const { storeNamespace } = await context.settings();
  const { profile, family } = issuedGroup(storeNamespace, companyId, { model, environment });
  const filter = { profile, companies: [companyId], families: [family], limit: STORED_PAGE };
  for await (const rows of documentPages(documents, filter)) {
    for (const row of rows) {
      const { id, data, state, path, sha256, bytes, signature, reason } = row;
      yield {
        id,
        model,
        ...(isRecord(data) ? data : {}),
        ...shownDocument(recordOf(row)),
        archive: { state, path, sha256, bytes, signature, reason: reason && new Prose(reasonWords(reason)) },
      };
    }
  }
}

/** `undefined`: syncs have read the whole lists. */
async function unreadNotice(
  context: Context,
  requests: readonly ListRequest[],
  companyId: string,
): Promise<Text | undefined> {
  const { storeNamespace } = await context.settings();
  const store = await context.store();
  const readAt = await Promise.all(
    requests.map((list) => issuedReadAt(store, issuedGroup(storeNamespace, companyId, list))),
  );
  if (readAt.every((at) => at !== undefined)) return undefined;
  const sync = await syncLine(context, [companyId], 'invoice sync');
  return {
    en: `no sync of this machine has read this list to its end, so invoices may be missing: ${sync}`,
    pt: `nenhuma sincronização desta máquina leu esta lista até o fim, então podem faltar notas: ${sync}`,
  };
}

/** NF-e and NFC-e behind the last invoice of each page; NFS-e by page number. */
function listedRows(
  client: Client,
  { model, environment, search }: ListRequest,
  { companyId, signal }: { readonly companyId: string; readonly signal: AbortSignal },
): AsyncGenerator<unknown> {
  const path = { companyId };
  if (model === 'nfse') {
    return numberedRows(client, 'nfse.list', { path, query: { pageCount: PAGE }, idField: 'id' }, { signal });
  }
  const query = { environment, q: search, limit: PAGE };
  return cursorRows(client, `${model}.list`, { path, query }, { signal });
}

async function preview(context: Context, { model, environment, search }: ListRequest, companyId: string) {
  const path = { companyId };
  if (model === 'nfse') {
    return await previewOne(context, 'nfse.list', { path, query: { pageIndex: 1, pageCount: PAGE } });
  }
  return await previewOne(context, `${model}.list`, { path, query: { environment, q: search, limit: PAGE } });
}

/** An invoice of the other environment is not in this list. */
function noneIn(environment: ListRequest['environment']): Text {
  const other = environment === 'Test' ? 'Production' : 'Test';
  return {
    en: `none in the environment ${environment}; those of the other: --environment ${other}`,
    pt: `nenhuma no ambiente ${environment}; as do outro: --environment ${other}`,
  };
}

const invoicesNoun = { en: ['# invoice', '# invoices'], pt: ['# nota', '# notas'] } as const;

const onlyThisMachine: Text = {
  en: 'these are the invoices of the last sync on this machine (fiscal invoice sync)',
  pt: 'estas são as notas da última sincronização nesta máquina (fiscal invoice sync)',
};

function appliedHere(options: readonly string[]): Text {
  const names = options.join(', ');
  return {
    en: `${names}: applied here, to the rows of the list; the service is asked for all of them`,
    pt: `${names}: aplicado aqui, às linhas da lista; o serviço envia todas`,
  };
}

function cutAt(limit: number): Text {
  return {
    en: `only the first ${limit} are shown; all of them: --all`,
    pt: `só as primeiras ${limit} são mostradas; todas: --all`,
  };
}

/** The events of an issued NF-e or NFC-e: its cancellation, its corrections, the newest last. Errors: those of `invoiceOf`, `eventsOfInvoice`. */
export async function listInvoiceEvents(context: Context, given: Given<typeof events>): Promise<Outcome> {
  const { model, companyId, id } = await invoiceOf(context, { ...given, command: 'invoice events', models: goods });
  const input = { path: { companyId, invoiceId: id } };
  const operation = `${model}.events` as const;
  if ((await context.settings()).dryRun) return { data: await previewOne(context, operation, input) };
  const client = await context.client();
  return { data: await eventsOfInvoice(client, model, input, { signal: context.interruption }) };
}
