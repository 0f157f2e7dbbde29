import type { Given } from '../../cli/command.js';
import { type OtherSubject, wrongSubject } from '../../client/answer-subject.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { JsonObject } from '../../domain/field-changes.js';
import type { Outcome } from '../../domain/outcome.js';
import { readTaxNumber } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Io } from '../../io/io.js';
import type { Context } from '../../services/context.js';
import { fetchCompany } from '../../services/scope/account.js';
import { readSecretLine, readUpTo } from '../../services/input/secret.js';
import type { InputContext } from '../../services/input/source.js';
import { previewPlan, removeOne, writePlan } from '../../services/calls/change.js';
import { companyOf } from '../../services/scope/companies.js';
import { type CheckedPfx, checkPfx } from '../../services/company/pfx.js';
import type { Text } from '../../contract/text.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { certificateResource, certificateUpload, thumbprintIn } from '../../jobs/resources/certificate.js';
import { planOf } from '../../jobs/resources/resource.js';
import { companyNamed } from '../../services/scope/text.js';
import { endsSooner, fetchCertificates } from '../../services/company/certificate.js';
import type { remove, upload } from './commands.js';
import { thumbprintOf } from './read.js';
import { sentenceOf } from '../../domain/sentence.js';

/**
 * Checks a certificate (readable, password, validity, owner), then uploads it for the company.
 * Uploading the same file again is harmless; one that expires before the one in use is asked about. Neither file nor password is kept, logged or shown. Errors: `certificate.unusable`.
 */
export async function uploadCertificate(
  context: Context,
  { file: path, passwordFile, unchecked }: Given<typeof upload>,
  io: Io,
): Promise<Outcome> {
  if (path === undefined) throw new FiscalError('usage.missing', { names: '--file' }, { sent: 'no' });
  const password = await gatherPassword(context, io, passwordFile);
  const companyId = await companyOf(context);
  const file = await readPfxFile(context, path);
  const found = unchecked ? undefined : await check(context, { companyId, path, password, file });
  const pfx = { file, password };
  const resource = certificateResource({ companyId, thumbprint: found?.thumbprint }, () => Promise.resolve(pfx));
  // What stands is not part of the plan: the same file again is the same certificate.
  const plan = planOf(resource, undefined, {});
  const { dryRun, storeNamespace } = await context.settings();
  const sooner = found && (await soonerThanInUse(context, companyId, found));
  if (dryRun) {
    const { operation, request: shown, type } = await previewPlan(context, resource, plan);
    const notices = sooner === undefined ? {} : { notices: [sooner] };
    return { data: { type, operation, request: shown, certificate: found }, ...notices };
  }
  if (sooner !== undefined) {
    await context.notice(sooner);
    await context.consent({ what: soonerQuestion(await companyNamed(context, companyId), storeNamespace) });
  }
  const { after } = await writePlan(context, { resource, plan });
  const certificate = Object.keys(after).length === 0 ? found : after;
  const other = otherThumbprint(found, certificate);
  if (other !== undefined) throw wrongSubject(other, { operation: certificateUpload });
  const company = await companyNamed(context, companyId);
  const sentence = sentenceOf('good', {
    en: `certificate uploaded for company ${company}`,
    pt: `certificado enviado para a empresa ${company}`,
  });
  return { data: { companyId, ...certificate }, sentence, notices: [seeOthers(companyId)] };
}

async function soonerThanInUse(context: Context, companyId: string, found: CheckedPfx): Promise<Text | undefined> {
  const certificates = await fetchCertificates(context, companyId);
  return endsSooner(found, certificates, { now: context.clock.now(), taxNumber: found.taxNumber });
}

function soonerQuestion(company: string, profile: string): Text {
  return {
    en: `uploading for company ${company} a certificate that expires before the one in use (profile ${profile})`,
    pt: `enviar para a empresa ${company} um certificado que vence antes do que está em uso (perfil ${profile})`,
  };
}

/** The fingerprint by SHA-1, as the published reads show it; one of another length is not comparable. */
function otherThumbprint(sent: CheckedPfx | undefined, shown: unknown): OtherSubject | undefined {
  const [asked, answered] = [sent, shown].map((one) => textField(one, 'thumbprint')?.replaceAll(':', '').toUpperCase());
  if (asked === undefined || asked.length !== answered?.length || asked === answered) return undefined;
  return { field: 'thumbprint', asked, answered };
}

