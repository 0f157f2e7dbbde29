import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { listField, textField } from '../../jobs/kinds/answer-fields.js';
import type { Context } from '../context.js';
import { firstOf } from '../first-of.js';
import { previewOne } from '../preview.js';

export interface ListRequest {
  readonly limit: number | undefined;
  readonly all: boolean;
}

const DEFAULT_LIMIT = 100;
const PAGE = 50;
const MAX_PAGES = 20_000;

/** The companies of the account, as a stream in the order of the service, each once. Error: `service.unreadable`. */
export async function listCompanies(context: Context, request: ListRequest): Promise<Outcome> {
  const limit = request.all ? Number.POSITIVE_INFINITY : (request.limit ?? DEFAULT_LIMIT);
  if ((await context.settings()).dryRun) {
    return { data: await previewOne(context, 'company.list', { path: {}, query: { limit: pageOf(limit) } }) };
  }
  const reading = { given: 0, isCut: false };
  return {
    data: firstOf(companiesOf(context, limit), limit, reading),
    // Known only when the last company has been given.
    get notices() {
      return reading.isCut && request.limit === undefined ? [cutAt(limit)] : [];
    },
  };
}

/** Each page begins behind the last company of the one before. */
async function* companiesOf(context: Context, limit: number): AsyncGenerator<unknown> {
  const client = await context.client();
  const seen = new Set<string>();
  let startingAfter: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { limit: pageOf(limit), startingAfter };
    const { body } = await client.call('company.list', { path: {}, query }, { signal: context.interruption });
    const companies = listField(body, 'companies');
    if (companies === undefined) throw broken(noList);
    yield* companies.filter((company) => isNew(company, seen));
    const last = textField(companies.at(-1), 'id');
    if (last === undefined || body.hasMore !== true) return;
    if (last === startingAfter) throw broken(itself);
    startingAfter = last;
  }
}

/** One more than wanted tells whether the list is cut. */
function pageOf(limit: number): number {
  return Math.min(PAGE, limit + 1);
}

function isNew(company: unknown, seen: Set<string>): boolean {
  const id = textField(company, 'id');
  if (id === undefined) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return true;
}

function broken(reason: Text): FiscalError {
  const facts = { operation: 'company.list', httpStatus: 200, sent: 'yes', retryable: false } as const;
  return new FiscalError('service.unreadable', { operation: facts.operation, status: 200, reason }, facts);
}

const noList: Text = { en: 'it is not a list of companies', pt: 'não é uma lista de empresas' };
const itself: Text = { en: 'its next page is the same page', pt: 'a próxima página é a mesma' };

function cutAt(limit: number): Text {
  return {
    en: `only the first ${limit} are shown; all of them: --all`,
    pt: `só as primeiras ${limit} são mostradas; todas: --all`,
  };
}
