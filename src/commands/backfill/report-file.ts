import type { Text } from '../../contract/text.js';
import type { Settings } from '../../config/settings.js';
import { version } from '../../domain/version.js';
import type { DataRecord } from '../../domain/outcome.js';
import { Prose } from '../../domain/prose.js';
import { withoutFormula } from '../../domain/spreadsheet-cell.js';
import { workbookBytes } from '../../io/workbook.js';
import { type Cell, shownCell } from '../../presenters/cell.js';
import { csvStyles } from '../../presenters/csv.js';
import { markdownTable, markdownText } from '../../presenters/markdown.js';
import { fieldAt, titleOf } from '../../presenters/record.js';
import { plainPaint } from '../../presenters/render.js';
import { columnsOf, rowOf } from '../../presenters/sheet.js';
import type { Context } from '../../services/context.js';
import { outputs } from './outputs.js';

export const reportForms = ['csv', 'xlsx', 'md', 'html'] as const;

interface ReportFile extends Pick<Settings, 'csvStyle'> {
  readonly form: (typeof reportForms)[number];
  readonly summary: DataRecord;
  readonly notices: readonly Text[];
}

/** Of a table for programs and spreadsheets; one column each, whatever the rows have. */
const allColumns = [
  ...['companyId', 'companyName', 'companyTaxNumber', 'asked', 'state', 'hiddenBefore', 'hiddenAfter', 'revealed'],
  ...[
    'requestedAt',
    'settledAt',
    'machine',
    'user',
    'ciRun',
    'planId',
    'approvedBy',
    'approvedAt',
    'jobId',
    'requestId',
  ],
  ...['billedAs', 'billedDocuments', 'price', 'cost', 'evidence', 'errorCode', 'error', 'note'],
];
/** Of a table to read: those that some row has. */
const shownColumns = allColumns.filter((column) => !['companyId', 'jobId', 'billedAs', 'errorCode'].includes(column));

const { report: record, summary: totals } = outputs['backfill report']?.records ?? {};

export async function* reportBytes(
  { language, clock }: Context,
  rows: readonly DataRecord[],
  { form, summary, notices, csvStyle }: ReportFile,
): AsyncIterable<Uint8Array> {
  const look = { language, columns: Infinity, paint: plainPaint };
  const shown = (column: string, row: DataRecord, of = record): Cell =>
    shownCell({ name: column, schema: fieldAt(of, column) }, row[column] ?? '', look);
  const columns = shownColumns.filter((column) => rows.some((row) => row[column] !== undefined));
  const titles = columns.map((column) => titleOf(record, column, language));
  const figures = Object.keys(summary).filter((name) => name !== 'type');
  switch (form) {
    case 'csv': {
      const { beginning, line } = csvStyles[csvStyle];
      const lines = rows.map((row) => line(allColumns.map((column) => csvCell(row[column]))));
      return yield Buffer.from(beginning + line(allColumns) + lines.join(''));
    }
    case 'xlsx': {
      const described = { records: { report: record ?? {} }, noun: 'report' };
      const sheet = columnsOf(rows, { fields: allColumns, described, language });
      return yield* workbookBytes(sheetRows(rows.map((row) => rowOf(row, sheet, { language, isUtc: false }))), {
        ...{ name: texts.title[language], columns: sheet },
      });
    }
    case 'md': {
      const table = markdownTable(
        titles,
        rows.map((row) => columns.map((column) => shown(column, row).text)),
      );
      const sums = figures.map((name) => [titleOf(totals, name, language), shown(name, summary, totals).text]);
      const parts = [
        `## ${texts.title[language]}`,
        markdownTable([texts.total[language], ''], sums).trimEnd(),
        table.trimEnd(),
      ];
      const said = notices.map((text) => `- ${markdownText(text[language])}`).join('\n');
      return yield Buffer.from(`${[...parts, ...(said === '' ? [] : [said])].join('\n\n')}\n`);
    }
    case 'html': {
      const { backfillPage } = await import('../../report/backfill-page.js');
      const page = backfillPage({
        ...{ language, title: texts.title, notices, madeAt: clock.now(), version, titles },
        figures: figures.map((name) => ({
          title: titleOf(totals, name, language),
          value: shown(name, summary, totals).text,
        })),
        rows: rows.map((row) =>
          columns.map((column) => ({ ...shown(column, row), isNumber: typeof row[column] === 'number' })),
        ),
      });
      yield Buffer.from(page);
    }
  }
}

/** For spreadsheets: names and reasons come from other people. */
function csvCell(value: unknown): unknown {
  const text = value instanceof Prose ? value.en : value;
  return typeof text === 'string' ? withoutFormula(text) : text;
}

async function* sheetRows<Cells>(rows: readonly Cells[]) {
  yield* rows;
}

const texts = {
  title: { en: 'Released history of NFS-e', pt: 'Histórico liberado de NFS-e' },
  total: { en: 'In total', pt: 'No total' },
} as const satisfies Readonly<Record<string, Text>>;
