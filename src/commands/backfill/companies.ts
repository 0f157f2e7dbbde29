import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { Prose } from '../../domain/prose.js';
import { mapConcurrent } from '../../jobs/concurrency.js';
import { summaryOf } from '../../jobs/kinds/backfill-release.js';
import type { Summary } from '../../jobs/kinds/backfill-sweep.js';
import { companiesOf, confirmedBy } from '../../services/scope/companies.js';
import { consentToBatch } from '../../services/batch/start-job.js';
import type { Context } from '../../services/context.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import type { show } from './commands.js';

/** The summary of one company, or why there is none. */
export interface CompanySummary {
  readonly company: AccountCompany;
  readonly summary: Summary | undefined;
  readonly error: FiscalError | undefined;
}

/**
 * Reads the summaries concurrently and returns them in the order of the companies. A company without capture (404)
 * or beyond the key's permission (403) is in the result with its error. Other errors affect every company and are thrown.
 */
export async function readSummaries(
  context: Context,
  companies: readonly AccountCompany[],
): Promise<readonly CompanySummary[]> {
  const { concurrency } = await context.settings();
  return await mapConcurrent(companies, concurrency, (company) => readOne(context, company));
}

async function readOne(context: Context, company: AccountCompany): Promise<CompanySummary> {
  const client = await context.client();
  try {
    const summary = await summaryOf(client, { companyId: company.id }, { signal: context.interruption });
    return { company, summary, error: undefined };
  } catch (error) {
    if (!(error instanceof FiscalError) || !isOfCompany(error)) throw error;
    return { company, summary: undefined, error: error.withText(await context.goOn.inText(error.text)) };
  }
}

function isOfCompany({ code }: FiscalError): boolean {
  return code === 'backfill.forbidden' || code === 'backfill.no_capture' || code === 'service.refused';
}

/** With a single company, its error is the error of the command. */
export function requireSole(read: readonly CompanySummary[]): void {
  const [first, ...others] = read;
  if (first?.error !== undefined && others.length === 0) throw first.error;
}

interface Concerned {
  readonly read: readonly CompanySummary[];
  readonly notices: readonly Text[];
}

/** `--all-companies` means those with NFS-e capture; a named company keeps its row without capture. */
export function concerned(read: readonly CompanySummary[], isAll: boolean): Concerned {
  const kept = isAll ? read.filter(({ error }) => error?.code !== 'backfill.no_capture') : read;
  const count = read.length - kept.length;
  return { read: kept, notices: count === 0 ? [] : [leftOut(count)] };
}

function leftOut(count: number): Text {
  return counted(count, {
    en: ['# company has no NFS-e capture and is left out', '# companies have no NFS-e capture and are left out'],
    pt: ['# empresa não tem captura de NFS-e e fica de fora', '# empresas não têm captura de NFS-e e ficam de fora'],
  });
}

/**
 * Cut-off, release and hidden documents (§2, §4): one object for one company, a record each for several. Exit 3 when some
 * of several could not be read. Errors: those of a call; `backfill.forbidden`, `backfill.no_capture` for a single company.
 */
export async function showBackfill(context: Context, given: Given<typeof show>): Promise<Outcome> {
  const { allCompanies } = given;
  const found = await readSummaries(context, await shownCompanies(context, given));
  const { read, notices } = concerned(found, allCompanies);
  const [first, ...others] = read;
  if (first !== undefined && others.length === 0 && !allCompanies && given.plan === undefined) {
    requireSole(read);
    return { data: shownSummary(first) };
  }
  const isPartial = read.some(({ error }) => error !== undefined);
  return { data: read.map(shownSummary), exitCode: isPartial ? ExitCode.partial : ExitCode.ok, notices };
}

/** Those of a plan, or the chosen ones. Errors: those of `readPlan` and of the choice of companies. */
export async function shownCompanies(
  context: Context,
  { allCompanies, plan }: Pick<Given<typeof show>, 'allCompanies' | 'plan'>,
): Promise<readonly AccountCompany[]> {
  if (plan === undefined) return await companiesOf(context, { all: allCompanies });
  const { readPlan, releasesOf } = await import('./plan-file.js');
  const releases = releasesOf(await readPlan(context, plan), plan);
  return await companiesOf(context, { all: false, words: releases.map(({ companyId }) => companyId) });
}

export function shownSummary({ company, summary, error }: CompanySummary): DataRecord {
  return {
    type: 'backfill',
    companyId: company.id,
    ...labelOf(company),
    ...(summary?.startFromDate === undefined ? {} : { startFromDate: summary.startFromDate }),
    ...(summary?.released === undefined ? {} : { released: summary.released }),
    ...(summary?.hidden === undefined ? {} : { hiddenDocumentsCount: summary.hidden }),
    ...(error === undefined ? {} : { errorCode: error.code, error: new Prose(error.text) }),
  };
}

interface SweepQuestion {
  readonly what: Text;
  readonly ids: readonly string[];
  readonly given: string | undefined;
  /** The id of a reviewed plan, which represents its set of companies. */
  readonly planId?: string | undefined;
}

/**
 * Confirms a change of a whole history: the user names exactly the companies, in any order, or the plan. Errors:
 * `usage.confirmation_required`, `usage.invalid_value`, `usage.declined`.
 */
export async function confirmCompanies(context: Context, question: SweepQuestion): Promise<void> {
  const { what, ids, given, planId } = question;
  const confirmWith = planId === undefined ? confirmedBy(context, ids, given) : { value: planId, given };
  await consentToBatch(context, { what, confirmWith });
}
