import type { CompanyInput } from '../../contract/company.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import { checkCompany } from '../../domain/company-check.js';
import { counted, nouns } from '../../domain/counted.js';
import { exactNumbers, parseKeepingNumbers } from '../../domain/json-numbers.js';
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

/** Never asked for: a company is there with the answer. */
const follow = { wait: false, timeoutMs: 0, intervalMs: 1_000, retryBillable: false };

/**
 * Creates a company as a job of one item: after an unknown outcome the account is looked through for its CNPJ before
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
 * The service replaces the whole, so the company is read, what was written is merged into it (null takes a field away), the
 * difference is shown and asked about, and the whole is sent. Without a difference nothing is sent.
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

/** The service replaces the whole: what is merged into half a company would take the other half away. */
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

/** What was sent as it stood; fields that no list names may be the service's own. */
function keptFields(merged: JsonObject, changes: readonly Change[]): readonly Change[] {
  const changed = new Set(changes.map(({ field }) => field.split('.')[0]));
  const names = ['name', 'tradeName', 'federalTaxNumber', 'taxRegime', 'address'] as const;
  const kept = names.filter((name) => !changed.has(name) && name in merged);
  return kept.map((field) => ({ field, from: merged[field], to: merged[field] }));
}

/** Without what the service alone decides. */
function ownFields(company: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(company).filter(([name]) => !given.has(name)));
}

/** What the service says of name and CNPJ. */
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

/** How a command gives a company: a file, fields over it, or both. */
export interface WrittenCompany {
  readonly file: string | undefined;
  readonly name: string | undefined;
  readonly cnpj: string | undefined;
  readonly tradeName: string | undefined;
  readonly taxRegime: string | undefined;
}

/** What is written, not checked yet. `{company: {…}}` is taken as well as what is inside. Errors: `usage.missing`, `input.*`. */
async function readWritten(context: InputContext, written: WrittenCompany): Promise<JsonObject> {
  const { file, name, cnpj: federalTaxNumber, tradeName, taxRegime } = written;
  const given = { name, federalTaxNumber, tradeName, taxRegime };
  const flags = Object.entries(given).filter(([, value]) => value !== undefined);
  if (file === undefined && flags.length === 0) throw nothingGiven();
  const base = file === undefined ? {} : await readFile(context, file);
  return { ...base, ...Object.fromEntries(flags) };
}

/**
 * The company as it is sent: its CNPJ without punctuation. Only what the user wrote is judged: what stands at the service is
 * its own affair. Error: `input.invalid` with every problem.
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
    // Some deployments show it as a number, which has lost its leading zeros.
    federalTaxNumber: checkCnpj(String(federalTaxNumber).padStart(14, '0')).value,
  };
}

async function readFile(context: InputContext, file: string): Promise<JsonObject> {
  const source = await openSource(context, file, { again: false });
  const { value, problems } = exactNumbers(await readJsonOrYaml(source, parseKeepingNumbers));
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
  /** The id once more, so that no other company goes by a slip. */
  readonly confirm: string | undefined;
}

/**
 * Deletes a company, with its id typed twice. The service keeps its row but captures and issues nothing for it any more (public).
 * A repeat of a lost answer that finds it gone is a success.
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

/** It was there a moment ago; a 404 after more than one send is the echo of the first. */
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

/** What a company adds to a batch: `job resume` of an interrupted create. */
export const companyFamily: BatchFamily = {
  label: { en: 'creating companies', pt: 'criando empresas' },
  idField: 'companyId',
  fields: ({ resourceId }) => (resourceId === undefined ? {} : { companyId: resourceId }),
};
