import { join, resolve } from 'node:path';
import { operations } from '../../contract/operations.js';
import type { Operation } from '../../contract/operation.js';
import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { keepHeapSmall } from '../../jobs/small-heap.js';
import type { ReportFacts, ReportVerdict, UsageFacts } from '../../report/facts.js';
import { isUnread } from '../../report/figures.js';
import type { IndexRow } from '../../report/index-page.js';
import { sumOf } from '../../report/sums.js';
import { archiveFolder, openArchive } from '../../services/archive.js';
import type { ArchiveStorage } from '../../archive/storage.js';
import { readClose } from '../../services/closing/found-close.js';
import { type Month, readMonth } from '../../services/closing/month.js';
import { keptCertificates } from '../../services/company/certificate.js';
import type { Context } from '../../services/context.js';
import { listsReadAt } from '../../services/documents/facts.js';
import { namedOrAllCompanies } from '../../services/scope/companies.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { commandLines } from './command-lines.js';
import { fileNames, INDEX, prepareFolder, writePage } from './files.js';
import { closeFacts } from './close-facts.js';
import { readMonthDocuments } from './read-documents.js';

interface ReportRequest {
  readonly month: string;
  readonly allCompanies: boolean;
  readonly out: string | undefined;
  readonly archive: string | undefined;
  readonly followLinks: boolean;
  /** Also replaces files that are no reports of the month. */
  readonly overwrite: boolean;
  readonly version: string;
}

export interface WrittenReport extends Outcome<readonly DataRecord[]> {
  /** The index, or the report of the one company. */
  readonly first: string;
}

/**
 * Writes the report of each company, and an index over several. Reads the archive and the store; only `--all-companies` asks the
 * service, for the list of companies. Exit 0: every report is written, whatever its verdict.
 * Errors: `usage.*`, `company.none`, `store.*`, `input.unreadable`.
 */
export async function reportMonth(context: Context, request: ReportRequest): Promise<WrittenReport> {
  const month = readMonth(request.month);
  if (request.out === undefined)
    throw new FiscalError('usage.missing', { names: '--out <folder>' }, { sent: 'no' });
  const folder = resolve(context.cwd, request.out);
  const companies = await namedOrAllCompanies(context, request.allCompanies);
  const names = fileNames(companies, month);
  const hasIndex = request.allCompanies || companies.length > 1;
  await prepareFolder(folder, hasIndex ? [...names, INDEX] : names, { month, overwrite: request.overwrite });
  keepHeapSmall();
  const archive = await archiveFolder(context, request.archive);
  const storage = await openArchive(context, archive, request);
  const { companyPage } = await import('../../report/company-page.js');
  const { indexPage } = await import('../../report/index-page.js');
  const rows: IndexRow[] = [];
  const records: DataRecord[] = [];
  for (const [index, company] of companies.entries()) {
    context.progress.report({ label: writing, done: index, total: companies.length });
    const facts = await factsOf(context, { ...request, month, company, storage });
    const file = join(folder, names[index] ?? '');
    const bytes = await writePage(file, companyPage(facts, context.language), context.random.uuid());
    const row = indexRow(facts, names[index] ?? '');
    rows.push(row);
    records.push(recordOf(facts, row, { file, bytes }));
  }
  context.progress.stop();
  const madeAt = context.clock.now();
  const overview = join(folder, INDEX);
  if (hasIndex) {
    const page = indexPage({ month: month.name, madeAt, version: request.version, rows }, context.language);
    await writePage(overview, page, context.random.uuid());
  }
  const first = hasIndex ? overview : join(folder, names[0] ?? '');
  const summary = { type: 'summary', month: month.name, companies: rows.length, ...verdictCounts(rows) };
  return {
    data: [...records, { ...summary, folder, ...(hasIndex && { index: overview }), exitCode: 0 }],
    notices: [writtenNotice(rows, first)],
    first,
  };
}

interface CompanyRequest extends Pick<ReportRequest, 'version' | 'followLinks'> {
  readonly month: Month;
  readonly company: AccountCompany;
  readonly storage: ArchiveStorage;
}

