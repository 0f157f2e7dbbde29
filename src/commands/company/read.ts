import type { Given } from '../../cli/command.js';
import type { get, list } from './commands.js';
import { cursorRows, firstOf } from '../../client/list-rows.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import type { Context } from '../../services/context.js';
import { shownCompany } from '../../jobs/resources/read-company.js';
import { companyIn, fetchCompany } from '../../services/scope/account.js';
import { previewOne } from '../../services/calls/one-call.js';
import { idAmong } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';

const DEFAULT_LIMIT = 100;
const PAGE = 50;

/** The companies of the account, as a stream in the order of the service, each once. Error: `service.list_cut`. */
export async function listCompanies(context: Context, given: Given<typeof list>): Promise<Outcome> {
  const limit = given.all ? Number.POSITIVE_INFINITY : (given.limit ?? DEFAULT_LIMIT);
  if ((await context.settings()).dryRun) {
    return { data: await previewOne(context, 'company.list', { path: {}, query: { limit: pageOf(limit) } }) };
  }
  const reading = { given: 0, isCut: false };
  const client = await context.client();
  const input = { path: {}, query: { limit: pageOf(limit) } };
  const rows = cursorRows(client, 'company.list', input, { signal: context.interruption });
  return {
    data: firstOf(remembered(context, rows), limit, reading),
    // Known only after the last company.
    get notices() {
      return reading.isCut && given.limit === undefined ? [cutAt(limit)] : [];
    },
  };
}

/** Keeps the companies for later commands, a page at a time. */
async function* remembered(context: Context, rows: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  const scope = await context.scope();
  const { aliases } = await context.settings();
  const companies: AccountCompany[] = [];
  try {
    for await (const row of rows) {
      const company = companyIn(row);
      if (company !== undefined) companies.push(company);
      if (companies.length === PAGE) await scope.remember(companies.splice(0));
      const alias = Object.keys(aliases).filter((word) => aliases[word] === company?.id);
      const shown = isRecord(row) ? shownCompany(row) : row;
      yield alias.length === 0 || !isRecord(shown) ? shown : { ...shown, alias: alias.join(', ') };
    }
  } finally {
    await scope.remember(companies);
  }
}

/** Reads one more than requested, to know whether the list is cut. */
function pageOf(limit: number): number {
  return Math.min(PAGE, limit + 1);
}

function cutAt(limit: number): Text {
  return {
    en: `only the first ${limit} are shown; all of them: --all`,
    pt: `só as primeiras ${limit} são mostradas; todas: --all`,
  };
}

/** One company with all its fields. */
export async function getCompany(context: Context, given: Given<typeof get>): Promise<Outcome> {
  const companyId = await idAmong(context, given.companyId);
  if ((await context.settings()).dryRun) {
    return { data: await previewOne(context, 'company.get', { path: { companyId } }) };
  }
  const data = await fetchCompany(context, companyId);
  const company = companyIn(data);
  if (company?.id === companyId) await (await context.scope()).remember([company]);
  return { data: shownCompany(data) };
}
