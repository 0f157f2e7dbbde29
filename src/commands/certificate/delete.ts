import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { companyOf } from '../../services/scope/companies.js';
import { companyNamed } from '../../services/scope/text.js';
import { fetchCertificates } from './read.js';

export interface DeleteRequest {
  readonly thumbprint: string;
  /** The thumbprint once more. */
  readonly confirm: string | undefined;
}

/** Deletes a certificate, with its thumbprint typed twice: without a usable one every capture of the company is spaced (§2). */
export async function deleteCertificate(context: Context, request: DeleteRequest): Promise<Outcome> {
  const companyId = await companyOf(context);
  const thumbprint = thumbprintOf(request.thumbprint);
  const input = { path: { companyId, thumbprint } };
  const { dryRun, space } = await context.settings();
  if (dryRun) return { data: await previewOne(context, 'certificate.delete', input) };
  const certificates = await fetchCertificates(context, companyId);
  const found = certificates.find((each) => textField(each, 'thumbprint')?.toUpperCase() === thumbprint);
  const company = await companyNamed(context, companyId);
  const what = question({ company, subject: textField(found, 'subject') ?? thumbprint, space });
  const given = request.confirm?.replaceAll(':', '').toUpperCase();
  await context.consent({ what, confirmWith: { value: thumbprint, given } });
  const client = await context.client();
  try {
    await client.call('certificate.delete', input, { signal: context.interruption });
  } catch (error) {
    if (found === undefined || !isGoneByOurselves(error)) throw error;
  }
  return { data: { companyId, thumbprint, deleted: true } };
}

/** With colons, as other programs show it, or without. Error: `usage.invalid_value`. */
function thumbprintOf(text: string): string {
  const bare = text.replaceAll(/[:\s]/g, '').toUpperCase();
  if (/^[0-9A-F]{40}$/.test(bare)) return bare;
  const expected: Text = {
    en: '40 hexadecimal digits are expected (fiscal certificate list)',
    pt: 'esperam-se 40 dígitos hexadecimais (fiscal certificate list)',
  };
  throw invalidValue('THUMBPRINT', text, expected);
}

/** It was there a moment ago; a 404 after more than one send is the echo of the first. */
function isGoneByOurselves(error: unknown): boolean {
  if (!(error instanceof FiscalError)) return false;
  return error.code === 'service.not_found' && (error.facts.attempts ?? 1) > 1;
}

interface Named {
  readonly company: string;
  readonly subject: string;
  readonly space: string;
}

function question({ company, subject, space }: Named): Text {
  return {
    en: `deleting the certificate ${subject} of company ${company} (profile ${space}); without a usable one its captures are spaced`,
    pt: `excluir o certificado ${subject} da empresa ${company} (perfil ${space}); sem um utilizável as capturas dela ficam espaçadas`,
  };
}
