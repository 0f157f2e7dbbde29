import type { Fields } from '../../archive/xml-fields.js';
import { parseDecimalText } from '../../domain/decimal-text.js';
import { addExactly, compareExactly, type JsonNumber } from '../../domain/exact-decimal.js';
import { NumberLiteral } from '../../domain/json-numbers.js';
import { withCents } from './table-sums.js';

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
