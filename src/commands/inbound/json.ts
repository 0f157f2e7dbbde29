import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { companyOf } from '../../services/read-company.js';
import { nameDocument } from './read-family.js';

/** A captured NFS-e as the service renders it in JSON (public); the XML alone is the legal document. */
export async function readNfseJson(context: Context, text: string): Promise<Outcome> {
  const companyId = await companyOf(context);
  const { key } = nameDocument(text, 'nfse');
  const input = { path: { companyId, idOrAccessKey: key } };
  if ((await context.settings()).dryRun)
    return { data: await previewOne(context, 'nfse.inbound.json', input) };
  const client = await context.client();
  return { data: (await client.call('nfse.inbound.json', input, { signal: context.interruption })).body };
}
