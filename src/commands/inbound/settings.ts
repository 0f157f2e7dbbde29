import { numberedRows } from '../../client/list-rows.js';
import type { InboundFamily } from '../../contract/inbound.js';
import { activityOf } from '../../domain/capture-settings.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { Outcome } from '../../domain/outcome.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { companiesOf, oneCompany } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { noteSettings } from '../../services/company/capture.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany, CompanyLabel } from '../../services/scope/scope.js';
import { companyText } from '../../services/scope/text.js';
import { noteSpacing, spacedNotice } from './spacing.js';
import { sentenceOf } from '../../domain/sentence.js';

const PAGE = 100;

/** The companies that have NFS-e capture, with how it is set, as a stream (public). Error: `service.list_cut`. */
export async function listCapturing(context: Context): Promise<Outcome> {
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

/** The settings of one company and family, every field as it came; for a spaced capture with its possible causes (§2). */
export async function showSettings(
  context: Context,
  family: InboundFamily,
  allCompanies: boolean,
): Promise<Outcome> {
  const companies = await companiesOf(context, { all: allCompanies });
  const [company, ...others] = companies;
  if (company !== undefined && others.length === 0 && !allCompanies)
    return await showOne(context, family, company);
  const rows = companies.map((one) => showRow(context, family, one));
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
function showRow(context: Context, family: InboundFamily, company: AccountCompany): () => Promise<Outcome> {
  const own = { family, companyId: company.id, ...labelOf(company) };
  return async () => {
    try {
      return await showOne(context, family, company);
    } catch (error) {
      if (!(error instanceof FiscalError)) throw error;
      const { code, text, facts } = error;
      if (facts.httpStatus === 404) return { data: { ...own, enabled: false } };
      if (facts.httpStatus !== 403) throw error;
      return { data: { ...own, errorCode: code, error: text.en }, exitCode: ExitCode.partial };
    }
  };
}

async function showOne(context: Context, family: InboundFamily, company: AccountCompany): Promise<Outcome> {
  const { id: companyId } = company;
  const operation = `${family}.inbound.settings` as const;
  const input = { path: { companyId } };
  if ((await context.settings()).dryRun) return { data: await previewOne(context, operation, input) };
  const client = await context.client();
  const { body } = await client.call(operation, input, { signal: context.interruption });
  await noteSettings(context, { family, companyId }, body);
  return await shownSettings(context, { family, companyId, ...labelOf(company) }, body);
}

export async function shownSettings(
  context: Context,
  capture: { readonly family: InboundFamily; readonly companyId: string } & CompanyLabel,
  body: unknown,
): Promise<Outcome> {
  const until = await noteSpacing(context, capture, body);
  const data = typeof body === 'object' && body !== null ? body : {};
  return {
    data: { ...capture, ...data },
    notices: until === undefined ? [] : [spacedNotice(until)],
  };
}

/** Ends the capture of one family for a company, with consent: what arrives from then on is not captured. */
export async function disableInbound(context: Context, family: InboundFamily): Promise<Outcome> {
  const company = await oneCompany(context);
  const { id: companyId } = company;
  const whose = companyText(company);
  const { dryRun, storeNamespace } = await context.settings();
  const operation = `${family}.inbound.disable` as const;
  const input = { path: { companyId } };
  if (dryRun) return { data: await previewOne(context, operation, input) };
  await context.consent({
    what: {
      en: `ending the capture of ${family} for company ${whose} (profile ${storeNamespace})`,
      pt: `encerrar a captura de ${family} da empresa ${whose} (perfil ${storeNamespace})`,
    },
  });
  const client = await context.client();
  const { body } = await client.call(operation, input, { signal: context.interruption });
  const activity = answeredActivity(body);
  await noteSettings(context, { family, companyId }, activity === 'inactive' ? undefined : body);
  const disabled = { active: false, unclear: null, inactive: true }[activity];
  const data = { family, companyId, ...body, disabled };
  if (disabled === true) {
    const ended = {
      en: `capture of ${family} ended for company ${whose}`,
      pt: `captura de ${family} encerrada para a empresa ${whose}`,
    };
    return { data, sentence: sentenceOf('good', ended) };
  }
  const show = fiscalLine({
    command: 'inbound settings show',
    flags: [['--type', family]],
    company: companyId,
  });
  const said =
    disabled === false
      ? { en: 'says that it is still active', pt: 'diz que ela continua ativa' }
      : { en: 'does not say whether it ended', pt: 'não diz se ela foi encerrada' };
  const open = {
    en: `the service took the request to end the capture of ${family} for company ${whose}, and its answer ${said.en}; look again: ${show}`,
    pt: `o serviço aceitou o pedido de encerrar a captura de ${family} da empresa ${whose}, e a resposta ${said.pt}; confira depois: ${show}`,
  };
  return { data, exitCode: ExitCode.partial, notices: [open] };
}

/** What an answer to the end of a capture says of it; one that says nothing confirms it. */
function answeredActivity(body: unknown): ReturnType<typeof activityOf> {
  const isSaid = ['isActive', 'status'].some((name) => (fieldOf(body, name) ?? null) !== null);
  return isSaid ? activityOf(body) : 'inactive';
}
