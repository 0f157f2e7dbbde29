import { createHash } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import { canonicalJson } from '../../domain/canonical-json.js';
import type { PlanForm } from '../../services/plan-form.js';

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
  readonly note: string;
  /** Of what a person may not change: company, cut-off, release and action. */
  readonly fingerprint: string;
}

export const planColumns = [
  'companyId',
  'companyName',
  'companyTaxNumber',
  'startFromDate',
  'released',
  'hidden',
  'action',
  'note',
  'fingerprint',
] as const satisfies readonly (keyof PlanRow)[];

/** What a row proposes and rests on, as text; an absent value is empty. */
export interface Proposal {
  readonly companyId: string;
  readonly startFromDate: string;
  readonly released: string;
  readonly action: string;
}

export function fingerprintOf({ companyId, startFromDate, released, action }: Proposal): string {
  return digest(canonicalJson({ version: 1, company: companyId, startFromDate, released, action })).slice(
    0,
    32,
  );
}

/** The short name of a set of releases, for the confirmation: other rows, another id. */
export function planId(companies: readonly string[]): string {
  return digest(canonicalJson({ version: 1, release: companies.toSorted() })).slice(0, 8);
}

export function planText(rows: readonly PlanRow[], form: PlanForm): string {
  if (form === 'json') return `${JSON.stringify(rows, null, 2)}\n`;
  const cells = rows.map((row) => planColumns.map((column) => cellOf(row[column])));
  // Names come from the service: a cell that a spreadsheet would take for a formula is disarmed.
  return stringify([[...planColumns], ...cells], { escape_formulas: true });
}

function cellOf(value: string | number | boolean | undefined): string {
  return value === undefined ? '' : String(value);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
