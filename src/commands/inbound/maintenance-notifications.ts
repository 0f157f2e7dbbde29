import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { maintain } from './maintenance.js';
import { companyOf } from '../../services/read-company.js';

/** The notices of a company's capture of NFS-e, as they came, the newest first. */
export async function captureNotifications(context: Context): Promise<Outcome> {
  const companyId = await companyOf(context);
  const input = { path: { companyId } };
  if ((await context.settings()).dryRun)
    return { data: await previewOne(context, 'nfse.notifications', input) };
  const client = await context.client();
  const { body } = await maintain(context, companyId, () =>
    client.call('nfse.notifications', input, { signal: context.interruption }),
  );
  return { data: body.notifications.map((notice) => ({ companyId, ...notice })) };
}
