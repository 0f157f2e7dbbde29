import type { Company } from '../contract/company.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Context } from './context.js';

const PAGE = 50;
/** More companies than any account has: a list that never ends is not followed for ever. */
const MAX_PAGES = 2_000;

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
  let startingAfter: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { limit: PAGE, startingAfter };
    const { body } = await client.call('company.list', { path: {}, query }, { signal: context.interruption });
    const companies = Array.isArray(body?.companies) ? body.companies : [];
    const before = found.size;
    for (const company of companies) keep(company, wanted, found);
    startingAfter = companies.at(-1)?.id;
    const isComplete = wanted !== undefined && found.size === wanted.size;
    const standsStill = wanted === undefined && found.size === before;
    if (isComplete || standsStill || body.hasMore !== true || startingAfter === undefined) return found;
  }
  return found;
}

function keep(
  { id, name, federalTaxNumber }: Partial<Company>,
  wanted: ReadonlySet<string> | undefined,
  found: Map<string, AccountCompany>,
): void {
  if (typeof id !== 'string' || id === '' || wanted?.has(id) === false) return;
  const taxNumber = String(federalTaxNumber ?? '').replaceAll(/[^0-9A-Z]/g, '');
  found.set(id, {
    id,
    name: typeof name === 'string' && name !== '' ? name : undefined,
    taxNumber: taxNumber === '' ? undefined : taxNumber,
  });
}
