import { isValid, type Issue } from './issue.js';

interface PostalCodeCheck {
  readonly kind: 'cep';
  readonly value: string;
  readonly valid: boolean;
  readonly issues: readonly Issue[];
}

/** Checks a CEP: eight digits, written 99999-999, without a check digit (facts §8). */
export function checkPostalCode(text: string): PostalCodeCheck {
  const value = text.replaceAll(/[\s.-]/g, '');
  const issues: readonly Issue[] = /^[0-9]{8}$/.test(value)
    ? []
    : [
        {
          code: 'characters',
          severity: 'error',
          field: 'cep',
          message: { en: 'a CEP has eight digits', pt: 'um CEP tem oito algarismos' },
        },
      ];
  return { kind: 'cep', value, valid: isValid(issues), issues };
}

/** `01310100` → `01310-100`. */
export function formatPostalCode(value: string): string {
  return value.replace(/^(\d{5})(\d{3})$/, '$1-$2');
}

/** The 27 states, and `EX` for an address abroad (facts §9). */
export const stateNames: readonly string[] =
  'AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO EX'.split(' ');
