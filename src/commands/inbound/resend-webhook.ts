import type { InboundFamily } from '../../contract/inbound.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import type { GetRequest } from './get.js';
import { companyOf } from '../../services/read-company.js';
import { nameDocument, notOffered } from './read-family.js';

/** Has the service deliver the webhook of a document again. An NF-e may be named by its NSU. */
export async function resendWebhook(context: Context, request: GetRequest): Promise<Outcome> {
  const companyId = await companyOf(context);
  const { family, key } = named(request);
  if (family === 'cte') throw notForCte();
  const { dryRun } = await context.settings();
  const client = await context.client();
  const how = { signal: context.interruption };
  if (family === 'nfse') {
    const input = { path: { companyId, id: key } };
    if (dryRun) return { data: await previewOne(context, 'nfse.inbound.resendWebhook', input) };
    const { body, status } = await client.call('nfse.inbound.resendWebhook', input, how);
    return { data: { id: key, accepted: status, ...body } };
  }
  const input = { path: { companyId, accessKeyOrNsu: key } };
  if (dryRun) return { data: await previewOne(context, 'nfe.inbound.reprocessWebhook', input) };
  const { body, status } = await client.call('nfe.inbound.reprocessWebhook', input, how);
  return { data: { id: key, accepted: status, ...body } };
}

function named({ key, type }: GetRequest): { readonly family: InboundFamily; readonly key: string } {
  const isNsu = type === 'nfe' && /^\d{1,15}$/.test(key);
  return isNsu ? { family: 'nfe', key } : nameDocument(key, type);
}

function notForCte() {
  return notOffered(
    {
      en: 'the service has no operation that sends the webhook of a CT-e again',
      pt: 'o serviço não tem operação que envie de novo o webhook de um CT-e',
    },
    { en: 'read it instead: fiscal inbound xml <key>', pt: 'leia-o: fiscal inbound xml <chave>' },
  );
}
