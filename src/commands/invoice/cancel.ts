import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import {
  cancelFacts,
  merchandiseCancelCall,
  serviceCancelCall,
  type CancelItem,
} from '../../jobs/kinds/invoice-cancel.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import type { Context } from '../../services/context.js';
import { previewOne, type DryRun } from '../../services/preview.js';
import { companyOf } from '../../services/read-company.js';
import { companyNamed } from '../../services/scope/text.js';
import { runSingle, type FollowOptions } from '../../services/single-job.js';
import { concludeChange, freshSuffix } from './conclude-change.js';
import { invoiceText, modelNames } from './model.js';
import { readReason } from './reason.js';

export interface CancelRequest extends FollowOptions {
  readonly model: InvoiceModel;
  readonly id: string;
  /** Required for NF-e and NFC-e. */
  readonly reason: string | undefined;
}

/**
 * Cancels an issued invoice, with consent: what is cancelled cannot be had back. A cancellation whose outcome is unknown is
 * looked up in the invoice before it is asked for again. Errors: `usage.*`, `outcome.*`, `service.conflict`, those of the client.
 */
export async function cancelInvoice(context: Context, request: CancelRequest): Promise<Outcome> {
  const { model, id } = request;
  const isOptional = model === 'nfse' && request.reason === undefined;
  const reason = isOptional ? undefined : readReason(request.reason);
  const companyId = await companyOf(context);
  const settings = await context.settings();
  const item: CancelItem = { model, companyId, invoiceId: id, ...(reason === undefined ? {} : { reason }) };
  if (settings.dryRun) return { data: await preview(context, item) };
  const company = await companyNamed(context, companyId);
  await context.consent({ what: cancelling(item, company, settings.space) });
  const facts = cancelFacts(model);
  const key = `${companyId} ${id}`;
  const startedAt = context.clock.now();
  const single = await runSingle(
    context,
    {
      kind: facts,
      profile: settings.space,
      inputDigest: `cancel ${key}${await freshSuffix(context, facts, `cancel ${key}`)}`,
      scope: { companyId },
      items: [{ ordinal: 1, label: `${modelNames[model].en} ${id}`, dedupeKey: key, input: item }],
    },
    request,
  );
  const named = invoiceText(model, id);
  const what = { en: `the cancellation of ${named.en}`, pt: `o cancelamento de ${named.pt}` };
  const isEarlier = (single.item.settledAt ?? startedAt) < startedAt;
  const outcome = concludeChange({ single, what, model, id, wait: request.wait });
  return isEarlier ? { ...outcome, notices: [nothingSent] } : outcome;
}

const nothingSent: Text = {
  en: 'it was cancelled before; nothing was sent',
  pt: 'já tinha sido cancelada; nada foi enviado',
};

async function preview(context: Context, item: CancelItem): Promise<DryRun> {
  return item.model === 'nfse'
    ? await previewOne(context, 'nfse.cancel', serviceCancelCall(item))
    : await previewOne(context, `${item.model}.cancel`, merchandiseCancelCall(item));
}

function cancelling({ model, invoiceId }: CancelItem, company: string, space: string): Text {
  const { en, pt } = invoiceText(model, invoiceId);
  return {
    en: `cancelling ${en} of company ${company} (profile ${space})`,
    pt: `cancelar ${pt} da empresa ${company} (perfil ${space})`,
  };
}
