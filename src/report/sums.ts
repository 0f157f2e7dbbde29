import type { InboundFamily } from '../contract/inbound.js';
import { addDays } from '../domain/dates.js';
import { addExactly, compareExactly, type JsonNumber } from '../domain/exact-decimal.js';
import { NumberLiteral } from '../domain/json-numbers.js';
import type { ReportDocument } from './facts.js';

/** Documents and their value. */
export interface Sum {
  readonly documents: number;
  readonly amount: JsonNumber;
  /** Documents whose amount is not known: the value lacks them. */
  readonly withoutAmount: number;
}

export interface SupplierSum extends Sum {
  readonly taxNumber: string | undefined;
  readonly name: string | undefined;
}

export interface MonthSums {
  /** Documents that are neither cancelled nor substituted. */
  readonly standing: Sum;
  readonly cancelled: Sum;
  readonly substituted: Sum;
  readonly families: readonly {
    readonly family: InboundFamily;
    readonly standing: Sum;
    readonly fallen: Sum;
  }[];
  /** Every day of the month, of documents that stand. */
  readonly days: readonly { readonly day: string; readonly sum: Sum }[];
  readonly withoutDay: Sum;
  /** The largest value first, of documents that stand. */
  readonly suppliers: readonly SupplierSum[];
}

export const families: readonly InboundFamily[] = ['nfe', 'cte', 'nfse'];

/** Adds up the documents of a month. Amounts are added exactly. */
export function sumsOf(month: string, documents: readonly ReportDocument[]): MonthSums {
  const standing = documents.filter(({ fate }) => fate === 'not-cancelled');
  const fallen = documents.filter(({ fate }) => fate !== 'not-cancelled');
  const byDay = grouped(standing, ({ day }) => day ?? '');
  const days = daysOf(month).map((day) => ({ day, sum: sumOf(byDay.get(day) ?? []) }));
  const inMonth = new Set(days.map(({ day }) => day));
  return {
    standing: sumOf(standing),
    cancelled: sumOf(fallen.filter(({ fate }) => fate === 'cancelled')),
    substituted: sumOf(fallen.filter(({ fate }) => fate === 'substituted')),
    families: families.map((family) => ({
      family,
      standing: sumOf(standing.filter((document) => document.family === family)),
      fallen: sumOf(fallen.filter((document) => document.family === family)),
    })),
    days,
    withoutDay: sumOf(standing.filter(({ day }) => day === undefined || !inMonth.has(day))),
    suppliers: suppliersOf(standing),
  };
}

/** Suppliers by their CNPJ; those without one by their name. */
function suppliersOf(documents: readonly ReportDocument[]): readonly SupplierSum[] {
  const bySupplier = grouped(documents, ({ issuer, issuerName }) => issuer ?? ` ${issuerName ?? ''}`);
  return [...bySupplier.values()]
    .map((own) => ({
      taxNumber: own[0]?.issuer,
      name: own.find(({ issuerName }) => issuerName !== undefined)?.issuerName,
      ...sumOf(own),
    }))
    .toSorted((one, other) => compareExactly(other.amount, one.amount) || other.documents - one.documents);
}

export function sumOf(documents: readonly ReportDocument[]): Sum {
  let amount: JsonNumber = 0;
  let withoutAmount = 0;
  for (const document of documents) {
    if (document.amount === undefined) withoutAmount += 1;
    else amount = addExactly(amount, new NumberLiteral(document.amount));
  }
  return { documents: documents.length, amount, withoutAmount };
}

/** True where a value is known, also that there is none. */
export function isKnown({ documents, withoutAmount }: Sum): boolean {
  return documents === 0 || withoutAmount < documents;
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function daysOf(month: string): readonly string[] {
  const first = `${month}-01`;
  return Array.from({ length: 31 }, (_, index) => addDays(first, index)).filter((day) =>
    day.startsWith(month),
  );
}
