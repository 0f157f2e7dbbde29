import { numberedRows } from '../../client/list-rows.js';
import { familyNames, type InboundFamily } from '../../contract/inbound.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { Outcome } from '../../domain/outcome.js';
import type { JsonObject } from '../../domain/field-changes.js';
import { isRecord } from '../../domain/record.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { hintWhenAbsent } from '../../errors/hint-when-absent.js';
import { Prose } from '../../domain/prose.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { companiesOf, narrowingCompanies } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import { andThen, previewOne } from '../../services/calls/one-call.js';
import { noteSettings } from '../../services/company/capture.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany, CompanyLabel } from '../../services/scope/scope.js';
import type { Given } from '../../cli/command.js';
import type { show } from './capture-commands.js';
import { notOffered } from './document.js';
import { noteSpacing, spacedNotice } from './spacing.js';

const PAGE = 100;

/** Settings belong to one family: it is never guessed. Error: `usage.missing`. */
export function requiredFamily(type: InboundFamily | undefined): InboundFamily {
  if (type === undefined) throw new FiscalError('usage.missing', { names: '--type' }, { sent: 'no' });
  return type;
}

/**
 * How the capture of one family is set: of one company, with every field as it came; of several, a row for each; with `--listed`,
 * the service's own list. Errors: `usage.*`, `service.not_found` for one company that does not capture, `service.list_cut`.
 */
export async function showCapture(context: Context, options: Given<typeof show>): Promise<Outcome> {
  const family = requiredFamily(options.type);
  if (family !== 'nfse' && (options.statistics || options.listed)) throw onlyNfse();
  return await (options.listed ? listCapturing(context) : showSettings(context, family, options));
}

export function onlyNfse(): FiscalError {
  return notOffered(
    {
      en: 'the service has statistics, notices, and a list of the companies that capture, for NFS-e only',
      pt: 'o serviço só tem estatísticas, avisos e a lista das empresas com captura para NFS-e',
    },
    {
      en: 'all families of all companies: fiscal status --check',
      pt: 'todas as famílias de todas as empresas: fiscal status --check',
    },
  );
}

/** The companies that have NFS-e capture, with how it is set, as a stream (public). Errors: `usage.invalid` with `--company`, `service.list_cut`. */
async function listCapturing(context: Context): Promise<Outcome> {
  await narrowingCompanies(context, true);
  if ((await context.settings()).dryRun) {
    const query = { pageIndex: 1, pageCount: PAGE };
    return { data: await previewOne(context, 'nfse.inbound.companies', { path: {}, query }) };
  }
  return { data: companies(context) };
}

async function* companies(context: Context): AsyncGenerator<unknown> {
  const client = await context.client();
  const input = { path: {}, query: { pageCount: PAGE }, idField: 'companyId' };
  const label = await (await context.scope()).labels();
  const rows = numberedRows(client, 'nfse.inbound.companies', input, { signal: context.interruption });
  for await (const row of rows) {
    // A company of this list is published with `id`.
    const companyId = textField(row, 'companyId') ?? textField(row, 'id');
    const own = companyId === undefined ? {} : { companyId, ...label(companyId) };
    yield isRecord(row) ? { ...own, ...row } : row;
  }
}

/** For a spaced capture with its possible causes (§2). */
async function showSettings(
  context: Context,
  family: InboundFamily,
  { allCompanies, statistics }: Given<typeof show>,
): Promise<Outcome> {
  const companies = await companiesOf(context, { all: allCompanies });
  const [company, ...others] = companies;
  if (company !== undefined && others.length === 0 && !allCompanies)
    return await showOne(context, { family, company, statistics });
  const rows = companies.map((company) => showRow(context, { family, company, statistics }));
  const outcomes: Outcome[] = [];
  for (const row of rows) outcomes.push(await row());
  const isWhole = outcomes.every(({ exitCode }) => exitCode === undefined);
  return {
    data: outcomes.map(({ data }) => data),
    exitCode: isWhole ? ExitCode.ok : ExitCode.partial,
    notices: outcomes.flatMap(({ notices }) => notices ?? []),
  };
}

/** Of several, one that cannot be read keeps its row, with the reason. A family that is not enabled (404) is an answer. */
function showRow(context: Context, shown: Shown): () => Promise<Outcome> {
  const { family, company } = shown;
  const own = { family, companyId: company.id, ...labelOf(company) };
  return async () => {
    try {
      return await showOne(context, shown);
    } catch (error) {
      if (!(error instanceof FiscalError)) throw error;
      const { code, text, facts } = error;
      if (facts.httpStatus === 404) return { data: { ...own, enabled: false } };
      if (facts.httpStatus !== 403) throw error;
      return { data: { ...own, errorCode: code, error: new Prose(text) }, exitCode: ExitCode.partial };
    }
  };
}

interface Shown {
  readonly family: InboundFamily;
  readonly company: AccountCompany;
  readonly statistics: boolean;
}

async function showOne(context: Context, { family, company, statistics }: Shown): Promise<Outcome> {
  const { id: companyId } = company;
  const operation = `${family}.inbound.settings` as const;
  const input = { path: { companyId } };
  if ((await context.settings()).dryRun) {
    const notices = statistics ? [andThen('nfse.statistics')] : [];
    return { data: await previewOne(context, operation, input), notices };
  }
  const client = await context.client();
  const how = { signal: context.interruption };
  return await whereCaptured({ family, companyId }, async () => {
    const { body } = await client.call(operation, input, how);
    await noteSettings(context, { family, companyId }, body);
    const outcome = await shownSettings(context, { family, companyId, ...labelOf(company) }, body);
    if (!statistics) return outcome;
    const figures = await client.call('nfse.statistics', input, how);
    return { ...outcome, data: { ...outcome.data, statistics: figures.body } };
  });
}

/** The error for 404 says that the company does not capture the family, and how to enable it. */
export async function whereCaptured<Result>(
  { family, companyId }: { readonly family: InboundFamily; readonly companyId: string },
  call: () => Promise<Result>,
): Promise<Result> {
  const flags = [['--type', family]] as const;
  const line = fiscalLine({ command: 'inbound capture enable', flags, company: companyId });
  const name = familyNames[family];
  const hint = {
    en: `company ${companyId} does not capture ${name}, or is not of this account; to capture them: ${line}`,
    pt: `a empresa ${companyId} não captura ${name}, ou não é desta conta; para capturar: ${line}`,
  };
  return await hintWhenAbsent(hint, call);
}

export async function shownSettings(
  context: Context,
  capture: { readonly family: InboundFamily; readonly companyId: string } & CompanyLabel,
  body: unknown,
): Promise<Outcome & { readonly data: JsonObject }> {
  const until = await noteSpacing(context, capture, body);
  const data = typeof body === 'object' && body !== null ? body : {};
  return { data: { ...capture, ...data }, notices: until === undefined ? [] : [spacedNotice(until)] };
}
