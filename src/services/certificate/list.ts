import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { listField } from '../../jobs/kinds/answer-fields.js';
import type { Context } from '../context.js';
import { previewOne } from '../preview.js';
import { companyOf } from '../read-company.js';

/** The certificates of a company as they came. Error: `service.unreadable`. */
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
  const { body, status } = await client.call('certificate.list', input, { signal: context.interruption });
  const certificates = listField(body, 'certificates');
  if (certificates !== undefined) return certificates;
  const reason: Text = { en: 'it is not a list of certificates', pt: 'não é uma lista de certificados' };
  throw new FiscalError('service.unreadable', { operation: 'certificate.list', status, reason });
}
