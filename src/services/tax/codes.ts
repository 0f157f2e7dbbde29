import { taxCodeLists } from '../../contract/tax.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { listField, textField } from '../../jobs/kinds/answer-fields.js';
import type { Context } from '../context.js';
import { previewOne } from '../preview.js';

const PAGE = 50;
const MAX_PAGES = 1_000;

/** All codes of one list of the engine (paths public), page by page. Errors: `usage.invalid_value`, `service.unreadable`. */
export async function listTaxCodes(context: Context, name: string): Promise<Outcome> {
  const list = taxCodeLists.find((each) => each === name.toLowerCase());
  if (list === undefined) throw noList(name);
  if ((await context.settings()).dryRun) {
    const query = { pageIndex: 1, pageCount: PAGE };
    return { data: await previewOne(context, 'tax.codes', { path: { list }, query }) };
  }
  return { data: codesOf(context, list) };
}

async function* codesOf(context: Context, list: string): AsyncGenerator<unknown> {
  const client = await context.client();
  const seen = new Set<string>();
  for (let pageIndex = 1; pageIndex <= MAX_PAGES; pageIndex += 1) {
    const input = { path: { list }, query: { pageIndex, pageCount: PAGE } };
    const { body } = await client.call('tax.codes', input, { signal: context.interruption });
    const items = listField(body, 'items');
    if (items === undefined) throw unreadable();
    const fresh = items.filter((item) => !seen.has(textField(item, 'code') ?? ''));
    for (const item of fresh) seen.add(textField(item, 'code') ?? '');
    yield* fresh;
    // A deployment that does not page gives the same page for ever.
    if (fresh.length === 0 || pageIndex >= Number(textField(body, 'totalPages') ?? 1)) return;
  }
}

function noList(value: string): FiscalError {
  const names = taxCodeLists.join(', ');
  const expected: Text = { en: `one of ${names} is expected`, pt: `espera-se um destes: ${names}` };
  return invalidValue('LIST', value, expected);
}

function unreadable(): FiscalError {
  const reason: Text = { en: 'it is not a list of codes', pt: 'não é uma lista de códigos' };
  const operation = 'tax.codes';
  return new FiscalError(
    'service.unreadable',
    { operation, status: 200, reason },
    { operation, sent: 'yes' },
  );
}
