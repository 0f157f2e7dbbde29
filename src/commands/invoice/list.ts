import type { Client } from '../../client/client.js';
import { cursorRows, numberedRows, firstOf } from '../../client/list-rows.js';
import type { Text } from '../../contract/text.js';
import { documentStates, stateOfStatus } from '../../domain/document-state.js';
import type { Outcome } from '../../domain/outcome.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { ExitCode } from '../../errors/exit-code.js';
import { statusOfInvoice } from '../../jobs/kinds/invoice-answer.js';
import { eventsOfInvoice } from '../../jobs/kinds/invoice-events.js';
import type { InvoiceModel, MerchandiseModel } from '../../jobs/kinds/invoice-items.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { issuedReadAt, syncLine } from '../../services/documents/facts.js';
import { documentPages } from '../../services/documents/pages.js';
import { recordOf } from '../../services/documents/record.js';
import { shownDocument } from '../../services/documents/shown.js';
import { issuedGroup } from '../../services/issued/book.js';
import { finalityOf } from '../../services/issued/rows.js';
import { ListTotals, type RowState } from '../../services/lists/totals.js';
import { companyOf } from '../../services/scope/companies.js';
import { type FilterWords, invoiceAmount, type InvoiceFilter, invoiceFilter } from './list-filter.js';
import { invoiceOf, modelMissing } from './model.js';
import { documents, goods } from './options.js';

interface ListWords extends FilterWords {
  readonly model: InvoiceModel | undefined;
  /** Needed by the lists of NF-e and NFC-e. */
  readonly environment: 'Production' | 'Test';
  /** A text that the service looks for in NF-e. */
  readonly search: string | undefined;
  readonly limit: number | undefined;
  readonly all: boolean;
  /** Only what this machine knows from `invoice sync`. */
  readonly local: boolean;
}

/** One list of the service. */
interface ListRequest extends ListWords {
  readonly model: InvoiceModel;
}

const DEFAULT_LIMIT = 100;
const PAGE = 50;

/**
 * The issued invoices of a company, as a stream, each once, in the order of the service. Filters are applied to the rows read.
 * With `local`, of every model where none is named; exit 3 where no sync of this machine has read the whole list: what is absent
 * proves nothing then. Error: `usage.missing` without a model.
 */
export async function listInvoices(context: Context, words: ListWords): Promise<Outcome> {
  const everyOne = words.local ? documents : [];
  const models = words.model === undefined ? everyOne : [words.model];
  const requests = models.map((model) => requestOf(words, model));
  const [request] = requests;
  if (request === undefined) throw await modelMissing(context, documents);
  const filter = invoiceFilter(words, context.clock.now());
  const companyId = await companyOf(context);
  const limit = words.all ? Number.POSITIVE_INFINITY : (words.limit ?? DEFAULT_LIMIT);
  if ((await context.settings()).dryRun) return { data: await preview(context, request, companyId) };
  const reading = { given: 0, isCut: false };
  const totals = new ListTotals({ amountOf: invoiceAmount, stateOf: stateOfInvoice, noun: invoicesNoun });
  const unread = words.local ? await unreadNotice(context, requests, companyId) : undefined;
  const client = words.local ? undefined : await context.client();
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
function requestOf({ environment, search, ...words }: ListWords, model: InvoiceModel): ListRequest {
  return {
    ...words,
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
        archive: { state, path, sha256, bytes, signature, reason },
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
export async function listInvoiceEvents(
  context: Context,
  named: { readonly model: MerchandiseModel | undefined; readonly id: string },
): Promise<Outcome> {
  const { model, companyId, id } = await invoiceOf(context, {
    ...named,
    command: 'invoice events',
    models: goods,
  });
  const input = { path: { companyId, invoiceId: id } };
  const operation = `${model}.events` as const;
  if ((await context.settings()).dryRun) return { data: await previewOne(context, operation, input) };
  const client = await context.client();
  return { data: await eventsOfInvoice(client, model, input, { signal: context.interruption }) };
}
