import { listField } from '../../jobs/kinds/answer-fields.js';
import { bestOf, unknownCertificate, type CertificateState } from '../../services/certificate-state.js';
import type { Context } from '../../services/context.js';
import type { CompanyReading } from './reading.js';

/** The certificate of a company that is valid for longest, else the one that ran out last. */
export async function readCertificate(
  context: Context,
  reading: CompanyReading,
  companyId: string,
): Promise<CertificateState> {
  const client = await context.client();
  const how = { signal: context.interruption };
  const answer = await reading.read(() => client.call('certificate.list', { path: { companyId } }, how));
  const list = listField(answer?.body, 'certificates');
  if (list === undefined) return unknownCertificate;
  return bestOf(list, context.clock.now());
}
