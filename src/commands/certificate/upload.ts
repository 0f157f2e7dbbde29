import { fiscalLine } from '../../domain/command-words.js';
import { isRecord } from '../../domain/record.js';
import type { Outcome } from '../../domain/outcome.js';
import { checkCnpj } from '../../domain/tax-number.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { fetchCompany } from '../../services/fetch-company.js';
import { companyOf } from '../../services/read-company.js';
import { checkPfx, type CheckedPfx } from './check-pfx.js';
import { readPfxFile } from './read-files.js';

export interface UploadRequest {
  readonly file: string;
  /** Read from a prompt, a file or stdin by the command; it is never an argument. */
  readonly password: string;
  /** Lets the service judge what this machine cannot open. */
  readonly unchecked: boolean;
}

/**
 * Uploads the certificate of a company, after a look at it here: readable, the password fits, in its time, of this company.
 * The same file again is the same certificate. Neither file nor password is kept, logged or shown. Errors: `certificate.unusable`.
 */
export async function uploadCertificate(context: Context, request: UploadRequest): Promise<Outcome> {
  const companyId = await companyOf(context);
  const file = await readPfxFile(context, request.file);
  const found = request.unchecked ? undefined : await check(context, { companyId, ...request, bytes: file });
  const input = { path: { companyId }, body: { file, password: request.password } };
  if ((await context.settings()).dryRun) {
    return { data: { ...(await previewOne(context, 'certificate.upload', input)), certificate: found } };
  }
  const client = await context.client();
  const { body } = await client.call('certificate.upload', input, { signal: context.interruption });
  const answered: unknown = body;
  const certificate =
    isRecord(answered) && isRecord(answered['certificate']) ? answered['certificate'] : found;
  return { data: { companyId, ...certificate }, notices: [seeOthers(companyId)] };
}

interface Checking extends UploadRequest {
  readonly companyId: string;
  readonly bytes: Uint8Array;
}

/** Whether it opens is told before the company is asked for: a wrong password needs no network. */
async function check(context: Context, checking: Checking): Promise<CheckedPfx> {
  const { companyId, file: path, bytes: file, password } = checking;
  const use = { path, file, password, now: context.clock.now() };
  checkPfx({ ...use, companyTaxNumber: undefined });
  const company = await fetchCompany(context, companyId);
  const written = String(company['federalTaxNumber'] ?? '').padStart(14, '0');
  return checkPfx({ ...use, companyTaxNumber: checkCnpj(written).value });
}

function seeOthers(companyId: string) {
  const command = fiscalLine({ command: 'certificate list', company: companyId });
  return {
    en: `earlier certificates stay until they are deleted: ${command}`,
    pt: `certificados anteriores ficam até serem excluídos: ${command}`,
  };
}
