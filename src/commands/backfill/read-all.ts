import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { summaryOf } from '../../jobs/kinds/backfill-release.js';
import type { Summary } from '../../jobs/kinds/backfill-sweep.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import type { Context } from '../../services/context.js';
import { mapConcurrent } from '../../jobs/concurrency.js';

/** The summary of one company, or why there is none. */
export interface CompanySummary {
  readonly company: AccountCompany;
  readonly summary: Summary | undefined;
  readonly error: FiscalError | undefined;
}

/**
 * Reads the summaries, so many at once as requests may run, in the order of the companies. A company without capture (404)
 * or beyond the key's permission (403) stands in the result with its error. Other errors concern everybody and are thrown.
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

/** One company is asked about alone: what is wrong with it is the error of the command. */
export function requireSole(read: readonly CompanySummary[]): void {
  const [first, ...others] = read;
  if (first?.error !== undefined && others.length === 0) throw first.error;
}

export interface Concerned {
  readonly read: readonly CompanySummary[];
  readonly notices: readonly Text[];
}

/** Who asks for all companies means those with NFS-e capture; who names one that has none is told. */
export function concerned(read: readonly CompanySummary[], isAll: boolean): Concerned {
  const kept = isAll ? read.filter(({ error }) => error?.code !== 'backfill.no_capture') : read;
  const count = read.length - kept.length;
  return { read: kept, notices: count === 0 ? [] : [leftOut(count)] };
}

function leftOut(count: number): Text {
  return counted(count, {
    en: [
      '# company has no NFS-e capture and is left out',
      '# companies have no NFS-e capture and are left out',
    ],
    pt: [
      '# empresa não tem captura de NFS-e e fica de fora',
      '# empresas não têm captura de NFS-e e ficam de fora',
    ],
  });
}
