import type { InboundFamily } from '../../contract/inbound.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { oneCompany } from '../../services/read-company.js';
import { companyText } from '../../services/scope/text.js';

/** Ends the capture of one family for a company, with consent: what arrives from then on is not captured. */
export async function disableInbound(context: Context, family: InboundFamily): Promise<Outcome> {
  const company = await oneCompany(context);
  const { id: companyId } = company;
  const whose = companyText(company);
  const { dryRun, space } = await context.settings();
  const operation = `${family}.inbound.disable` as const;
  const input = { path: { companyId } };
  if (dryRun) return { data: await previewOne(context, operation, input) };
  await context.consent({
    what: {
      en: `ending the capture of ${family} for company ${whose} (profile ${space})`,
      pt: `encerrar a captura de ${family} da empresa ${whose} (perfil ${space})`,
    },
  });
  const client = await context.client();
  const { body } = await client.call(operation, input, { signal: context.interruption });
  return { data: { family, companyId, disabled: true, ...body } };
}