interface Checking {
  readonly companyId: string;
  readonly path: string;
  readonly password: string;
  readonly file: Uint8Array;
}

/** Opens the file before it reads the company: a wrong password needs no network. */
async function check(context: Context, { companyId, ...pfx }: Checking): Promise<CheckedPfx> {
  const use = { ...pfx, now: context.clock.now(), context };
  await checkPfx({ ...use, companyTaxNumber: undefined });
  const company = await fetchCompany(context, companyId);
  return await checkPfx({ ...use, companyTaxNumber: readTaxNumber(company['federalTaxNumber']) });
}

function seeOthers(companyId: string) {
  const command = fiscalLine({ command: 'certificate list', company: companyId });
  return {
    en: `earlier certificates remain until you delete them: ${command}`,
    pt: `certificados anteriores permanecem até serem excluídos: ${command}`,
  };
}

/** Reads the password from a file, from stdin (`-`) or from a prompt, never from an argument. Error: `usage.missing`. */
async function gatherPassword(context: Context, io: Io, from: string | undefined): Promise<string> {
  if (from !== undefined) {
    return await readPassword(context, from);
  }
  if (io.mayAsk) {
    return await io.prompts.secret(io.language === 'pt' ? 'Senha do certificado' : 'Password of the certificate');
  }
  throw new FiscalError(
    'usage.missing',
    { names: '--password-file' },
    {
      sent: 'no',
      hint: {
        en: 'without a terminal, the password is read from a file or from stdin: --password-file -',
        pt: 'sem terminal a senha vem de um arquivo ou do stdin: --password-file -',
      },
    },
  );
}

/** A certificate with its chain is a few kilobytes. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The bytes of a certificate file. Errors: `input.not_found`, `input.unreadable`, `certificate.unusable`. */
async function readPfxFile(context: InputContext, path: string): Promise<Uint8Array> {
  const bytes = await readUpTo(context, path, MAX_FILE_BYTES);
  if (bytes === undefined) {
    throw unusable(path, { en: 'it is larger than 1 MiB', pt: 'é maior que 1 MiB' });
  }
  if (bytes.length === 0) throw unusable(path, { en: 'it is empty', pt: 'está vazio' });
  return bytes;
}

/** The first line of a file, or of stdin for `-`; an empty password is valid. */
async function readPassword(context: InputContext, path: string): Promise<string> {
  const line = await readSecretLine(context, path);
  if (line !== undefined) return line;
  const reason = { en: 'it is too long for a password', pt: 'é longo demais para uma senha' };
  throw unusable(path === '-' ? 'stdin' : path, reason);
}

function unusable(path: string, reason: { readonly en: string; readonly pt: string }): FiscalError {
  return new FiscalError('certificate.unusable', { path, reason }, { sent: 'no' });
}

/** Deletes a certificate after the user types its thumbprint twice: without a usable one every capture of the company is spaced (§2). */
export async function deleteCertificate(context: Context, given: Given<typeof remove>): Promise<Outcome> {
  const companyId = await companyOf(context);
  const thumbprint = thumbprintOf(given.thumbprint);
  let company = companyId;
  let found: JsonObject | undefined;
  return await removeOne(context, {
    operation: 'certificate.delete',
    input: { path: { companyId, thumbprint } },
    async question() {
      const { storeNamespace } = await context.settings();
      found = (await fetchCertificates(context, companyId)).find((each) => thumbprintIn(each) === thumbprint);
      company = await companyNamed(context, companyId);
      return {
        what: question({ company, subject: textField(found, 'subject') ?? thumbprint, storeNamespace }),
        confirmWith: { value: thumbprint, given: given.confirm?.replaceAll(':', '').toUpperCase() },
      };
    },
    stood: () => found !== undefined,
    done() {
      const text = {
        en: `certificate ${thumbprint} of company ${company} deleted`,
        pt: `certificado ${thumbprint} da empresa ${company} excluído`,
      };
      return { data: { companyId, thumbprint, deleted: true }, sentence: sentenceOf('good', text) };
    },
  });
}

interface Named {
  readonly company: string;
  readonly subject: string;
  readonly storeNamespace: string;
}

function question({ company, subject, storeNamespace }: Named): Text {
  return {
    en: `deleting the certificate ${subject} of company ${company} (profile ${storeNamespace}); without a usable one its captures are spaced`,
    pt: `excluir o certificado ${subject} da empresa ${company} (perfil ${storeNamespace}); sem um utilizável as capturas dela ficam bloqueadas por consumo indevido`,
  };
}
