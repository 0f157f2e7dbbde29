import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { companyOf } from '../../services/read-company.js';

/**
 * Has the service send an NFS-e to its taker. Every call sends one more e-mail, so a call whose outcome is unknown is not
 * repeated here; nothing in law hangs on it, so no job keeps it.
 */
export async function emailInvoice(context: Context, id: string): Promise<Outcome> {
  const input = { path: { companyId: await companyOf(context), id } };
  if ((await context.settings()).dryRun) return { data: await previewOne(context, 'nfse.email', input) };
  const client = await context.client();
  const { status } = await client.call('nfse.email', input, { signal: context.interruption });
  return { data: { id, accepted: status }, notices: [goesOut] };
}

const goesOut = {
  en: 'accepted; the service sends the e-mail by itself',
  pt: 'aceito; o serviço envia o e-mail sozinho',
};
