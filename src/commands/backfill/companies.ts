import type { Context } from '../../services/context.js';
import { companiesOf } from '../../services/companies.js';
import type { AccountCompany } from '../../services/scope/scope.js';

/** The companies that are meant: those of `--company`, one or several with commas, or all of the account. */
export async function chosenCompanies(
  context: Context,
  { all }: { readonly all: boolean },
): Promise<readonly AccountCompany[]> {
  return await companiesOf(context, { all });
}

export function companyIds(text: string | undefined): readonly string[] {
  const ids = (text ?? '').split(',').map((id) => id.trim());
  return [...new Set(ids)].filter((id) => id !== '');
}
