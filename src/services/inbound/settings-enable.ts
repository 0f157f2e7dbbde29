import type { InboundFamily } from '../../contract/inbound.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../context.js';
import { previewOne } from '../preview.js';
import { companyOf } from '../read-company.js';
import { givenSettings, type SettingsFlags } from './settings-fields.js';
import { shownSettings } from './settings-show.js';

/** Begins the capture of one family for a company. Once enabled, the cut-off moves only by `backfill start-from` (§2). */
export async function enableInbound(
  context: Context,
  family: InboundFamily,
  flags: SettingsFlags,
): Promise<Outcome> {
  const companyId = await companyOf(context);
  const body = await givenSettings(context, family, flags);
  const { dryRun } = await context.settings();
  const client = await context.client();
  const how = { signal: context.interruption };
  if (family === 'nfse') {
    const input = { path: {}, companyId, body: { companyId, ...body } };
    if (dryRun) return { data: await previewOne(context, 'nfse.inbound.enable', input) };
    const answer = await client.call('nfse.inbound.enable', input, how);
    return await shownSettings(context, { family, companyId }, answer.body);
  }
  const operation = `${family}.inbound.enable` as const;
  const input = { path: { companyId }, body };
  if (dryRun) return { data: await previewOne(context, operation, input) };
  const answer = await client.call(operation, input, how);
  return await shownSettings(context, { family, companyId }, answer.body);
}
