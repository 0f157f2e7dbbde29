import type { CompanyInput } from '../../contract/company.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import { companyBody } from '../../domain/company-check.js';
import { counted, nouns } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { readTaxNumber } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { companyCreate } from '../../jobs/kinds/company.js';
import type { Context } from '../../services/context.js';
import { fetchCompany, companyIn, shownCompany } from '../../services/scope/account.js';
import { changeText, notShown, shownOtherwise } from '../../services/calls/merge-fields.js';
import { changesBetween, takenFrom, type Change, type JsonObject } from '../../domain/field-changes.js';
import { previewOne } from '../../services/calls/one-call.js';
import { idAmong } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { companyText } from '../../services/scope/text.js';
import { requireArrived, runSingle } from '../../services/batch/single-job.js';
import type { BatchFamily } from '../../services/batch/run-batch.js';
import { draftCompany, readWritten, sampleCompany, type WrittenCompany } from './written-company.js';
import { sentenceOf } from '../../domain/sentence.js';

/** Never polled: the response contains the company. */
const follow = { wait: false, timeout: 0, interval: 1_000, retryBillable: false };

/**
 * Creates a company as a job of one item: after an unknown outcome it searches the account for the CNPJ before
 * anything is sent again. Errors: `input.*`, `company.exists`, `outcome.unknown`.
 */
export async function createCompany(context: Context, request: CreateRequest): Promise<Outcome> {
  if (request.sample) return { data: sampleCompany };
  const settings = await context.settings();
  const written = await readWritten(context, request);
  const company = draftCompany(written, {}, { file: request.file, form: settings.sends.taxNumbers });
  const cnpj = readTaxNumber(company.federalTaxNumber) ?? '';
  if (settings.dryRun) {
    return { data: await previewOne(context, 'company.create', { path: {}, body: { company } }) };
  }
  const single = await runSingle(
    context,
    {
      kind: companyCreate,
      profile: settings.storeNamespace,
      inputDigest: digestOf(company),
      scope: {},
      items: [
        {
          ordinal: 1,
          label: cnpj,
          dedupeKey: cnpj,
          input: { company },
        },
      ],
    },
    follow,
  );
  if (single.item.state === 'skipped') throw alreadyThere(cnpj);
  const { resourceId = '', jobId } = requireArrived(single);
  const data = { ...shownCompany(await fetchCompany(context, resourceId)), jobId };
  const { otherwise } = takenFrom(changesBetween({}, shownCompany({ ...company })), data);
  if (otherwise.length > 0) {
    const command = fiscalLine({ command: 'company get', positionals: [resourceId] });
    throw shownOtherwise(otherwise, command).with({ jobId });
  }
  const name = nameOf(data, resourceId);
  const sentence = sentenceOf('good', { en: `company ${name} created`, pt: `empresa ${name} criada` });
  return { data, sentence, notices: [next(resourceId)] };
}

/** Name, CNPJ and id as the service shows them. */
function nameOf(fields: JsonObject, id: string): string {
  return companyText({ id, ...namesIn(fields) });
}

interface CreateRequest extends WrittenCompany {
  /** Shows a minimal company and sends nothing. */
  readonly sample: boolean;
}

function alreadyThere(cnpj: string): FiscalError {
  const hint = { en: 'see it: fiscal company list --all', pt: 'veja: fiscal company list --all' };
  return new FiscalError('company.exists', { cnpj }, { sent: 'yes', operation: 'company.create', hint });
}

function digestOf(company: CompanyInput): string {
  return `company ${JSON.stringify(company)}`;
}

function next(companyId: string) {
  const command = `${fiscalLine({ command: 'certificate upload', company: companyId })} --file`;
  return {
    en: `it has no certificate yet: ${command} <cert.pfx>`,
    pt: `ela ainda não tem certificado: ${command} <cert.pfx>`,
  };
}

interface UpdateRequest extends WrittenCompany {
  /** Its id, CNPJ, name or alias. */
  readonly company: string;
}

/**
 * The service replaces the whole company, so this reads it, merges the input into it (null removes a field), shows the
 * difference, asks, and sends the part that a request carries, each value as it was read. Without a difference it sends
 * nothing.
 */
export async function updateCompany(context: Context, request: UpdateRequest): Promise<Outcome> {
  const written = await readWritten(context, request);
  const { dryRun, sends, storeNamespace } = await context.settings();
  const companyId = await idAmong(context, request.company);
  const standing = await wholeCompany(context, companyId);
  const company = draftCompany(written, standing, { file: request.file, form: sends.taxNumbers });
  const [before, after] = [shownCompany(companyBody(standing)), shownCompany({ ...company })];
  const changes = changesBetween(before, after);
  if (changes.length === 0) return { data: shownCompany(standing), notices: [nothingDiffers] };
  const input = { path: { companyId }, body: { company } };
  if (dryRun) return { data: { ...(await previewOne(context, 'company.update', input)), changes } };
  for (const change of changes) await context.notice(changeText(change));
  await context.consent({
    what: changing({ id: companyId, ...namesIn(standing) }, changes.length, storeNamespace),
  });
  const client = await context.client();
  const { body } = await client.call('company.update', input, { signal: context.interruption });
  const answered: unknown = body;
  const shown = isRecord(answered) && isRecord(answered['company']) ? answered['company'] : undefined;
  const isWhole = shown !== undefined && takenFrom(changes, shown).unseen.length === 0;
  const data = shownCompany(isWhole ? shown : await fetchCompany(context, companyId));
  const { otherwise, unseen } = takenFrom(changes, data);
  const moved = takenFrom(keptFields(after, changes), data).otherwise;
  if (otherwise.length + moved.length > 0) {
    const command = fiscalLine({ command: 'company get', positionals: [companyId] });
    throw shownOtherwise([...otherwise, ...moved], command);
  }
  const lost = takenFrom(changesBetween(companyBody(standing), standing), data).unseen;
  const notices = [
    ...(unseen.length === 0 ? [] : [notShown(unseen)]),
    ...(lost.length === 0 ? [] : [noLongerShown(lost)]),
  ];
  const name = nameOf(data, companyId);
  const count = counted(changes.length, nouns.field);
  const isProven = unseen.length + lost.length === 0;
  const sentence = sentenceOf(isProven ? 'good' : 'warn', {
    en: `company ${name} updated: ${count.en}`,
    pt: `empresa ${name} alterada: ${count.pt}`,
  });
  return { data, sentence, notices };
}

