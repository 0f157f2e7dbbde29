import { rowsOf } from '../../client/read-answer.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { companyOf } from '../../services/read-company.js';

/** The certificates of a company as they came. */
export async function listCertificates(context: Context): Promise<Outcome> {
  const path = { companyId: await companyOf(context) };
  if ((await context.settings()).dryRun) {
    return { data: await previewOne(context, 'certificate.list', { path }) };
  }
  return { data: await fetchCertificates(context, path.companyId) };
}

export async function fetchCertificates(context: Context, companyId: string): Promise<readonly unknown[]> {
  const client = await context.client();
  const input = { path: { companyId } };
  const { body } = await client.call('certificate.list', input, { signal: context.interruption });
  return rowsOf('certificate.list', body);
}
