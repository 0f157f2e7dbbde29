import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { maintain } from './maintenance.js';
import { companyOf } from '../../services/read-company.js';
import { companyNamed } from '../../services/scope/text.js';

/** Has the service take up the capture of NFS-e again after it was stopped or spaced, with consent. */
export async function reactivate(context: Context): Promise<Outcome> {
  const companyId = await companyOf(context);
  const { dryRun, space } = await context.settings();
  const input = { path: { companyId } };
  if (dryRun) return { data: await previewOne(context, 'nfse.reactivate', input) };
  const company = await companyNamed(context, companyId);
  await context.consent({
    what: {
      en: `reactivating the capture of NFS-e of company ${company} (profile ${space})`,
      pt: `reativar a captura de NFS-e da empresa ${company} (perfil ${space})`,
    },
  });
  const client = await context.client();
  const { body, status } = await maintain(context, companyId, () =>
    client.call('nfse.reactivate', input, { signal: context.interruption }),
  );
  return { data: { companyId, accepted: status, ...body }, notices: [accepted] };
}

const accepted = {
  en: 'accepted; whether the capture is active: fiscal inbound settings show --type nfse',
  pt: 'aceito; veja se a captura está ativa: fiscal inbound settings show --type nfse',
};
