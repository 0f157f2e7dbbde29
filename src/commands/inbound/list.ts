import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { isClosedFilter } from '../../domain/odata.js';
import { readMoment } from '../../services/input/moment.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { firstOf } from '../../client/list-rows.js';
import { companiesOf } from '../../services/scope/companies.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { listLocal } from './list-local.js';
import { listDocuments, newReport, type ListReport } from './list-documents.js';
import type { DocumentDate, DocumentQuery } from './list-query.js';

/** The words of the user. */
export interface ListRequest {
  readonly allCompanies: boolean;
  readonly type: InboundFamily | undefined;
  readonly by: DocumentDate;
  /** A date, a time, or an age such as 30d. */
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly status: string | undefined;
  readonly webhookStatus: string | undefined;
  /** Of NFS-e. */
  readonly environment: 'Production' | 'Development' | undefined;
  readonly issuer: string | undefined;
  readonly nsuAfter: string | undefined;
  readonly filter: string | undefined;
  readonly orderBy: string | undefined;
  readonly limit: number | undefined;
  readonly all: boolean;
  readonly maxPages: number | undefined;
  /** Only documents in the store. */
  readonly local: boolean;
  /** Of those, only NF-e that wait for their full XML. */
  readonly summaries: boolean;
}

const DEFAULT_LIMIT = 100;

/** The captured documents of a company, as a stream; with `local`, those that this machine knows, without network. */
export async function listInbound(context: Context, request: ListRequest): Promise<Outcome> {
  const conditions = conditionsOf(request, context.clock.now());
  const limit = request.all ? Number.POSITIVE_INFINITY : (request.limit ?? DEFAULT_LIMIT);
  const { local, summaries, type, allCompanies } = request;
  if (summaries && type !== undefined && type !== 'nfe') throw invalidValue('--type', type, onlyNfe);
  if (local || summaries)
    return await listLocal(context, { ...conditions, allCompanies, family: type, limit, summaries });
  if (request.type === undefined) throw new FiscalError('usage.missing', { names: '--type' }, { sent: 'no' });
  assertListed(request);
  const companies = await companiesOf(context, { all: request.allCompanies });
  const query = { ...conditions, family: request.type, maxPages: request.maxPages };
  const report = newReport();
  const reading = { given: 0, isCut: false };
  return {
    data: firstOf(documentsOf(context, companies, { query: fitted(query, limit), report }), limit, reading),
    // Known only after the last document.
    get exitCode() {
      return report.unreadable === 0 ? ExitCode.ok : ExitCode.partial;
    },
    get notices() {
      return noticesOf(report, reading.isCut && request.limit === undefined ? limit : undefined);
    },
  };
}

/** Of one company. */
type CompanyQuery = Omit<DocumentQuery, 'companyId'>;

/** One company after another; each row names its company. */
async function* documentsOf(
  context: Context,
  companies: readonly AccountCompany[],
  { query, report }: { readonly query: CompanyQuery; readonly report: ListReport },
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for (const company of companies) {
    const { id: companyId } = company;
    for await (const row of listDocuments(context, { ...query, companyId }, report))
      yield { ...row, ...labelOf(company) };
  }
}

/** A short list needs no long page; one extra row shows whether it is cut. */
function fitted(query: CompanyQuery, limit: number): CompanyQuery {
  return limit < 500 ? { ...query, pageSize: limit + 1 } : query;
}

/** The conditions of the flags, checked before any request. */
function conditionsOf(request: ListRequest, now: number): Omit<DocumentQuery, 'family' | 'companyId'> {
  const { by, status, webhookStatus, environment, issuer, nsuAfter, filter, orderBy } = request;
  if (nsuAfter !== undefined && !/^\d{1,15}$/.test(nsuAfter))
    throw invalidValue('--nsu-after', nsuAfter, anNsu);
  if (filter !== undefined && !isClosedFilter(filter)) throw invalidValue('--filter', filter, aFilter);
  return {
    ...{ by, status, webhookStatus, environment, nsuAfter, filter, orderBy },
    issuer: issuer?.replaceAll(/[.\-/\s]/g, '').toUpperCase(),
    since: timeOf('--since', request.since, now),
    until: timeOf('--until', request.until, now),
  };
}

/** Only the numbered list of NFS-e knows the environment; the others would ignore it silently. */
function assertListed({ type, environment, by, filter, orderBy }: ListRequest): void {
  if (environment === undefined) return;
  if (type === 'nfse' && filter === undefined && orderBy === undefined && by !== 'modified') return;
  throw new FiscalError('usage.invalid', { message: onlyNumbered }, { sent: 'no' });
}

const onlyNumbered: Text = {
  en: '--environment is only for --type nfse, without --filter, --order-by and --by modified',
  pt: '--environment vale só com --type nfse, sem --filter, --order-by nem --by modified',
};

function timeOf(name: string, text: string | undefined, now: number): number | undefined {
  return text === undefined ? undefined : readMoment(name, text, now);
}

function noticesOf(report: ListReport, cutAt: number | undefined): readonly Text[] {
  const cut: Text = {
    en: `only the first ${cutAt ?? 0} are shown; all of them: --all`,
    pt: `só os primeiros ${cutAt ?? 0} são mostrados; todos: --all`,
  };
  const unreadable = counted(report.unreadable, {
    en: [
      '# row of the list is not a document with a key and was left out',
      '# rows of the list are not documents with a key and were left out',
    ],
    pt: [
      '# linha da lista não é documento com chave e ficou de fora',
      '# linhas da lista não são documentos com chave e ficaram de fora',
    ],
  });
  return [...(cutAt === undefined ? [] : [cut]), ...(report.unreadable === 0 ? [] : [unreadable])];
}

const onlyNfe: Text = {
  en: 'only NF-e have summaries',
  pt: 'só NF-e têm resumo',
};

const anNsu: Text = { en: 'up to 15 digits are expected', pt: 'esperam-se até 15 algarismos' };

const aFilter: Text = {
  en: 'a quote or a parenthesis in it is not closed',
  pt: 'uma aspa ou um parêntese não foi fechado',
};
