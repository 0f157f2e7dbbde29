import type { Given } from '../../cli/command.js';
import { numberedRows } from '../../client/list-rows.js';
import { taxCodeLists } from '../../contract/tax.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import type { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import type { codes } from './commands.js';

const PAGE = 50;

/** All codes of one list of the engine (paths public), page by page. Errors: `usage.invalid_value`, `service.list_cut`. */
export async function listTaxCodes(context: Context, given: Given<typeof codes>): Promise<Outcome> {
  const list = taxCodeLists.find((each) => each === given.list.toLowerCase());
  if (list === undefined) throw noList(given.list);
  if ((await context.settings()).dryRun) {
    const query = { pageIndex: 1, pageCount: PAGE };
    return { data: await previewOne(context, 'tax.codes', { path: { list }, query }) };
  }
  return { data: codesOf(context, list) };
}

async function* codesOf(context: Context, list: string): AsyncGenerator<unknown> {
  const client = await context.client();
  const input = { path: { list }, query: { pageCount: PAGE } };
  yield* numberedRows(client, 'tax.codes', input, { signal: context.interruption });
}

function noList(value: string): FiscalError {
  const names = taxCodeLists.join(', ');
  const expected: Text = { en: `one of ${names} is expected`, pt: `espera-se um destes: ${names}` };
  return invalidValue('LIST', value, expected);
}
