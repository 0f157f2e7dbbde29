import type { Client } from '../../client/client.js';
import { cursorRows, numberedRows, firstOf } from '../../client/list-rows.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { eventsOfInvoice } from '../../jobs/kinds/invoice-events.js';
import type { InvoiceModel, MerchandiseModel } from '../../jobs/kinds/invoice-items.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { companyOf } from '../../services/scope/companies.js';

export interface ListRequest {
  readonly model: InvoiceModel;
  /** Needed by the lists of NF-e and NFC-e. */
  readonly environment: 'Production' | 'Test';
  /** A text that the service looks for in NF-e. */
  readonly search: string | undefined;
  readonly limit: number | undefined;
  readonly all: boolean;
}

const DEFAULT_LIMIT = 100;
const PAGE = 50;

/** The issued invoices of a company, as a stream, each once, newest first as the service gives them. */
export async function listInvoices(context: Context, request: ListRequest): Promise<Outcome> {
  const companyId = await companyOf(context);
  const limit = request.all ? Number.POSITIVE_INFINITY : (request.limit ?? DEFAULT_LIMIT);
  if ((await context.settings()).dryRun) return { data: await preview(context, request, companyId) };
  const reading = { given: 0, isCut: false };
  const client = await context.client();
  const rows = listedRows(client, request, { companyId, signal: context.interruption });
  return {
    data: firstOf(rows, limit, reading),
    // Known only when the last invoice has been given.
    get notices() {
      const isWhole = request.model !== 'nfse' && request.search === undefined;
      if (reading.given === 0 && isWhole) return [noneIn(request.environment)];
      return reading.isCut && request.limit === undefined ? [cutAt(limit)] : [];
    },
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

function cutAt(limit: number): Text {
  return {
    en: `only the first ${limit} are shown; all of them: --all`,
    pt: `só as primeiras ${limit} são mostradas; todas: --all`,
  };
}

export interface EventsRequest {
  readonly model: MerchandiseModel;
  readonly id: string;
}

/** The events of an issued NF-e or NFC-e: its cancellation, its corrections, the newest last. Errors: those of `eventsOfInvoice`. */
export async function listInvoiceEvents(context: Context, { model, id }: EventsRequest): Promise<Outcome> {
  const input = { path: { companyId: await companyOf(context), invoiceId: id } };
  const operation = `${model}.events` as const;
  if ((await context.settings()).dryRun) return { data: await previewOne(context, operation, input) };
  const client = await context.client();
  return { data: await eventsOfInvoice(client, model, input, { signal: context.interruption }) };
}
