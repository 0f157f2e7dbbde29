import type { InboundFamily } from '../../contract/inbound.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { companyOf } from '../../services/read-company.js';
import { nameDocument } from './read-family.js';

export interface GetRequest {
  readonly key: string;
  readonly type: InboundFamily | undefined;
}

/** The metadata of one document, every field as it came. */
export async function getDocument(context: Context, request: GetRequest): Promise<Outcome> {
  const companyId = await companyOf(context);
  const { family, key } = nameDocument(request.key, request.type);
  const { dryRun } = await context.settings();
  const client = await context.client();
  const how = { signal: context.interruption };
  if (family === 'nfse') {
    const input = { path: { companyId, idOrAccessKey: key } };
    if (dryRun) return { data: await previewOne(context, 'nfse.inbound.get', input) };
    return { data: (await client.call('nfse.inbound.get', input, how)).body };
  }
  const input = { path: { companyId, accessKey: key } };
  if (dryRun) return { data: await previewOne(context, `${family}.inbound.get`, input) };
  return { data: (await client.call(`${family}.inbound.get`, input, how)).body };
}
