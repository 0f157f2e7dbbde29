import type { Text } from '../../contract/text.js';
import type { ConsentRequest, Context } from '../../services/context.js';
import { companyIds } from './companies.js';

export interface SweepQuestion {
  readonly what: Text;
  readonly ids: readonly string[];
  readonly given: string | undefined;
  /** Of a reviewed plan: it stands for the set of companies. */
  readonly planId?: string | undefined;
}

/**
 * What changes a whole history is confirmed by naming exactly the companies, in any order, or the plan. Errors:
 * `usage.confirmation_required`, `usage.invalid_value`, `usage.declined`.
 */
export async function confirmCompanies(context: Context, question: SweepQuestion): Promise<void> {
  const { what, ids, given, planId } = question;
  await context.consent({
    what,
    confirmWith: planId === undefined ? named(ids, given) : { value: planId, given },
  });
}

function named(
  ids: readonly string[],
  given: string | undefined,
): NonNullable<ConsentRequest['confirmWith']> {
  const inOrder = (some: readonly string[]) => some.toSorted().join(',');
  return { value: inOrder(ids), given: given === undefined ? undefined : inOrder(companyIds(given)) };
}
