import type { CompanyInput } from '../../contract/company.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import { checkCompany } from '../../domain/company-check.js';
import { counted, nouns } from '../../domain/counted.js';
import { inexactNumbers, parseKeepingNumbers } from '../../domain/json-numbers.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { checkCnpj } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { companyCreate } from '../../jobs/kinds/company.js';
import type { Context } from '../../services/context.js';
import { fetchCompany, companyIn } from '../../services/scope/account.js';
import { readJsonOrYaml } from '../../services/input/records.js';
import { type InputContext, openSource } from '../../services/input/source.js';
import {
  changesBetween,
  changeText,
  merge,
  notShown,
  shownOtherwise,
  takenFrom,
  type Change,
  type JsonObject,
} from '../../services/calls/merge-fields.js';
import { previewOne } from '../../services/calls/one-call.js';
import { idAmong } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { companyText } from '../../services/scope/text.js';
import { requireArrived, runSingle } from '../../services/batch/single-job.js';
import type { BatchFamily } from '../../services/batch/run-batch.js';

/** Never polled: the response contains the company. */
const follow = { wait: false, timeoutMs: 0, intervalMs: 1_000, retryBillable: false };

/**
 * Creates a company as a job of one item: after an unknown outcome it searches the account for the CNPJ before
 * anything is sent again. Errors: `input.*`, `company.exists`, `outcome.unknown`.
 */
export async function createCompany(context: Context, request: WrittenCompany): Promise<Outcome> {
  const written = await readWritten(context, request);
  const company = checkedCompany(written, written, request.file);
  const settings = await context.settings();
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
          label: company.federalTaxNumber,
          dedupeKey: company.federalTaxNumber,
          input: { company },
        },
      ],
    },
    follow,
  );
  if (single.item.state === 'skipped') throw alreadyThere(company.federalTaxNumber);
  const { resourceId = '', jobId } = requireArrived(single);
  return { data: { ...(await fetchCompany(context, resourceId)), jobId }, notices: [next(resourceId)] };
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
 * difference, asks, and sends the whole. Without a difference it sends nothing.
 */
export async function updateCompany(context: Context, request: UpdateRequest): Promise<Outcome> {
  const { file } = request;
  const written = await readWritten(context, request);
  const companyId = await idAmong(context, request.company);
  const standing = ownFields(await wholeCompany(context, companyId));
  const merged = merge(standing, written);
  const company = checkedCompany(merged, written, file);
  const changes = changesBetween(standing, merged);
  if (changes.length === 0) return { data: { id: companyId, ...standing }, notices: [nothingDiffers] };
  const input = { path: { companyId }, body: { company } };
  const { dryRun, storeNamespace } = await context.settings();
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
  const data = isWhole ? shown : await fetchCompany(context, companyId);
  const { otherwise, unseen } = takenFrom(changes, data);
  const moved = takenFrom(keptFields(merged, changes), data).otherwise;
  if (otherwise.length + moved.length > 0) {
    const command = fiscalLine({ command: 'company get', positionals: [companyId] });
    throw shownOtherwise([...otherwise, ...moved], command);
  }
  return { data, ...(unseen.length === 0 ? {} : { notices: [notShown(unseen)] }) };
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

const given = new Set(['id', 'status', 'createdOn', 'modifiedOn']);

/** The sent fields, unchanged; other fields may belong to the service. */
function keptFields(merged: JsonObject, changes: readonly Change[]): readonly Change[] {
  const changed = new Set(changes.map(({ field }) => field.split('.')[0]));
  const names = ['name', 'tradeName', 'federalTaxNumber', 'taxRegime', 'address'] as const;
  const kept = names.filter((name) => !changed.has(name) && name in merged);
  return kept.map((field) => ({ field, from: merged[field], to: merged[field] }));
}

/** Without the fields that only the service sets. */
function ownFields(company: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(company).filter(([name]) => !given.has(name)));
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

/** The input of a company: a file, fields that override it, or both. */
export interface WrittenCompany {
  readonly file: string | undefined;
  readonly name: string | undefined;
  readonly cnpj: string | undefined;
  readonly tradeName: string | undefined;
  readonly taxRegime: string | undefined;
}

/** The input before checks. Accepts `{company: {…}}` and its content alone. Errors: `usage.missing`, `input.*`. */
async function readWritten(context: InputContext, written: WrittenCompany): Promise<JsonObject> {
  const { file, name, cnpj: federalTaxNumber, tradeName, taxRegime } = written;
  const given = { name, federalTaxNumber, tradeName, taxRegime };
  const flags = Object.entries(given).filter(([, value]) => value !== undefined);
  if (file === undefined && flags.length === 0) throw nothingGiven();
  const base = file === undefined ? {} : await readFile(context, file);
  return { ...base, ...Object.fromEntries(flags) };
}

/**
 * The company to send, with its CNPJ without punctuation. Checks only the fields that the user wrote, not those of the
 * service. Error: `input.invalid` with every problem.
 */
function checkedCompany(company: JsonObject, written: JsonObject, file: string | undefined): CompanyInput {
  const problems = checkCompany(company).filter(({ field }) => {
    const [first = ''] = field.split('.');
    return !(first in company) || first in written;
  });
  if (problems.length > 0) {
    const details = problems.map(({ field, message }) => ({ field, message }));
    const what = file === undefined || file === '-' ? theCompany : file;
    throw new FiscalError('input.invalid', { what }, { details, sent: 'no' });
  }
  const { name, federalTaxNumber, ...others } = company;
  return {
    ...others,
    name: String(name),
    // Some deployments return it as a number, without its leading zeros.
    federalTaxNumber: checkCnpj(String(federalTaxNumber).padStart(14, '0')).value,
  };
}

async function readFile(context: InputContext, file: string): Promise<JsonObject> {
  const source = await openSource(context, file, { again: false });
  const value = await readJsonOrYaml(source, parseKeepingNumbers);
  const problems = inexactNumbers(value);
  const inner = isRecord(value) && isRecord(value['company']) ? value['company'] : value;
  if (isRecord(inner) && problems.length === 0) return inner;
  const message = { en: 'must be an object', pt: 'deve ser um objeto' };
  const details = problems.length > 0 ? problems : [{ field: '.', message }];
  throw new FiscalError('input.invalid', { what: file === '-' ? theCompany : file }, { details, sent: 'no' });
}

function nothingGiven(): FiscalError {
  return new FiscalError('usage.missing', { names: '--file' }, { sent: 'no', hint: orFlags });
}

const theCompany: Text = { en: 'the company', pt: 'a empresa' };

const orFlags: Text = {
  en: 'give a file, or fields: --name, --cnpj, --trade-name, --tax-regime',
  pt: 'informe um arquivo ou campos: --name, --cnpj, --trade-name, --tax-regime',
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
  return { data: { id: companyId, deleted: true } };
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
