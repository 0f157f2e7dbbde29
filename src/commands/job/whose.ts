import type { Text } from '../../contract/text.js';
import type { Context } from '../../services/context.js';
import { companyNamed } from '../../services/scope/text.js';
import type { JobRow } from '../../store/store.js';

/** Whose job it is, for a question: `company Padaria Sol Ltda, … (5a0d…), profile acme`; the profile alone for several companies. */
export async function whoseJob(
  context: Context,
  { scope, profile }: Pick<JobRow, 'scope' | 'profile'>,
): Promise<Text> {
  const { companyId = '', tenantId = '' } = scope;
  const en = `profile ${profile}`;
  const pt = `perfil ${profile}`;
  if (companyId !== '') {
    const company = await companyNamed(context, companyId);
    return { en: `company ${company}, ${en}`, pt: `empresa ${company}, ${pt}` };
  }
  return tenantId === '' ? { en, pt } : { en: `tenant ${tenantId}, ${en}`, pt: `tenant ${tenantId}, ${pt}` };
}
