import type { ArchivedType } from '../../archive/manifest.js';
import type { Direction } from '../../domain/direction.js';
import { type JsonNumber, addExactly, compareExactly } from '../../domain/exact-decimal.js';
import { NumberLiteral } from '../../domain/json-numbers.js';
import type { DataRecord } from '../../domain/outcome.js';
import type { DocumentState } from '../../domain/document-state.js';
import type { TableColumn, TableRow } from './table-column.js';
import type { Fields } from '../../archive/xml-fields.js';
import { parseDecimalText } from '../../domain/decimal-text.js';

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
      ...{ type: 'total', ...of, ...(tax !== undefined && { tax }), ...(isOutside && { countsInTotal: '0' }), rows },
      // Rows of which none has an amount have no sum: 0.00 would be one.
      ...(this.#amountAt >= 0 && withoutAmount < rows && { amount: withCents(amount) }),
      ...(this.#amountAt >= 0 && { withoutAmount }),
    }));
  }
}

/** At least two decimals, as amounts of documents have. */
function withCents(amount: JsonNumber): string {
  const [whole = '0', fraction = ''] = String(amount).split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

const TAXES = 'DPS/infDPS/valores/trib';
const FEDERAL = `${TAXES}/tribFed`;

const withheld = {
  total: 'valores/vTotalRet',
  iss: 'valores/vISSQN',
  issKind: `${TAXES}/tribMun/tpRetISSQN`,
  kind: `${FEDERAL}/piscofins/tpRetPisCofins`,
  pis: `${FEDERAL}/piscofins/vPis`,
  cofins: `${FEDERAL}/piscofins/vCofins`,
  social: `${FEDERAL}/vRetCSLL`,
  pension: `${FEDERAL}/vRetCP`,
  income: `${FEDERAL}/vRetIRRF`,
} as const;

/** The fields of an NFS-e that say what of its taxes is withheld. */
export const withheldPaths: readonly string[] = Object.values(withheld);

/** What each `tpRetPisCofins` says to be withheld (technical note 007 of the national NFS-e). */
const kinds: Readonly<Record<string, readonly Contribution[]>> = {
  ...{ 0: [], 1: ['PIS', 'COFINS'], 2: [], 3: ['PIS', 'COFINS', 'CSLL'], 4: ['PIS', 'COFINS'] },
  ...{ 5: ['PIS'], 6: ['COFINS'], 7: ['COFINS', 'CSLL'], 8: ['CSLL'], 9: ['PIS', 'CSLL'] },
};
type Contribution = 'PIS' | 'COFINS' | 'CSLL';

export interface Withheld {
  /** What the rows of these taxes are called in this note. */
  readonly names: ReadonlyMap<string, string>;
  /** The sum of the rows that are withheld, and the total of the note, where they differ. */
  readonly difference?: { readonly amount: string; readonly declaredAmount: string };
}

/**
 * Which rows of an NFS-e are withheld, so that they add up to its `vTotalRet`. By the technical note 007 `vRetCSLL` holds all that
 * `tpRetPisCofins` names, and `vPis` and `vCofins` are what the issuer itself owes; earlier notes withheld them beside `vRetCSLL`.
 * The total of a note tells which of the two it is.
 */
export function withheldIn(document: Fields): Withheld {
  const kind = document.get(withheld.kind);
  const named = kind === undefined ? (['PIS', 'COFINS'] as const) : (kinds[kind] ?? []);
  const isIssWithheld = ['2', '3'].includes(document.get(withheld.issKind) ?? '');
  const together = sumOf(document, [
    ...[withheld.pension, withheld.income, withheld.social],
    ...(isIssWithheld ? [withheld.iss] : []),
  ]);
  const besides = named.filter((each) => each !== 'CSLL');
  const beside = besides.reduce(
    (sum, each) => addExactly(sum, amountIn(document, each === 'PIS' ? withheld.pis : withheld.cofins) ?? 0),
    together,
  );
  const total = amountIn(document, withheld.total);
  const fits = (sum: JsonNumber): boolean => total !== undefined && compareExactly(sum, total) === 0;
  const isBeside = fits(together) === fits(beside) ? kind === '1' : fits(beside);
  const names = new Map<string, string>();
  if (isIssWithheld) names.set('ISSQN', 'ISSQN-RET');
  if (isBeside) for (const each of besides) names.set(each, `${each}-RET`);
  else if (kind !== undefined && named.length > 0) names.set('CSLL-RET', `${named.join('-')}-RET`);
  const amount = isBeside ? beside : together;
  if (total === undefined || fits(amount)) return { names };
  return { names, difference: { amount: withCents(amount), declaredAmount: withCents(total) } };
}

function sumOf(document: Fields, paths: readonly string[]): JsonNumber {
  return paths.reduce<JsonNumber>((sum, path) => addExactly(sum, amountIn(document, path) ?? 0), 0);
}

function amountIn(document: Fields, path: string): JsonNumber | undefined {
  const text = document.get(path);
  return text === undefined || parseDecimalText(text) === undefined ? undefined : new NumberLiteral(text);
}
