import type { JsonNumber } from '../../domain/exact-decimal.js';
import { isNumber } from '../../domain/json-numbers.js';
import { fieldOf } from '../../domain/record.js';
import { type ClockRange, clockRangeOf, isDatedWithin } from '../../domain/document-date.js';
import { statusOfInvoice } from '../../jobs/kinds/invoice-answer.js';
import { readMoment } from '../../services/input/moment.js';
import type { IssuedModel } from '../../services/issued/book.js';
import { seenInvoice } from '../../services/issued/rows.js';
import { amountIn } from '../../services/lists/totals.js';
import { dateOf } from '../../store/document-columns.js';

/** Conditions as they are typed. The lists of issued invoices know none of them. */
export interface FilterWords {
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly status: string | undefined;
  readonly text: string | undefined;
}

export interface InvoiceFilter {
  /** The options that are in use. */
  readonly options: readonly string[];
  matches(row: unknown, model: IssuedModel): boolean;
}

/** Error: `usage.invalid_value`. */
export function invoiceFilter({ since, until, status, text }: FilterWords, now: number): InvoiceFilter {
  const range = clockRangeOf({
    since: since === undefined ? undefined : readMoment('--since', since, now),
    until: until === undefined ? undefined : readMoment('--until', until, now),
  });
  const wanted = text === undefined ? undefined : plain(text);
  const used = { '--since': since, '--until': until, '--status': status, '--text': text };
  return {
    options: Object.entries(used).flatMap(([name, value]) => (value === undefined ? [] : [name])),
    matches: (row, model) =>
      isWithin(row, model, range) &&
      (status === undefined || statusOfInvoice(row)?.toLowerCase() === status.toLowerCase()) &&
      (wanted === undefined || textsOf(row).some((each) => plain(each).includes(wanted))),
  };
}

/** By the time of issue; by that of creation for an invoice that is not issued. Without any, no period holds it. */
function isWithin(row: unknown, model: IssuedModel, range: ClockRange): boolean {
  if (range.since === undefined && range.until === undefined) return true;
  const seen = seenInvoice(model, row);
  return seen !== undefined && isDatedWithin(dateOf(seen), range);
}

/** What a person knows of an invoice: its numbers, its own id, and the buyer or taker. */
function textsOf(row: unknown): readonly string[] {
  const party = fieldOf(row, 'buyer') ?? fieldOf(row, 'borrower');
  const values = [
    ...['id', 'externalId', 'number', 'accessKey', 'description'].map((name) => fieldOf(row, name)),
    fieldOf(fieldOf(row, 'authorization'), 'accessKey'),
    ...['name', 'federalTaxNumber', 'email'].map((name) => fieldOf(party, name)),
  ];
  return values.flatMap((value) => {
    if (typeof value === 'string') return [value];
    return isNumber(value) ? [String(value)] : [];
  });
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The amount of an invoice; `undefined` where no number stands. */
export function invoiceAmount(row: unknown): JsonNumber | undefined {
  const total = fieldOf(fieldOf(fieldOf(row, 'totals'), 'icms'), 'invoiceAmount');
  return amountIn(total ?? fieldOf(row, 'servicesAmount'));
}
