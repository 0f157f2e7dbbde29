import { addDays } from '../domain/dates.js';
import type { Direction } from '../domain/direction.js';
import type { DocumentState } from '../domain/document-state.js';
import { addExactly, compareExactly, type JsonNumber } from '../domain/exact-decimal.js';
import { NumberLiteral } from '../domain/json-numbers.js';
import { typesOf } from './direction-words.js';
import type { DocumentType, ReportDocument } from './facts.js';

/** Documents and their value. */
export interface Sum {
  readonly documents: number;
  readonly amount: JsonNumber;
  /** Documents whose amount is not known: the value lacks them. */
  readonly withoutAmount: number;
}

export interface PartySum extends Sum {
  readonly taxNumber: string | undefined;
  readonly name: string | undefined;
}

export interface MonthSums {
  /** Documents that stand: no other is in a value. */
  readonly standing: Sum;
  /** Those that do not stand, and those whose state is not known, by state. */
  readonly fallen: readonly { readonly state: DocumentState; readonly sum: Sum }[];
  readonly families: readonly { readonly family: DocumentType; readonly standing: Sum; readonly fallen: Sum }[];
  /** Every day of the month, of documents that stand. */
  readonly days: readonly { readonly day: string; readonly sum: Sum }[];
  readonly withoutDay: Sum;
  /** The largest value first, of documents that stand. */
  readonly parties: readonly PartySum[];
}

/** Adds up the documents of a month. Amounts are added exactly. */
export function sumsOf({
  month,
  direction,
  documents,
}: {
  readonly month: string;
  readonly direction: Direction;
  readonly documents: readonly ReportDocument[];
}): MonthSums {
  const standing = documents.filter(({ state }) => state === 'standing');
  const fallen = documents.filter(({ state }) => state !== 'standing');
  const byDay = grouped(standing, ({ day }) => day ?? '');
  const days = daysOf(month).map((day) => ({ day, sum: sumOf(byDay.get(day) ?? []) }));
  const inMonth = new Set(days.map(({ day }) => day));
  return {
    standing: sumOf(standing),
    fallen: [...grouped(fallen, ({ state }) => state)].map(([, own]) => ({
      state: own[0]?.state ?? 'unknown',
      sum: sumOf(own),
    })),
    families: typesOf[direction].map((family) => ({
      family,
      standing: sumOf(standing.filter((document) => document.family === family)),
      fallen: sumOf(fallen.filter((document) => document.family === family)),
    })),
    days,
    withoutDay: sumOf(standing.filter(({ day }) => day === undefined || !inMonth.has(day))),
    parties: partiesOf(standing),
  };
}

/** Suppliers or customers by their CNPJ; those without one by their name. */
function partiesOf(documents: readonly ReportDocument[]): readonly PartySum[] {
  const byParty = grouped(documents, ({ party, partyName }) => party ?? ` ${partyName ?? ''}`);
  return [...byParty.values()]
    .map((own) => ({
      taxNumber: own[0]?.party,
      name: own.find(({ partyName }) => partyName !== undefined)?.partyName,
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
  return Array.from({ length: 31 }, (_, index) => addDays(first, index)).filter((day) => day.startsWith(month));
}
