import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { listField, textField } from '../../jobs/kinds/answer-fields.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';
import { firstOf } from '../first-of.js';
import { previewOne } from '../preview.js';
import { companyOf } from '../read-company.js';

export interface ListRequest {
  readonly model: InvoiceModel;
  /** Needed by the lists of NF-e and NFC-e. */
  readonly environment: 'Production' | 'Test';
  readonly limit: number | undefined;
  readonly all: boolean;
}

const DEFAULT_LIMIT = 100;
const PAGE = 50;
const MAX_PAGES = 20_000;
const MAX_RECENT = 50_000;

/** The issued invoices of a company, as a stream, each once, newest first as the service gives them. */
export async function listInvoices(context: Context, request: ListRequest): Promise<Outcome> {
  const companyId = await companyOf(context);
  const limit = request.all ? Number.POSITIVE_INFINITY : (request.limit ?? DEFAULT_LIMIT);
  if ((await context.settings()).dryRun) return { data: await preview(context, request, companyId) };
  const reading = { given: 0, isCut: false };
  return {
    data: firstOf(rowsOf(context, request, companyId), limit, reading),
    // Known only when the last invoice has been given.
    get notices() {
      if (reading.given === 0 && request.model !== 'nfse') return [noneIn(request.environment)];
      return reading.isCut && request.limit === undefined ? [cutAt(limit)] : [];
    },
  };
}

async function* rowsOf(context: Context, request: ListRequest, companyId: string): AsyncGenerator<unknown> {
  const seen = new Set<string>();
  const pages =
    request.model === 'nfse' ? numbered(context, companyId) : followed(context, request, companyId);
  for await (const rows of pages) {
    for (const row of rows) {
      const id = textField(row, 'id');
      // An invoice that is issued meanwhile pushes others to a later page, where they come twice.
      if (id !== undefined && seen.has(id)) continue;
      if (id !== undefined) remember(seen, id);
      yield row;
    }
  }
}

/** Doubles stand near each other, so memory stays flat. */
function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  for (const oldest of seen) {
    if (seen.size <= MAX_RECENT) return;
    seen.delete(oldest);
  }
}

/** NF-e and NFC-e: each page begins behind the last invoice of the one before. */
async function* followed(
  context: Context,
  { model, environment }: ListRequest,
  companyId: string,
): AsyncGenerator<readonly unknown[]> {
  const client = await context.client();
  const operation = model === 'nfce' ? 'nfce.list' : 'nfe.list';
  let startingAfter: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const input = { path: { companyId }, query: { environment, limit: PAGE, startingAfter } };
    const { body } = await client.call(operation, input, { signal: context.interruption });
    const rows = listField(body, 'productInvoices') ?? listField(body, 'consumerInvoices');
    if (rows === undefined) throw broken(operation, noList);
    yield rows;
    const last = textField(rows.at(-1), 'id');
    if (last === undefined || !hasMore(body)) return;
    if (last === startingAfter) throw broken(operation, itself);
    startingAfter = last;
  }
}

/** NFS-e: by page number, from 1, to the first page that is empty. */
async function* numbered(context: Context, companyId: string): AsyncGenerator<readonly unknown[]> {
  const client = await context.client();
  for (let pageIndex = 1; pageIndex <= MAX_PAGES; pageIndex += 1) {
    const input = { path: { companyId }, query: { pageIndex, pageCount: PAGE } };
    const { body } = await client.call('nfse.list', input, { signal: context.interruption });
    const rows = listField(body, 'serviceInvoices');
    if (rows === undefined) throw broken('nfse.list', noList);
    if (rows.length === 0) return;
    yield rows;
    if (pageIndex >= Number(textField(body, 'totalPages') ?? Number.POSITIVE_INFINITY)) return;
  }
}

async function preview(context: Context, { model, environment }: ListRequest, companyId: string) {
  const path = { companyId };
  if (model === 'nfse') {
    return await previewOne(context, 'nfse.list', { path, query: { pageIndex: 1, pageCount: PAGE } });
  }
  return await previewOne(context, `${model}.list`, { path, query: { environment, limit: PAGE } });
}

function hasMore(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'hasMore' in body && body.hasMore === true;
}

function broken(operation: string, reason: Text): FiscalError {
  const facts = { operation, httpStatus: 200, sent: 'yes', retryable: false } as const;
  return new FiscalError('service.unreadable', { operation, status: 200, reason }, facts);
}

const noList: Text = { en: 'it is not a list of invoices', pt: 'não é uma lista de notas' };
const itself: Text = { en: 'its next page is the same page', pt: 'a próxima página é a mesma' };

/** An invoice that was issued in the other environment is looked for here in vain. */
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
