import { stringify } from 'csv-stringify/sync';
import type { Language, Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import { parseForeignJson } from '../../domain/json-numbers.js';
import { isRecord } from '../../domain/record.js';
import { withoutFormula } from '../../domain/spreadsheet-cell.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Prose } from '../../domain/prose.js';
import { workbookBytes } from '../../io/workbook.js';
import { markdownCells, markdownTable } from '../../presenters/markdown.js';
import { CellReader } from '../../services/input/cell-reader.js';
import type { Context } from '../../services/context.js';
import { LineProblems } from '../../services/input/line-problems.js';
import { peek, readLines } from '../../services/input/lines.js';
import type { Cells, InputRecord, Reading } from '../../services/input/record.js';
import { readRecords } from '../../services/input/records.js';
import { openSource, type Source } from '../../services/input/source.js';
import { tableRecords } from '../../services/input/table-rows.js';
import { textBytes } from '../../services/input/text-bytes.js';
import {
  canonical,
  changedColumns,
  columnOf,
  digest,
  fingerprintOf,
  planColumns,
  shownText,
  textOf,
  titleOfColumn,
  type PlanCells,
  type PlanColumn,
} from './plan-cells.js';

/** One company of a plan. */
export interface PlanRow {
  readonly companyId: string;
  readonly companyName?: string;
  readonly companyTaxNumber?: string;
  readonly startFromDate?: string;
  readonly released?: boolean;
  readonly hidden?: number;
  /** `release`, `none`, or `start-from` and a date. */
  readonly action: string;
  readonly note: Prose;
  /** When the plan was made, in UTC. */
  readonly plannedAt: string;
  /** Covers every other cell. */
  readonly fingerprint: string;
}

/** A row of a plan as it was read: each cell in the form of `canonical`. */
export type Proposal = PlanCells;

type Reviewed = Omit<PlanRow, 'fingerprint'>;

function cellsOf(row: Reviewed & { readonly fingerprint?: string }, language: Language): PlanCells {
  const cells = planColumns.map((column) => [column, textOf(row[column], language)]);
  return Object.fromEntries(cells) as Record<PlanColumn, string>; // a cell for each column
}

/** The row with its fingerprint. `language`: of the note. */
export function signed(row: Reviewed, language: Language): PlanRow {
  return { ...row, fingerprint: fingerprintOf(cellsOf(row, language)) };
}

/**
 * The short id of a set of releases, for the confirmation: of their companies, names, counts and cut-offs, and of the time of the
 * plan. It depends on the rows that are left.
 */
export function planId(releases: readonly Pick<PlanRow, 'fingerprint'>[]): string {
  const rows = releases.map(({ fingerprint }) => fingerprint).toSorted();
  return digest({ version: 1, rows }).slice(0, 8);
}

export const planForms = ['csv', 'json', 'xlsx', 'md'] as const;
export type PlanForm = (typeof planForms)[number];

/** The forms that people read have their words; the others are data. */
export function languageOf(form: PlanForm | undefined, language: Language): Language {
  return form === 'xlsx' || form === 'md' ? language : 'en';
}

interface PlanFile {
  readonly form: PlanForm;
  readonly language: Language;
  /** Above a table of Markdown. */
  readonly title: Text;
}

export async function* planBytes(
  rows: readonly PlanRow[],
  { form, language, title }: PlanFile,
): AsyncIterable<Uint8Array> {
  const shown = (row: PlanRow): readonly string[] => {
    const cells = cellsOf(row, language);
    return planColumns.map((column) => shownText(column, cells[column], language));
  };
  const titles = planColumns.map((column) => titleOfColumn(column, language));
  switch (form) {
    case 'json':
      return yield Buffer.from(`${JSON.stringify(rows, null, 2)}\n`);
    case 'md':
      return yield Buffer.from(`# ${title[language]}\n\n${markdownTable(titles, rows.map(shown))}`);
    case 'csv': {
      const lines = rows.map((row) => planColumns.map((column, at) => csvCell(column, shown(row)[at] ?? '')));
      return yield Buffer.from(stringify([[...planColumns], ...lines]));
    }
    case 'xlsx':
      yield* workbookBytes(sheetRows(rows.map(shown)), {
        name: { en: 'plan', pt: 'plano' }[language],
        columns: planColumns.map((column, at) => ({
          title: titles[at] ?? column,
          kind: column === 'hidden' ? 'number' : 'text',
        })),
      });
  }
}

async function* sheetRows(rows: readonly (readonly string[])[]) {
  const hidden = planColumns.indexOf('hidden');
  for (const cells of rows) yield cells.map((cell, at) => (at === hidden && cell !== '' ? Number(cell) : cell));
}

/** An id or a name that a spreadsheet would take for a number or a date stands behind an apostrophe. */
function csvCell(column: PlanColumn, text: string): string {
  const isName = column === 'companyId' || column === 'companyName';
  return isName && /^\d[\d.,/:+eE -]*$/.test(text) ? `'${text}` : withoutFormula(text);
}

/**
 * Reads a whole plan in any of its forms, also as a spreadsheet has saved it again. Rows may be removed; when a value was changed,
 * nothing is sent. Errors: `input.*`, `backfill.plan_altered` with the places and values.
 */
export async function readPlan(context: Context, path: string): Promise<readonly Proposal[]> {
  const source = await openSource(context, path, { again: false });
  const problems = new LineProblems();
  const altered: string[] = [];
  const rows = new Map<string, Proposal>();
  try {
    for await (const record of await recordsOf(source)) {
      const { line } = record;
      if ('problem' in record) problems.add(line, [{ field: '', message: record.problem }]);
      else if (!isRecord(record.value)) problems.add(line, [{ field: '', message: mustBeObject }]);
      else {
        const row = proposalOf(record.value);
        if (row.fingerprint === fingerprintOf(row)) rows.set(row.companyId, row);
        else
          altered.push(
            `${line} (${changedColumns(row)
              .map((column) => `${column} ${JSON.stringify(row[column].slice(0, MOST_SHOWN))}`)
              .join(', ')})`,
          );
      }
    }
  } finally {
    await source.close();
  }
  if (problems.lines > 0) throw problems.error(source.name);
  if (altered.length > 0) throw alteredPlan(source.name, altered);
  if (rows.size === 0) throw new FiscalError('input.empty', { path: source.name });
  return [...rows.values()];
}

/** Of a changed value. */
const MOST_SHOWN = 60;

async function recordsOf(source: Source): Promise<AsyncIterable<InputRecord>> {
  const rules = { parse: parseForeignJson, rows: planRows };
  const { head, bytes } = await peek(source.bytes());
  const read = { ...source, bytes: () => bytes };
  const isMarkdown = source.extension === '.md' || (source.extension === '' && /^\s*[#|]/.test(head));
  if (!isMarkdown) return readRecords(read, rules, undefined);
  const reader = new CellReader({});
  reader.conversions.restart();
  return tableRecords(tableLines(read), { name: source.name, rules, reader, isSheet: true });
}

/** The rows of the tables in a text of Markdown. */
async function* tableLines({ name, bytes }: Source) {
  for await (const { line, text } of readLines(textBytes(bytes(), name), { name, limitMib: 1 })) {
    const cells = markdownCells(text);
    if (cells !== undefined) yield { line, cells };
  }
}

/** The companies that a plan releases. Error: `usage.invalid` when it proposes no release. */
export function releasesOf(rows: readonly Proposal[], plan: string): readonly Proposal[] {
  const releases = rows.filter(({ action }) => action === 'release');
  if (releases.length > 0) return releases;
  const message: Text = {
    en: `${plan} proposes no release; nothing was sent (a new cut-off is set with: fiscal backfill start-from)`,
    pt: `${plan} não propõe nenhuma liberação; nada foi enviado (uma nova data de corte é definida com: fiscal backfill start-from)`,
  };
  throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

function proposalOf(row: Readonly<Record<string, unknown>>): Proposal {
  const cells = planColumns.map((column) => [column, canonical(column, textOf(row[column]))]);
  return Object.fromEntries(cells) as Record<PlanColumn, string>; // a cell for each column
}

function planRows(header: readonly string[], name: string): (cells: Cells) => Reading {
  const columns = header.map(columnOf);
  const unknown = header.filter((_, at) => columns[at] === undefined || columns.indexOf(columns[at]) !== at);
  if (unknown.length > 0) {
    const titles = unknown.map((title) => title.slice(0, 60) || '""').join(', ');
    throw new FiscalError('input.unknown_column', { columns: titles, path: name });
  }
  const missing = planColumns.filter((column) => !columns.includes(column));
  if (missing.length > 0) {
    throw new FiscalError('input.missing_column', { columns: missing.join(', '), path: name });
  }
  return (cells) => ({ value: Object.fromEntries(columns.map((column, at) => [column, cells[at]])) });
}

/** What releases a plan, without a question. */
export function releaseLine(plan: string, id: string): string {
  const flags = [
    ['--plan', plan],
    ['--confirm', id],
    ['--yes', true],
    ['--wait', true],
  ] as const;
  return fiscalLine({ command: 'backfill release', flags });
}

/** Sentences as one, `; ` between them. */
export function joined(texts: readonly Text[]): Text {
  return { en: texts.map(({ en }) => en).join('; '), pt: texts.map(({ pt }) => pt).join('; ') };
}

/** What to type where a plan cannot be used; without companies, for the whole account. */
export function newPlan(companies: readonly string[] | undefined): Text {
  const line = fiscalLine({
    command: 'backfill plan',
    flags: companies === undefined ? [['--all-companies', true]] : [],
    company: companies?.join(','),
  });
  return { en: `make a new plan: ${line}`, pt: `faça um novo plano: ${line}` };
}

const SHOWN_LINES = 10;

function alteredPlan(path: string, places: readonly string[]): FiscalError {
  const list = places.slice(0, SHOWN_LINES).join(', ');
  const more = places.length > SHOWN_LINES ? ', …' : '';
  const lines: Text = { en: `line ${list}${more}`, pt: `linha ${list}${more}` };
  const anew = newPlan(undefined);
  const hint: Text = {
    en: `its fingerprint belongs to other cells; ${anew.en}`,
    pt: `a impressão digital (fingerprint) é de outras células; ${anew.pt}`,
  };
  return new FiscalError('backfill.plan_altered', { path, lines }, { sent: 'no', hint });
}

const mustBeObject: Text = { en: 'must be an object', pt: 'deve ser um objeto' };
