import { join, resolve } from 'node:path';
import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import { type Direction, directionsOf } from '../../domain/direction.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { version } from '../../domain/version.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Io } from '../../io/io.js';
import { makeFolder } from '../../io/make-folder.js';
import { keepHeapSmall } from '../../jobs/small-heap.js';
import type { ReportFacts, ReportVerdict } from '../../report/facts.js';
import { isUnread } from '../../report/figures.js';
import type { IndexRow } from '../../report/index-page.js';
import { MARK_BYTES, markOfReport, reportMark } from '../../report/page.js';
import { sumOf } from '../../report/sums.js';
import { archiveFolder, openArchive } from '../../services/archive.js';
import { type Month, readMonth } from '../../services/closing/month.js';
import { beginningOf, replaceFile, unwritable } from '../../io/output-file.js';
import { fiscalLine } from '../../domain/command-words.js';
import { withUnproven } from '../../services/closing/unproven.js';
import type { Context } from '../../services/context.js';
import { namedOrAllCompanies } from '../../services/scope/companies.js';
import { readReportFacts } from '../../services/report/company-facts.js';
import { companyFileNames } from '../../services/scope/file-names.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { month as monthCommand } from './commands.js';

const INDEX = 'index.html';

/**
 * Writes the report of each company, and an index over several. Reads the archive and the store; only `--all-companies` asks the
 * service, for the list of companies. Exit 0: every report is written, whatever its verdict.
 * Errors: `usage.*`, `company.none`, `store.*`, `input.unreadable`.
 */
export async function reportMonth(context: Context, given: Given<typeof monthCommand>, io: Io): Promise<Outcome> {
  const show = given.open ? io.opener() : undefined;
  const month = readMonth(given.month);
  if (given.out === undefined) throw new FiscalError('usage.missing', { names: '--out <folder>' }, { sent: 'no' });
  const folder = resolve(context.cwd, given.out);
  const companies = await namedOrAllCompanies(context, given.allCompanies);
  const directions = directionsOf(given.direction);
  const names = companyFileNames(companies);
  const pages = companies.flatMap((company, index) =>
    directions.map((direction) => ({ company, direction, file: fileName(names[index] ?? '', month, direction) })),
  );
  const hasIndex = given.allCompanies || pages.length > 1;
  const { dryRun: isDryRun } = await context.settings();
  const files = [
    ...pages.map(({ file, company }) => ({ file, companyId: company.id })),
    ...(hasIndex ? [{ file: INDEX }] : []),
  ];
  await prepareFolder(folder, files, { month, overwrite: given.overwrite, isDryRun });
  keepHeapSmall();
  const archive = await archiveFolder(context, given.archive);
  const storage = await openArchive(context, archive, given);
  const { companyPage } = await import('../../report/company-page.js');
  const { indexPage } = await import('../../report/index-page.js');
  const rows: IndexRow[] = [];
  const records: DataRecord[] = [];
  for (const [index, { company, direction, file: name }] of pages.entries()) {
    context.progress.report({ label: writing, done: index, total: pages.length });
    const facts = await readReportFacts(context, {
      ...{ direction, month, company, storage },
      at: context.clock.now(),
    });
    const file = join(folder, name);
    const page = companyPage(facts, context.language);
    if (!isDryRun) await replaceFile(file, page, context.random);
    const row = indexRow(facts, name);
    rows.push(row);
    records.push(recordOf(facts, row, { file, bytes: Buffer.byteLength(page) }));
  }
  context.progress.stop();
  const madeAt = context.clock.now();
  const overview = join(folder, INDEX);
  if (hasIndex && !isDryRun) {
    const page = indexPage({ month: month.name, madeAt, version, rows }, context.language);
    await replaceFile(overview, page, context.random);
  }
  const first = hasIndex ? overview : join(folder, files[0]?.file ?? '');
  if (!isDryRun) await show?.(first);
  const counts = { companies: companies.length, ...verdictCounts(rows) };
  const summary = { type: 'summary', month: month.name, ...counts };
  return {
    data: [...records, { ...summary, folder, ...(hasIndex && { index: overview }), exitCode: 0 }],
    notices: isDryRun ? [dryNotice] : [writtenNotice(rows, first), ...closeNotices(rows, month, given.archive)],
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

/** What an open month lacks, the close says. */
function closeNotices(rows: readonly IndexRow[], { name }: Month, archive: string | undefined): readonly Text[] {
  const open = [...new Set(rows.filter(({ verdict }) => verdict !== 'complete').map(({ direction }) => direction))];
  return open.map((direction) => {
    const flags = [
      ...(direction === 'issued' ? [['--direction', 'issued'] as const] : []),
      ...(archive === undefined ? [] : [['--archive', archive] as const]),
    ];
    const line = fiscalLine({ command: 'inbound close', positionals: [name], flags });
    return {
      en: `to see what the month lacks, and to prove it: ${line}`,
      pt: `para ver o que falta no mês, e para prová-lo: ${line}`,
    };
  });
}

const dryNotice: Text = { en: 'dry run: no report is written', pt: 'simulação: nenhum relatório foi gravado' };

const reportForms = {
  en: ['# report is written', '# reports are written'],
  pt: ['# relatório gravado', '# relatórios gravados'],
} as const;

const writing: Text = { en: 'writing reports', pt: 'gravando relatórios' };

/**
 * Creates the folder, but not in a dry run, and looks at what the reports would replace: reports of the same month and company only, unless everything may be
 * replaced. Errors: `usage.invalid` with the first other file; `store.unwritable`.
 */
async function prepareFolder(
  folder: string,
  pages: readonly { readonly file: string; readonly companyId?: string }[],
  { month, overwrite, isDryRun }: { readonly month: Month; readonly overwrite: boolean; readonly isDryRun: boolean },
): Promise<void> {
  try {
    if (!isDryRun) makeFolder(folder);
  } catch (error) {
    throw unwritable(folder, error);
  }
  if (overwrite) return;
  for (const { file, companyId } of pages) {
    const path = join(folder, file);
    const beginning = (await beginningOf(path, MARK_BYTES))?.toString('utf8');
    if (beginning !== undefined && markOfReport(beginning) !== reportMark(month.name, companyId))
      throw new FiscalError('usage.invalid', { message: otherFile(path, month) }, { sent: 'no' });
  }
}

function otherFile(path: string, { name }: Month) {
  return {
    en: `${path} exists and is not the report of this company in ${name}: choose another folder, or replace it with --overwrite`,
    pt: `${path} existe e não é o relatório desta empresa em ${name}: escolha outra pasta, ou substitua com --overwrite`,
  };
}
