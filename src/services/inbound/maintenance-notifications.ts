import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';
import { previewOne } from '../preview.js';
import { maintain } from './maintenance.js';
import { companyOf } from '../read-company.js';

/** The notices of a company's capture of NFS-e, as they came, the newest first. Error: `service.unreadable`. */
export async function captureNotifications(context: Context): Promise<Outcome> {
  const companyId = await companyOf(context);
  const input = { path: { companyId } };
  if ((await context.settings()).dryRun)
    return { data: await previewOne(context, 'nfse.notifications', input) };
  const client = await context.client();
  const { body, status } = await maintain(context, companyId, () =>
    client.call('nfse.notifications', input, { signal: context.interruption }),
  );
  const list: unknown = body?.notifications;
  if (!Array.isArray(list)) throw unreadable(status);
  return {
    data: list.flatMap((notice: unknown) =>
      typeof notice === 'object' && notice !== null ? [{ companyId, ...notice }] : [],
    ),
  };
}

function unreadable(status: number): FiscalError {
  const reason = { en: 'it has no list of notices', pt: 'não tem lista de avisos' };
  const operation = 'nfse.notifications';
  return new FiscalError('service.unreadable', { operation, status, reason }, { operation, sent: 'yes' });
}
