import type { InboundFamily } from '../../contract/inbound.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';
import { previewOne } from '../preview.js';
import { companyOf } from '../read-company.js';
import { notOffered } from './read-family.js';
import { givenSettings, updatable, type SettingsBody, type SettingsFlags } from './settings-fields.js';
import { shownSettings } from './settings-show.js';

/**
 * Changes settings. For NFS-e only the changes are sent (the service's update is partial); for NF-e, where that is not
 * promised, the settings that stand are read and sent along. Error: `usage.invalid` for a `startFromDate` (§2).
 */
export async function updateInbound(
  context: Context,
  family: InboundFamily,
  flags: SettingsFlags,
): Promise<Outcome> {
  const companyId = await companyOf(context);
  if (family === 'cte') throw noUpdate();
  const changes = await givenSettings(context, family, flags);
  assertChangeable(changes, companyId);
  const operation = `${family}.inbound.update` as const;
  const path = { companyId };
  const { dryRun } = await context.settings();
  if (dryRun) return { data: await previewOne(context, operation, { path, body: changes }) };
  const client = await context.client();
  const how = { signal: context.interruption };
  const body = family === 'nfse' ? changes : { ...(await standing(context, companyId)), ...changes };
  const answer = await client.call(operation, { path, body }, how);
  return await shownSettings(context, { family, companyId }, answer.body);
}

async function standing(context: Context, companyId: string): Promise<SettingsBody> {
  const client = await context.client();
  const how = { signal: context.interruption };
  const { body } = await client.call('nfe.inbound.settings', { path: { companyId } }, how);
  return updatable(body, 'nfe');
}

/** §2: the cut-off changes only by the maintenance operation; where the capture began is history. */
function assertChangeable(changes: SettingsBody, companyId: string): void {
  if ('startFromDate' in changes) {
    const message = {
      en: 'an update does not change startFromDate; nothing was sent',
      pt: 'uma atualização não altera startFromDate; nada foi enviado',
    };
    const command = `fiscal backfill start-from <date> --company ${companyId}`;
    const hint = {
      en: `the cut-off is moved by: ${command}`,
      pt: `a data de corte é alterada por: ${command.replace('<date>', '<data>')}`,
    };
    throw new FiscalError('usage.invalid', { message }, { sent: 'no', hint });
  }
  const fixed = ['startFromNsu', 'initialNsu'].find((name) => name in changes);
  if (fixed !== undefined) {
    const message = {
      en: `an update does not change ${fixed}: it is set when the capture is enabled`,
      pt: `uma atualização não altera ${fixed}: ele é definido quando a captura é ativada`,
    };
    throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
  }
  if (Object.keys(changes).length > 0) return;
  const names = { en: 'a setting to change', pt: 'uma configuração a alterar' };
  throw new FiscalError('usage.missing', { names }, { sent: 'no' });
}

function noUpdate(): FiscalError {
  return notOffered(
    {
      en: 'the service has no operation that updates the settings of CT-e',
      pt: 'o serviço não tem operação que altere as configurações de CT-e',
    },
    {
      en: 'to begin anew: fiscal inbound settings disable --type cte, then enable',
      pt: 'para começar de novo: fiscal inbound settings disable --type cte, depois enable',
    },
  );
}