async function factsOf(context: Context, request: CompanyRequest): Promise<ReportFacts> {
  const { month, company, storage, version } = request;
  const { storeNamespace, profile } = await context.settings();
  const store = await context.store();
  const now = context.clock.now();
  const close = await readClose({ storage, month, companyId: company.id });
  const { stored, withoutTerms } = await readMonthDocuments(context, {
    ...{ month, company, proven: close.entries },
  });
  const certificates = await keptCertificates(store, storeNamespace, now);
  const families = ['nfe', 'cte', 'nfse'] as const;
  const lists = await Promise.all(
    families.map(async (family) => {
      const group = { profile: storeNamespace, companyId: company.id, family };
      return { family, readAt: (await listsReadAt(store, group)) ?? null };
    }),
  );
  const lines = commandLines({ month, company, storage, profile, manifest: close.path });
  return {
    ...{ month: month.name, company, madeAt: now, version, lists, withoutTerms },
    close: closeFacts(close, stored, lines.gaps),
    documents: stored.map(({ document }) => document),
    certificate: certificates.get(company.id),
    usage: await usageOf(context, request),
    commands: lines.report,
  };
}

/** The billed calls of the month in the store, by operation. */
async function usageOf(context: Context, { month, company }: CompanyRequest): Promise<readonly UsageFacts[]> {
  const { storeNamespace: profile } = await context.settings();
  const { usage } = await context.store();
  const rows = await usage.list({ profile, companyIds: [company.id], since: month.since });
  const sums = new Map<string, UsageFacts>();
  for (const { operation, outcome, at } of rows) {
    if (at >= month.until) continue;
    const before = sums.get(operation) ?? {
      operation: nameOf(operation),
      billed: 0,
      unknown: 0,
      freeRepeats: 0,
    };
    const name = ({ billed: 'billed', unknown: 'unknown', repeat: 'freeRepeats' } as const)[outcome];
    sums.set(operation, { ...before, [name]: before[name] + 1 });
  }
  return [...sums.entries()].toSorted(([one], [other]) => one.localeCompare(other)).map(([, sum]) => sum);
}

function nameOf(operation: string): Text {
  const rows: Readonly<Record<string, Operation>> = operations;
  return rows[operation]?.summary ?? { en: operation, pt: operation };
}

function indexRow(facts: ReportFacts, file: string): IndexRow {
  const { company, close, documents } = facts;
  const standing = sumOf(documents.filter(({ fate }) => fate === 'stands'));
  const openTerms = documents.filter(({ term }) => term?.state === 'open').length;
  return {
    ...{ company, file, verdict: close.verdict, closedAt: close.closedAt },
    gaps: isJudged(close.verdict) ? close.gaps.reduce((sum, { count }) => sum + count, 0) : undefined,
    documents: isUnread(facts) ? undefined : { count: documents.length, standing, openTerms },
  };
}

function isJudged(verdict: ReportVerdict): boolean {
  return verdict === 'complete' || verdict === 'incomplete' || verdict === 'not-provable';
}

function recordOf(
  { month, company, close }: ReportFacts,
  { verdict, gaps, documents }: IndexRow,
  written: { readonly file: string; readonly bytes: number },
): DataRecord {
  return {
    ...{ type: 'report', month, companyId: company.id, ...labelOf(company), verdict },
    ...{ closedAt: close.closedAt ?? null, gaps: gaps ?? null, documents: documents?.count ?? null },
    ...written,
  };
}

function verdictCounts(rows: readonly IndexRow[]) {
  const count = (verdict: ReportVerdict): number => rows.filter((row) => row.verdict === verdict).length;
  return {
    ...{ complete: count('complete'), incomplete: count('incomplete'), notProvable: count('not-provable') },
    ...{ notClosed: count('not-closed'), unproven: count('older') + count('contradictory') },
  };
}

/** The reports are written; that says nothing of the month. */
function writtenNotice(rows: readonly IndexRow[], first: string): Text {
  const reports = counted(rows.length, reportForms);
  const open = rows.filter(({ verdict }) => verdict !== 'complete').length;
  const companies = counted(open, nouns.company);
  const en = open === 0 ? '' : `; the month is not proven complete for ${companies.en}`;
  const pt = open === 0 ? '' : `; não está provado que o mês está completo para ${companies.pt}`;
  return { en: `${reports.en}: ${first}${en}`, pt: `${reports.pt}: ${first}${pt}` };
}

const reportForms = {
  en: ['# report is written', '# reports are written'],
  pt: ['# relatório gravado', '# relatórios gravados'],
} as const;

const writing: Text = { en: 'writing reports', pt: 'gravando relatórios' };
