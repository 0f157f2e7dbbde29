import type { Given } from '../../cli/command.js';
import type { create, remove, update } from './commands.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import { counted, nouns } from '../../domain/counted.js';
import { changesBetween, type JsonObject, takenFrom } from '../../domain/field-changes.js';
import type { Outcome } from '../../domain/outcome.js';
import { sentenceOf } from '../../domain/sentence.js';
import { readTaxNumber } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { companyCreate, companyInput, companyResource } from '../../jobs/resources/company.js';
import { shownCompany } from '../../jobs/resources/read-company.js';
import { planOf } from '../../jobs/resources/resource.js';
import type { BatchFamily } from '../../services/batch/run-batch.js';
import { requireArrived, runSingle } from '../../services/batch/single-job.js';
import { changeOne, removeOne, requireValid, shownOtherwise } from '../../services/calls/change.js';
import { previewOne } from '../../services/calls/one-call.js';
import type { Context } from '../../services/context.js';
import { companyIn, fetchCompany } from '../../services/scope/account.js';
import { confirmedBy } from '../../services/scope/companies.js';
import { idAmong } from '../../services/scope/resolver.js';
import { companyText } from '../../services/scope/text.js';
import { readWritten, sampleCompany, theCompany } from './written-company.js';

/** Never polled: the response contains the company. */
const follow = { wait: false, timeout: 0, interval: 1_000, retryBillable: false };

/**
 * Creates a company as a job of one item: after an unknown outcome it searches the account for the CNPJ before
 * anything is sent again. Errors: `input.*`, `company.exists`, `outcome.unknown`.
 */
export async function createCompany(context: Context, given: Given<typeof create>): Promise<Outcome> {
  if (given.sample) return { data: sampleCompany };
  const { dryRun, sends, storeNamespace: profile } = await context.settings();
  const resource = companyResource('', sends.taxNumbers);
  const plan = planOf(resource, undefined, await readWritten(context, given));
  const { file = '-' } = given;
  requireValid({ ...resource, name: theCompany }, plan, { file, hint: seeSample });
  const company = companyInput(plan.merged);
  const cnpj = readTaxNumber(company.federalTaxNumber) ?? '';
  if (dryRun) return { data: await previewOne(context, companyCreate.submit, { path: {}, body: { company } }) };
  const inputDigest = `company ${JSON.stringify(company)}`;
  const items = [{ ordinal: 1, label: cnpj, dedupeKey: cnpj, input: { company } }];
  const job = { kind: companyCreate, profile, inputDigest, scope: {}, items };
  const single = await runSingle(context, job, follow);
  if (single.item.state === 'skipped') throw alreadyThere(cnpj);
  const { resourceId = '', jobId } = requireArrived(single);
  const data = { ...shownCompany(await fetchCompany(context, resourceId)), jobId };
  const { otherwise } = takenFrom(changesBetween({}, plan.after), data);
  if (otherwise.length > 0)
    throw shownOtherwise(otherwise, companyResource(resourceId, sends.taxNumbers).see).with({ jobId });
  const name = nameOf(data, resourceId);
  const sentence = sentenceOf('good', { en: `company ${name} created`, pt: `empresa ${name} criada` });
  return { data, sentence, notices: [next(resourceId)] };
}

/** Name, CNPJ and id as the service shows them. */
function nameOf(fields: JsonObject, id: string): string {
  const { name, taxNumber } = companyIn({ ...fields, id: '-' }) ?? {};
  return companyText({ id, name, taxNumber });
}

function alreadyThere(cnpj: string): FiscalError {
  const hint = { en: 'see it: fiscal company list --all', pt: 'veja: fiscal company list --all' };
  return new FiscalError('company.exists', { cnpj }, { sent: 'yes', operation: companyCreate.submit, hint });
}

function next(companyId: string) {
  const command = `${fiscalLine({ command: 'certificate upload', company: companyId })} --file`;
  return {
    en: `it has no certificate yet: ${command} <cert.pfx>`,
    pt: `ela ainda não tem certificado: ${command} <cert.pfx>`,
  };
}

/**
 * Changes a company: what was written is merged into what stands, at every depth, and null removes a field. Errors: those of `changeOne`.
 */
export async function updateCompany(context: Context, given: Given<typeof update>): Promise<Outcome> {
  const written = await readWritten(context, given);
  const { sends, storeNamespace } = await context.settings();
  const companyId = await idAmong(context, given.companyId);
  return await changeOne(context, {
    resource: companyResource(companyId, sends.taxNumbers),
    ...{ written, file: given.file },
    question: ({ standing = {}, changes }) => {
      const whose = nameOf(standing, companyId);
      const fields = counted(changes.length, nouns.field);
      return {
        what: {
          en: `changing ${fields.en} of company ${whose} (profile ${storeNamespace})`,
          pt: `alterar ${fields.pt} da empresa ${whose} (perfil ${storeNamespace})`,
        },
      };
    },
    shown: shownCompany,
    done: (after, { changes }) => {
      const name = nameOf(after, companyId);
      const count = counted(changes.length, nouns.field);
      return { text: { en: `company ${name} updated: ${count.en}`, pt: `empresa ${name} alterada: ${count.pt}` } };
    },
  });
}

/**
 * Deletes a company after the user types its id twice. The service keeps its row but no longer captures or issues for it (public).
 * Errors: those of `removeOne`.
 */
export async function deleteCompany(context: Context, given: Given<typeof remove>): Promise<Outcome> {
  const companyId = await idAmong(context, given.companyId);
  let whose = companyId;
  return await removeOne(context, {
    operation: 'company.delete',
    input: { path: { companyId } },
    async question() {
      const { storeNamespace } = await context.settings();
      whose = nameOf(await fetchCompany(context, companyId), companyId);
      return {
        what: {
          en: `deleting company ${whose} (profile ${storeNamespace}): nothing will be captured or issued for it any more`,
          pt: `excluir a empresa ${whose} (perfil ${storeNamespace}): nada mais é capturado nem emitido para ela`,
        },
        confirmWith: confirmedBy(context, [companyId], given.confirm),
      };
    },
    done() {
      const text = { en: `company ${whose} deleted`, pt: `empresa ${whose} excluída` };
      return { data: { id: companyId, deleted: true }, sentence: sentenceOf('good', text) };
    },
  });
}

const seeSample: Text = {
  en: 'see a minimal company: fiscal company create --sample > company.json',
  pt: 'veja uma empresa mínima: fiscal company create --sample > empresa.json',
};

/** The batch family of companies, for `job resume` of an interrupted create. */
export const companyFamily: BatchFamily = {
  label: { en: 'creating companies', pt: 'criando empresas' },
  idField: 'companyId',
  fields: ({ resourceId }) => (resourceId === undefined ? {} : { companyId: resourceId }),
};
