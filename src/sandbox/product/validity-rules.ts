/**
 * What makes the tax rules of a product valid in this sandbox. The service document shows no rule ("not shown"), so
 * these are assumed; they are checked in the background, and the first failures become `errorMessage`.
 *
 * 1. A scenario has an operationCode and at least one of intraState and interState.
 * 2. operationCode is 0..999.
 * 3. Tax regimes and profiles of issuers and recipients stand in the lists of `vocabulary.ts`.
 * 4. A CFOP is four digits of a known form, and its first digit fits the direction (table below).
 * 5. CST and CSOSN stand in the lists below.
 * 6. Fields named p + capital (pICMS, pPIS, …) are rates: text 0..100 with up to four decimals.
 *    pMVAST is a margin and may exceed 100.
 */

/** First digit of the CFOP, entry and exit, by direction (Ajuste SINIEF S/N 1970, annex of CFOPs). */
export const cfopDigits = {
  intraState: '15',
  interState: '26',
  /** With an issuer or recipient in EX, in interState. */
  abroad: '37',
} as const;

/** First digit 1-3 or 5-7; the group digit is never 0. */
export const cfopForm = /^[123567][1-9]\d{2}$/;

const numbers = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index).padStart(2, '0'));

/** Two-digit CST of ICMS, monophase fuels included. */
const icms = '00 02 10 12 13 15 20 30 40 41 50 51 52 53 60 61 70 72 74 90'.split(' ');
const contributions = [
  ...numbers(1, 9),
  '49',
  ...numbers(50, 56),
  ...numbers(60, 67),
  ...numbers(70, 75),
  '98',
  '99',
];

export const situationCodes: Readonly<Record<string, readonly string[]>> = {
  icms,
  pis: contributions,
  cofins: contributions,
};

/** The codes of companies in the national simplified regime. */
export const simpleSituationCodes = '101 102 103 201 202 203 300 400 500 900'.split(' ');

export const rateName = /^p[A-Z]/;
export const rateForm = /^(?:\d{1,2}(?:\.\d{1,4})?|100(?:\.0{1,4})?)$/;
export const marginName = /^pMVA/;
export const marginForm = /^\d{1,4}(?:\.\d{1,4})?$/;

export const highestOperationCode = 999;
