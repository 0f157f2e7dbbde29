import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { maintain } from './maintenance.js';
import { companyOf } from '../../services/read-company.js';
import { companyNamed } from '../../services/scope/text.js';
import { noteSpacing, obeySpacing } from './read-spacing.js';

/**
 * Has the service capture NFS-e now, with consent (202: it goes on in the background). While the capture is spaced nothing
 * is asked: at the source each further request makes the pause begin again (656).
 * Errors: those of a call; `service.rate_limited` beyond --max-retry-wait.
 */
export async function fetchNow(context: Context): Promise<Outcome> {
  const companyId = await companyOf(context);
  const { dryRun, space } = await context.settings();
  const input = { path: { companyId } };
  if (dryRun) return { data: await previewOne(context, 'nfse.fetchNow', input) };
  const company = await companyNamed(context, companyId);
  await context.consent({
    what: {
      en: `capturing the NFS-e of company ${company} now (profile ${space})`,
      pt: `capturar agora as NFS-e da empresa ${company} (perfil ${space})`,
    },
  });
  const client = await context.client();
  const how = { signal: context.interruption };
  const capture = { family: 'nfse', companyId } as const;
  return await maintain(context, companyId, async () => {
    const settings = await client.call('nfse.inbound.settings', input, how);
    await noteSpacing(context, capture, settings.body);
    await obeySpacing(context, capture);
    const { body, status } = await client.call('nfse.fetchNow', input, how);
    return { data: { companyId, accepted: status, ...body }, notices: [goesOn] };
  });
}

const goesOn = {
  en: 'accepted; the service goes on by itself (what came of it: fiscal inbound maintenance notifications)',
  pt: 'aceito; o serviço continua sozinho (o resultado: fiscal inbound maintenance notifications)',
};
