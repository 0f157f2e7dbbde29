import { textField } from '../../jobs/kinds/answer-fields.js';
import { observeInvoice } from '../../jobs/kinds/invoice-answer.js';
import { holdsKey } from '../../jobs/item-writes.js';
import type { Context } from '../../services/context.js';
import { issueKey } from './identity.js';
import type { InvoiceTarget } from './target.js';

/** What every kind of issue has in common. */
const issueRules = { onceOnly: true, rejectedStays: true } as const;

/** An item of this machine still waits for this invoice, and this read has seen the end: nothing more is asked for it. */
export async function settleItem(context: Context, target: InvoiceTarget, body: unknown): Promise<void> {
  const { model, companyId, id } = target;
  const externalId = textField(body, 'externalId');
  const seen = observeInvoice(body);
  if (externalId === undefined || seen.state === 'pending') return;
  const store = await context.store();
  const { space } = await context.settings();
  const dedupeKey = issueKey(companyId, externalId);
  const item = await store.items.holder({ profile: space, kind: `${model}-issue`, dedupeKey });
  if (item?.state !== 'pending' || item.resourceId !== id) return;
  const at = context.clock.now();
  const patch = {
    state: seen.state,
    remoteStatus: seen.remoteStatus ?? null,
    errorCode: seen.errorCode ?? null,
    errorMessage: seen.errorMessage ?? null,
    settledAt: at,
    holdsKey: holdsKey(seen.state, issueRules),
    keep: false,
  };
  await store.items.decide(item.id, 'pending', patch, {
    at,
    note: `read by hand: ${seen.remoteStatus ?? '?'}`,
  });
}
