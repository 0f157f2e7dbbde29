import { parseForeignJson } from '../../domain/json-numbers.js';
import { createHash } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import type { Text } from '../../contract/text.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import { fiscalLine } from '../../domain/command-words.js';
import { isRecord } from '../../domain/record.js';
import { withoutFormula } from '../../domain/spreadsheet-cell.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { Prose } from '../../domain/prose.js';
import type { Context } from '../../services/context.js';
import { LineProblems } from '../../services/input/line-problems.js';
import type { Cells, Reading } from '../../services/input/record.js';
import { readRecords } from '../../services/input/records.js';
import { openSource } from '../../services/input/source.js';
import type { PlanForm } from '../../io/output-file.js';

/** One company of a plan. The fields are the columns of the file, in this order. */
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

const planColumns = [
  'companyId',
  'companyName',
  'companyTaxNumber',
  'startFromDate',
  'released',
  'hidden',
  'action',
  'note',
  'plannedAt',
  'fingerprint',
] as const satisfies readonly (keyof PlanRow)[];

/** The proposal of a row and its basis, as text; an absent value is empty. */
export interface Proposal {
  readonly companyId: string;
  readonly startFromDate: string;
  readonly action: string;
  readonly fingerprint: string;
}

type Reviewed = Omit<PlanRow, 'fingerprint'>;

const reviewed = planColumns.filter((column) => column !== 'fingerprint');

/** The row with its fingerprint. */
export function signed(row: Reviewed): PlanRow {
  return { ...row, fingerprint: fingerprintOf(row) };
}

/** The same for a row of JSON and for its cells in CSV. */
function fingerprintOf(row: Row | Reviewed): string {
  const cells = reviewed.map((column) => withoutFormula(textOf((row as Row)[column])));
  return digest(canonicalJson({ version: 1, cells })).slice(0, 32);
}

/**
 * The short id of a set of releases, for the confirmation: of their companies, names, counts and cut-offs, and of the time of the
 * plan. It depends on the rows that are left.
 */
export function planId(releases: readonly Pick<PlanRow, 'fingerprint'>[]): string {
  const rows = releases.map(({ fingerprint }) => fingerprint).toSorted();
  return digest(canonicalJson({ version: 1, rows })).slice(0, 8);
}

export function planText(rows: readonly PlanRow[], form: PlanForm): string {
  if (form === 'json') return `${JSON.stringify(rows, null, 2)}\n`;
  const cells = rows.map((row) => planColumns.map((column) => withoutFormula(cellOf(row[column]))));
  return stringify([[...planColumns], ...cells]);
}

function cellOf(value: string | number | boolean | Prose | undefined): string {
  return value === undefined ? '' : String(value);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const SHOWN_LINES = 10;

/**
 * Reads a whole plan. Rows may be removed; when a row was edited to another company or
 * proposal, nothing is sent. Errors: `input.*`, `backfill.plan_altered` with the lines.
 */
export async function readPlan(context: Context, path: string): Promise<readonly Proposal[]> {
  const source = await openSource(context, path, { again: false });
  const problems = new LineProblems();
  const altered: number[] = [];
  const rows = new Map<string, Proposal>();
  const rules = { parse: parseForeignJson, rows: planRows };
  try {
    for await (const record of readRecords(source, rules, undefined)) {
      const { line } = record;
      if ('problem' in record) problems.add(line, [{ field: '', message: record.problem }]);
      else if (!isRecord(record.value)) problems.add(line, [{ field: '', message: mustBeObject }]);
      else {
        const proposal = proposalOf(record.value);
        if (proposal.fingerprint === fingerprintOf(record.value)) rows.set(proposal.companyId, proposal);
        else altered.push(line);
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

type Row = Readonly<Record<string, unknown>>;

function proposalOf(row: Row): Proposal {
  const text = (name: string): string => textOf(row[name]);
  return {
    companyId: text('companyId'),
    startFromDate: text('startFromDate'),
    action: text('action'),
    fingerprint: text('fingerprint'),
  };
}

function textOf(value: unknown): string {
  if (value instanceof Prose) return String(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function planRows(header: readonly string[], name: string): (cells: Cells) => Reading {
  const unknown = header.filter((title) => !planColumns.some((column) => column === title));
  if (unknown.length > 0) {
    const columns = unknown.map((title) => title.slice(0, 60) || '""').join(', ');
    throw new FiscalError('input.unknown_column', { columns, path: name });
  }
  const missing = planColumns.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    throw new FiscalError('input.missing_column', { columns: missing.join(', '), path: name });
  }
  return (cells) => ({ value: Object.fromEntries(header.map((title, index) => [title, cells[index]])) });
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

function alteredPlan(path: string, lines: readonly number[]): FiscalError {
  const list = lines.slice(0, SHOWN_LINES).join(', ');
  const more = lines.length > SHOWN_LINES ? ', …' : '';
  const text: Text = { en: `line ${list}${more}`, pt: `linha ${list}${more}` };
  const anew = newPlan(undefined);
  const hint: Text = {
    en: `its fingerprint belongs to other cells; ${anew.en}`,
    pt: `a impressão digital (fingerprint) é de outras células; ${anew.pt}`,
  };
  return new FiscalError('backfill.plan_altered', { path, lines: text }, { sent: 'no', hint });
}

const mustBeObject: Text = { en: 'must be an object', pt: 'deve ser um objeto' };
