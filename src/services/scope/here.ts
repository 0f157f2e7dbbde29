import type { Context } from '../context.js';
import { knownCompanies } from './account.js';
import type { AccountCompany } from './scope.js';

/** The companies that this machine knows, by name: the account as it was last listed, and every one of which documents or lists are kept. */
export async function companiesHere(
  context: Pick<Context, 'store' | 'settings' | 'clock'>,
): Promise<readonly AccountCompany[]> {
  const [store, { storeNamespace: space }] = await Promise.all([context.store(), context.settings()]);
  const [known, held, cursors] = await Promise.all([
    knownCompanies(context, space),
    store.documents.companies(space),
    store.overview.cursors(space),
  ]);
  const all = new Map(known.map((company) => [company.id, company]));
  for (const id of [...held, ...cursors.map(({ companyId }) => companyId)])
    if (!all.has(id)) all.set(id, { id, name: undefined, taxNumber: undefined });
  return [...all.values()].toSorted((one, other) => (one.name ?? one.id).localeCompare(other.name ?? other.id));
}
