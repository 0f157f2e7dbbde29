import type { Family } from '../core/captures.js';

/** facts §1: weights 2 to 9 from the right; a remainder below 2 gives 0. */
function withKeyDigit(base: string): string {
  let sum = 0;
  for (let fromRight = 0; fromRight < base.length; fromRight += 1) {
    const value = base.charCodeAt(base.length - 1 - fromRight) - 48;
    sum += value * (2 + (fromRight % 8));
  }
  const rest = sum % 11;
  return base + (rest < 2 ? '0' : String(11 - rest));
}

/** Whether the last character of a key is the check digit of the others. */
export function hasKeyDigit(accessKey: string): boolean {
  return withKeyDigit(accessKey.slice(0, -1)) === accessKey;
}

export interface KeyParts {
  /** IBGE code of the issuer's town, of which the first two digits are its state. */
  readonly town: string;
  readonly issuerTaxNumber: string;
  readonly issuedOn: number;
  readonly number: number;
  /** Digits that nobody can guess; as many as the key has places for are taken. */
  readonly random: string;
}

/** The key of a document of this family. */
export function makeKey(family: Family, parts: KeyParts): string {
  switch (family) {
    case 'nfe':
      return makeInvoiceKey('55', parts);
    case 'cte':
      return makeInvoiceKey('57', parts);
    case 'nfse':
      return makeNfseKey(parts);
  }
}

/** facts §1: 44 digits, normal emission. */
export function makeInvoiceKey(
  model: string,
  { town, issuerTaxNumber, issuedOn, number, random }: KeyParts,
  serie = 1,
): string {
  const state = town.slice(0, 2);
  const place = `${model}${String(serie).padStart(3, '0')}${String(number).padStart(9, '0')}`;
  return withKeyDigit(`${state}${yearAndMonth(issuedOn)}${issuerTaxNumber}${place}1${random.slice(0, 8)}`);
}

/** facts §2: 50 digits, issued at the national environment by a holder of a CNPJ. */
function makeNfseKey({ town, issuerTaxNumber, issuedOn, number, random }: KeyParts): string {
  const ordinal = String(number).padStart(13, '0');
  return withKeyDigit(`${town}22${issuerTaxNumber}${ordinal}${yearAndMonth(issuedOn)}${random.slice(0, 9)}`);
}

/** AAMM. */
function yearAndMonth(at: number): string {
  const [year = '', month = ''] = new Date(at).toISOString().split('-');
  return year.slice(2) + month;
}
