import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { companyIn } from '../../services/scope/account.js';
import { idAmong } from '../../services/scope/resolver.js';
import { fetchCompany } from '../../services/fetch-company.js';

/** One company with all its fields as they came. `word`: its id, CNPJ, name or alias. */
export async function getCompany(context: Context, word: string): Promise<Outcome> {
  const companyId = await idAmong(context, word);
  if ((await context.settings()).dryRun) {
    return { data: await previewOne(context, 'company.get', { path: { companyId } }) };
  }
  const data = await fetchCompany(context, companyId);
  const company = companyIn(data);
  if (company?.id === companyId) await (await context.scope()).remember([company]);
  return { data };
}
