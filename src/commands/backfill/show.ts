import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Context } from '../../services/context.js';
import { labelOf } from '../../services/scope/resolver.js';
import { chosenCompanies } from './companies.js';
import { concerned, readSummaries, requireSole, type CompanySummary } from './read-all.js';

/**
 * Cut-off, release and hidden documents (§2, §4): one object for one company, a record each for several. Exit 3 when some
 * of several could not be read. Errors: those of a call; `backfill.forbidden`, `backfill.no_capture` of a sole company.
 */
export async function showBackfill(
  context: Context,
  { allCompanies }: { readonly allCompanies: boolean },
): Promise<Outcome> {
  const found = await readSummaries(context, await chosenCompanies(context, { all: allCompanies }));
  const { read, notices } = concerned(found, allCompanies);
  const [first, ...others] = read;
  if (first !== undefined && others.length === 0 && !allCompanies) {
    requireSole(read);
    return { data: shownSummary(first) };
  }
  const isPartial = read.some(({ error }) => error !== undefined);
  return { data: read.map(shownSummary), exitCode: isPartial ? ExitCode.partial : ExitCode.ok, notices };
}

export function shownSummary({ company, summary, error }: CompanySummary): DataRecord {
  return {
    type: 'backfill',
    companyId: company.id,
    ...labelOf(company),
    ...(summary?.startFromDate === undefined ? {} : { startFromDate: summary.startFromDate }),
    ...(summary?.released === undefined ? {} : { released: summary.released }),
    ...(summary?.hidden === undefined ? {} : { hiddenDocumentsCount: summary.hidden }),
    ...(error === undefined ? {} : { errorCode: error.code, error: error.text.en }),
  };
}
