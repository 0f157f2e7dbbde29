import { createHash } from 'node:crypto';
import type { Outcome } from '../../domain/outcome.js';
import { correctionCall, nfeCorrect, type CorrectionItem } from '../../jobs/kinds/invoice-change.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { companyOf } from '../../services/read-company.js';
import { companyNamed } from '../../services/scope/text.js';
import { runSingle, type FollowOptions } from '../../services/single-job.js';
import { concludeChange, freshSuffix } from './conclude-change.js';
import { invoiceText } from './model.js';
import { readLetter } from './reason.js';

export interface CorrectRequest extends FollowOptions {
  readonly id: string;
  readonly text: string | undefined;
}

/**
 * Sends a correction letter of an NF-e, the last of which counts (at most 20). The events of the invoice show what an
 * interrupted send left. Errors: `usage.missing`, `input.invalid`, `outcome.*`, `service.conflict`, those of the client.
 */
export async function correctInvoice(context: Context, request: CorrectRequest): Promise<Outcome> {
  const { id, wait } = request;
  const reason = readLetter(request.text);
  const companyId = await companyOf(context);
  const settings = await context.settings();
  const item: CorrectionItem = { companyId, invoiceId: id, reason };
  if (settings.dryRun) return { data: await previewOne(context, 'nfe.correct', correctionCall(item)) };
  const named = invoiceText('nfe', id);
  const company = await companyNamed(context, companyId);
  await context.consent({
    what: {
      en: `sending a correction letter of ${named.en} to the tax authority for company ${company} (profile ${settings.space})`,
      pt: `enviar uma carta de correção de ${named.pt} à autoridade fiscal pela empresa ${company} (perfil ${settings.space})`,
    },
  });
  const key = `${companyId} ${id} ${createHash('sha256').update(reason).digest('hex')}`;
  const single = await runSingle(
    context,
    {
      kind: nfeCorrect,
      profile: settings.space,
      inputDigest: `correct ${key}${await freshSuffix(context, nfeCorrect, `correct ${key}`)}`,
      scope: { companyId },
      items: [{ ordinal: 1, label: `NF-e ${id}`, dedupeKey: key, input: item }],
    },
    request,
  );
  const what = { en: `the correction letter of ${named.en}`, pt: `a carta de correção de ${named.pt}` };
  return concludeChange({ single, what, model: 'nfe', id, wait });
}
