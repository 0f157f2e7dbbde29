import type { InboundFamily } from '../../contract/inbound.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../context.js';
import { previewOne } from '../preview.js';
import { companyOf } from '../read-company.js';
import { noteSpacing, spacedNotice } from './read-spacing.js';

/** The settings of one company and family, every field as it came; a spaced capture is told with its causes (§2). */
export async function showSettings(context: Context, family: InboundFamily): Promise<Outcome> {
  const companyId = await companyOf(context);
  const operation = `${family}.inbound.settings` as const;
  const input = { path: { companyId } };
  if ((await context.settings()).dryRun) return { data: await previewOne(context, operation, input) };
  const client = await context.client();
  const { body } = await client.call(operation, input, { signal: context.interruption });
  return await shownSettings(context, { family, companyId }, body);
}

export async function shownSettings(
  context: Context,
  capture: { readonly family: InboundFamily; readonly companyId: string },
  body: unknown,
): Promise<Outcome> {
  const until = await noteSpacing(context, capture, body);
  const data = typeof body === 'object' && body !== null ? body : {};
  return {
    data: { ...capture, ...data },
    notices: until === undefined ? [] : [spacedNotice(until)],
  };
}
