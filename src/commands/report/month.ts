import { join, resolve } from 'node:path';
import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import { type Direction, directionsOf, type DirectionWord } from '../../domain/direction.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { keepHeapSmall } from '../../jobs/small-heap.js';
import type { ReportFacts, ReportVerdict } from '../../report/facts.js';
import { isUnread } from '../../report/figures.js';
import type { IndexRow } from '../../report/index-page.js';
import { sumOf } from '../../report/sums.js';
import { archiveFolder, openArchive } from '../../services/archive.js';
import { type Month, readMonth } from '../../services/closing/month.js';
import { withUnproven } from '../../services/closing/unproven.js';
import type { Context } from '../../services/context.js';
import { namedOrAllCompanies } from '../../services/scope/companies.js';
import { readReportFacts } from '../../services/report/company-facts.js';
import { companyFileNames } from '../../services/scope/file-names.js';
import { labelOf } from '../../services/scope/resolver.js';
import { INDEX, prepareFolder, writePage } from './files.js';

interface ReportRequest {
  readonly month: string;
  readonly direction: DirectionWord;
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
  const directions = directionsOf(request.direction);
  const names = companyFileNames(companies);
  const pages = companies.flatMap((company, index) =>
    directions.map((direction) => ({
      company,
      direction,
      file: fileName(names[index] ?? '', month, direction),
    })),
  );
  const hasIndex = request.allCompanies || pages.length > 1;
  const { dryRun: isDryRun } = await context.settings();
  const files = [
    ...pages.map(({ file, company }) => ({ file, companyId: company.id })),
    ...(hasIndex ? [{ file: INDEX }] : []),
  ];
  await prepareFolder(folder, files, { month, overwrite: request.overwrite, isDryRun });
  keepHeapSmall();
  const archive = await archiveFolder(context, request.archive);
  const storage = await openArchive(context, archive, request);
  const { companyPage } = await import('../../report/company-page.js');
  const { indexPage } = await import('../../report/index-page.js');
  const rows: IndexRow[] = [];
  const records: DataRecord[] = [];
  for (const [index, { company, direction, file: name }] of pages.entries()) {
    context.progress.report({ label: writing, done: index, total: pages.length });
    const facts = await readReportFacts(context, {
      ...{ version: request.version, direction, month, company, storage },
      at: context.clock.now(),
    });
    const file = join(folder, name);
    const page = companyPage(facts, context.language);
    if (!isDryRun) await writePage(file, page, context.random.uuid());
    const row = indexRow(facts, name);
    rows.push(row);
    records.push(recordOf(facts, row, { file, bytes: Buffer.byteLength(page) }));
  }
  context.progress.stop();
  const madeAt = context.clock.now();
  const overview = join(folder, INDEX);
  if (hasIndex && !isDryRun) {
    const page = indexPage({ month: month.name, madeAt, version: request.version, rows }, context.language);
    await writePage(overview, page, context.random.uuid());
  }
  const first = hasIndex ? overview : join(folder, files[0]?.file ?? '');
  const counts = { companies: companies.length, ...verdictCounts(rows) };
  const summary = { type: 'summary', month: month.name, ...counts };
  return {
    data: [...records, { ...summary, folder, ...(hasIndex && { index: overview }), exitCode: 0 }],
    notices: [isDryRun ? dryNotice : writtenNotice(rows, first)],
    first,
  };
}

/** Reports of received documents do not name their direction. */
function fileName(name: string, { name: month }: Month, direction: Direction): string {
  return `${name}-${month}${direction === 'issued' ? '-issued' : ''}.html`;
}

function indexRow(facts: ReportFacts, file: string): IndexRow {
  const { company, direction, close, documents } = facts;
  const standing = sumOf(documents.filter(({ state }) => state === 'standing'));
  return {
    ...{ company, direction, file, verdict: close.verdict, closedAt: close.closedAt },
    gaps: isJudged(close.verdict) ? close.gaps.reduce((sum, { count }) => sum + count, 0) : undefined,
    documents: isUnread(facts) ? undefined : { count: documents.length, standing },
    terms: facts.terms,
  };
}

function isJudged(verdict: ReportVerdict): boolean {
  return verdict === 'complete' || verdict === 'incomplete' || verdict === 'not-provable';
}

function recordOf(
  { month, direction, company, close }: ReportFacts,
  { verdict, gaps, documents }: IndexRow,
  written: { readonly file: string; readonly bytes: number },
): DataRecord {
  return {
    ...{ type: 'report', month, direction, companyId: company.id, ...labelOf(company), verdict },
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
  return withUnproven({ en: `${reports.en}: ${first}`, pt: `${reports.pt}: ${first}` }, open);
}

const dryNotice: Text = {
  en: 'dry run: no report is written',
  pt: 'simulação: nenhum relatório foi gravado',
};

const reportForms = {
  en: ['# report is written', '# reports are written'],
  pt: ['# relatório gravado', '# relatórios gravados'],
} as const;

const writing: Text = { en: 'writing reports', pt: 'gravando relatórios' };
