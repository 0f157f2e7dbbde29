import { cursorRows } from '../client/list-rows.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { textField } from '../jobs/kinds/answer-fields.js';
import type { Context } from './context.js';

const PAGE = 50;

/** A company of the account; name and tax number are missing where the account's list does not tell them. */
export interface AccountCompany {
  readonly id: string;
  readonly name: string | undefined;
  readonly taxNumber: string | undefined;
}

/** All companies of the account, or those that are named. Errors: those of a call; `usage.missing` when none is named. */
export async function companiesOf(
  context: Pick<Context, 'client' | 'interruption'>,
  wanted: { readonly all: boolean; readonly ids: readonly string[] },
): Promise<readonly AccountCompany[]> {
  const ids = [...new Set(wanted.ids)];
  if (!wanted.all && ids.length === 0)
    throw new FiscalError('usage.missing', { names: '--company, --all-companies' });
  const known = await listed(context, wanted.all ? undefined : new Set(ids));
  if (wanted.all) return [...known.values()];
  return ids.map((id) => known.get(id) ?? { id, name: undefined, taxNumber: undefined });
}

/** Reads pages until all that are looked for are found. */
async function listed(
  context: Pick<Context, 'client' | 'interruption'>,
  wanted: ReadonlySet<string> | undefined,
): Promise<ReadonlyMap<string, AccountCompany>> {
  const client = await context.client();
  const found = new Map<string, AccountCompany>();
  const input = { path: {}, query: { limit: PAGE } };
  for await (const row of cursorRows(client, 'company.list', input, { signal: context.interruption })) {
    const company = companyIn(row);
    if (company !== undefined && wanted?.has(company.id) !== false) found.set(company.id, company);
    if (wanted !== undefined && found.size === wanted.size) break;
  }
  return found;
}

function companyIn(row: unknown): AccountCompany | undefined {
  const id = textField(row, 'id');
  if (id === undefined) return undefined;
  const taxNumber = (textField(row, 'federalTaxNumber') ?? '').replaceAll(/[^0-9A-Z]/g, '');
  return { id, name: textField(row, 'name'), taxNumber: taxNumber === '' ? undefined : taxNumber };
}
