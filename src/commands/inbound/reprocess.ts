import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import type { GetRequest } from './get.js';
import { companyOf } from '../../services/read-company.js';
import { nameDocument, notOffered } from './read-family.js';

/** Has the service process an NFS-e again (202: it goes on in the background). */
export async function reprocessDocument(context: Context, request: GetRequest): Promise<Outcome> {
  const companyId = await companyOf(context);
  const { family, key: id } = nameDocument(request.key, request.type);
  if (family !== 'nfse') throw onlyNfse();
  const input = { path: { companyId, id } };
  if ((await context.settings()).dryRun) {
    return { data: await previewOne(context, 'nfse.inbound.reprocess', input) };
  }
  const client = await context.client();
  const { body, status } = await client.call('nfse.inbound.reprocess', input, {
    signal: context.interruption,
  });
  return { data: { id, accepted: status, ...body }, notices: [goesOn] };
}

function onlyNfse() {
  return notOffered(
    { en: 'only NFS-e can be processed again', pt: 'só NFS-e podem ser reprocessadas' },
    {
      en: 'to have the webhook of an NF-e again: fiscal inbound resend-webhook <key>',
      pt: 'para receber de novo o webhook de uma NF-e: fiscal inbound resend-webhook <chave>',
    },
  );
}

const goesOn = {
  en: 'accepted; the service goes on by itself (its status: fiscal inbound get <key>)',
  pt: 'aceito; o serviço continua sozinho (o status: fiscal inbound get <chave>)',
};
