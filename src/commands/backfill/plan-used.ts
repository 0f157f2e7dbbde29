import { formatUtc } from '../../domain/dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { requestOf } from '../../jobs/kinds/backfill-release.js';
import type { Context } from '../../services/context.js';
import type { ItemRow, KnownRow } from '../../store/store.js';
import type { CompanySummary } from './companies.js';
import { newPlan, type Proposal } from './plan-file.js';

/** The rows of plans that were released, by their fingerprints, so that an approval counts once. */
const usedRows = { kind: 'backfill-plan-row', scope: '' } as const;

/** Notes the rows whose release was in force, also where somebody has reversed it since. */
export async function noteUsed(context: Context, items: readonly ItemRow[]): Promise<void> {
  const store = await context.store();
  const { storeNamespace: profile } = await context.settings();
  const rows = items.filter(wasInForce).flatMap((item): readonly Omit<KnownRow, 'firstSeenAt'>[] => {
    const { plan, companyId } = requestOf(item);
    if (plan === undefined) return [];
    return [{ ...usedRows, profile, id: plan.row, label: companyId, data: {}, seenAt: item.updatedAt }];
  });
  if (rows.length > 0) await store.known.putAll(rows);
}

function wasInForce({ state, errorCode }: ItemRow): boolean {
  const isReversed = state === 'rejected' && errorCode === 'backfill.overtaken';
  return isReversed || state === 'succeeded' || state === 'pending' || state === 'skipped';
}

interface PlanToUse {
  readonly plan: string;
  readonly read: readonly CompanySummary[];
  readonly releases: readonly Proposal[];
}

/**
 * A row that was released and is hidden again was revoked since: that somebody approved it then says nothing of now. Error:
 * `backfill.plan_used`, with the first such company. A row whose release is in force may be released again, which sends nothing.
 */
export async function requireUnused(context: Context, { plan, read, releases }: PlanToUse): Promise<void> {
  const store = await context.store();
  const { storeNamespace: profile } = await context.settings();
  for (const { companyId, fingerprint } of releases) {
    const isHidden = read.some(({ company, summary }) => company.id === companyId && summary?.released === false);
    const used = isHidden ? await store.known.get({ ...usedRows, profile, id: fingerprint }) : undefined;
    if (used === undefined) continue;
    const at = formatUtc(used.firstSeenAt);
    throw new FiscalError(
      'backfill.plan_used',
      { path: plan, company: companyId, at },
      { sent: 'no', hint: newPlan([companyId]) },
    );
  }
}
