import type { ArchivedType } from '../../archive/manifest.js';
import type { Direction } from '../../domain/direction.js';
import { addExactly, type JsonNumber } from '../../domain/exact-decimal.js';
import { NumberLiteral } from '../../domain/json-numbers.js';
import type { DataRecord } from '../../domain/outcome.js';
import type { DocumentState } from '../../domain/document-state.js';
import type { TableColumn, TableRow } from './table-column.js';

/** Rows of one direction, type of document and state; in the table of taxes, also of one tax. */
interface Sum {
  readonly direction: Direction;
  readonly documentType: ArchivedType;
  readonly state: DocumentState;
  readonly tax: string | undefined;
  /** Of items that are no part of the value of their note. */
  readonly isOutside: boolean;
  rows: number;
  withoutAmount: number;
  amount: JsonNumber;
}

/** Adds up a column of a table exactly. What does not stand, or is outside the value of its note is not added to the others. */
export class TableSums {
  readonly #sums = new Map<string, Sum>();
  readonly #amountAt: number;
  readonly #taxAt: number;
  readonly #countsAt: number;

  constructor(columns: readonly TableColumn[], sum: string | undefined) {
    this.#amountAt = columns.findIndex(({ name }) => name === sum);
    this.#taxAt = columns.findIndex(({ name }) => name === 'tax');
    this.#countsAt = columns.findIndex(({ name }) => name === 'countsInTotal');
  }

  add(of: Pick<Sum, 'direction' | 'documentType' | 'state'>, row: TableRow): void {
    const { direction, documentType, state } = of;
    const tax = row[this.#taxAt];
    const isOutside = row[this.#countsAt] === '0';
    const key = `${direction} ${documentType} ${state} ${String(isOutside)} ${tax ?? ''}`;
    const none = { rows: 0, withoutAmount: 0, amount: 0 };
    const sum = this.#sums.get(key) ?? { direction, documentType, state, tax, isOutside, ...none };
    this.#sums.set(key, sum);
    sum.rows += 1;
    const amount = row[this.#amountAt];
    if (amount === undefined) sum.withoutAmount += 1;
    else sum.amount = addExactly(sum.amount, new NumberLiteral(amount));
  }

  /** Rows that are no part of the value of their note. */
  get outside(): number {
    return [...this.#sums.values()].reduce((sum, { isOutside, rows }) => sum + (isOutside ? rows : 0), 0);
  }

  records(): readonly DataRecord[] {
    return [...this.#sums.values()].map(({ tax, isOutside, rows, withoutAmount, amount, ...of }) => ({
      ...{
        type: 'total',
        ...of,
        ...(tax !== undefined && { tax }),
        ...(isOutside && { countsInTotal: '0' }),
        rows,
      },
      // Rows of which none has an amount have no sum: 0.00 would be one.
      ...(this.#amountAt >= 0 && withoutAmount < rows && { amount: withCents(amount) }),
      ...(this.#amountAt >= 0 && { withoutAmount }),
    }));
  }
}

/** At least two decimals, as amounts of documents have. */
export function withCents(amount: JsonNumber): string {
  const [whole = '0', fraction = ''] = String(amount).split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}