/** Fields that no request carries, and that the service showed before the update. */
function noLongerShown(fields: readonly string[]): Text {
  const list = fields.join(', ');
  return {
    en: `the service no longer shows ${list}: the published body of an update cannot carry it`,
    pt: `o serviço não mostra mais ${list}: o corpo publicado de uma alteração não comporta esse dado`,
  };
}

/** The service replaces the whole: an update merged into an incomplete company would delete the missing fields. */
async function wholeCompany(context: Context, companyId: string): Promise<JsonObject> {
  const company = await fetchCompany(context, companyId);
  const { id = companyId, name, federalTaxNumber } = company;
  const isWhole = id === companyId && typeof name === 'string' && federalTaxNumber !== undefined;
  if (isWhole) return company;
  const reason = {
    en: `the response is not company ${companyId} with name and CNPJ; nothing was changed`,
    pt: `não é a empresa ${companyId} com nome e CNPJ; nada foi alterado`,
  };
  const operation = 'company.get';
  throw new FiscalError('service.unreadable', { operation, status: 200, reason }, { operation, sent: 'no' });
}

/** The sent fields, unchanged; other fields may belong to the service. */
function keptFields(merged: JsonObject, changes: readonly Change[]): readonly Change[] {
  const changed = new Set(changes.map(({ field }) => field.split('.')[0]));
  const names = ['name', 'tradeName', 'federalTaxNumber', 'taxRegime', 'address'] as const;
  const kept = names.filter((name) => !changed.has(name) && name in merged);
  return kept.map((field) => ({ field, from: merged[field], to: merged[field] }));
}

/** Name and CNPJ according to the service. */
function namesIn(fields: JsonObject) {
  const { name, taxNumber } = companyIn({ ...fields, id: '-' }) ?? {};
  return { name, taxNumber };
}

function changing(company: AccountCompany, count: number, storeNamespace: string): Text {
  const whose = companyText(company);
  const fields = counted(count, nouns.field);
  return {
    en: `changing ${fields.en} of company ${whose} (profile ${storeNamespace})`,
    pt: `alterar ${fields.pt} da empresa ${whose} (perfil ${storeNamespace})`,
  };
}

const nothingDiffers: Text = {
  en: 'the company already has these values; nothing was sent',
  pt: 'a empresa já está assim; nada foi enviado',
};

export interface DeleteRequest {
  /** Its id, CNPJ, name or alias. */
  readonly company: string;
  /** The id typed again, so that a slip deletes no other company. */
  readonly confirm: string | undefined;
}

/**
 * Deletes a company after the user types its id twice. The service keeps its row but no longer captures or issues for it (public).
 * When the answer is lost and a repeat finds it gone, that is a success.
 */
export async function deleteCompany(context: Context, request: DeleteRequest): Promise<Outcome> {
  const companyId = await idAmong(context, request.company);
  const input = { path: { companyId } };
  const { dryRun, storeNamespace } = await context.settings();
  if (dryRun) return { data: await previewOne(context, 'company.delete', input) };
  const company = await fetchCompany(context, companyId);
  const { name, taxNumber } = companyIn({ ...company, id: companyId }) ?? {};
  const what = deleting({ id: companyId, name, taxNumber }, storeNamespace);
  await context.consent({ what, confirmWith: { value: companyId, given: request.confirm } });
  const client = await context.client();
  try {
    await client.call('company.delete', input, { signal: context.interruption });
  } catch (error) {
    if (!isGoneByOurselves(error)) throw error;
  }
  const text = companyText({ id: companyId, name, taxNumber });
  const sentence = sentenceOf('good', { en: `company ${text} deleted`, pt: `empresa ${text} excluída` });
  return { data: { id: companyId, deleted: true }, sentence };
}

/** It existed a moment ago; a 404 after a repeated send means that the first one succeeded. */
function isGoneByOurselves(error: unknown): boolean {
  if (!(error instanceof FiscalError)) return false;
  return error.code === 'service.not_found' && (error.facts.attempts ?? 1) > 1;
}

function deleting(company: AccountCompany, storeNamespace: string): Text {
  const whose = companyText(company);
  return {
    en: `deleting company ${whose} (profile ${storeNamespace}): nothing will be captured or issued for it any more`,
    pt: `excluir a empresa ${whose} (perfil ${storeNamespace}): nada mais é capturado nem emitido para ela`,
  };
}

/** The batch family of companies, for `job resume` of an interrupted create. */
export const companyFamily: BatchFamily = {
  label: { en: 'creating companies', pt: 'criando empresas' },
  idField: 'companyId',
  fields: ({ resourceId }) => (resourceId === undefined ? {} : { companyId: resourceId }),
};
