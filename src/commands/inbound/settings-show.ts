import type { InboundFamily } from '../../contract/inbound.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { companiesOf } from '../../services/companies.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany, CompanyLabel } from '../../services/scope/scope.js';
import { noteSpacing, spacedNotice } from './read-spacing.js';

/** The settings of one company and family, every field as it came; a spaced capture is told with its causes (§2). */
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
