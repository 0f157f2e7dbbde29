import type { Context } from '../context.js';
import { companiesOf, type AccountCompany } from '../companies.js';

/** The companies that are meant: those of `--company`, one or several with commas, or all of the account. */
export async function chosenCompanies(
  context: Context,
  { all }: { readonly all: boolean },
): Promise<readonly AccountCompany[]> {
  const settings = await context.settings();
  if (settings.profile === undefined) await (await context.config()).credential('invoice', settings);
  return await companiesOf(context, { all, ids: companyIds(settings.company) });
}

export function companyIds(text: string | undefined): readonly string[] {
  const ids = (text ?? '').split(',').map((id) => id.trim());
  return [...new Set(ids)].filter((id) => id !== '');
}
