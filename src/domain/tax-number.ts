import { isValid, type Issue } from './issue.js';

/**
 * The modulo 11 check digit of the tax offices. The value of a character is its code point − 48, so that letters
 * count too (alphanumeric CNPJ); a remainder below 2 gives 0. `weights` repeat from the right.
 */
export function mod11(text: string, weights: readonly number[]): string {
  let sum = 0;
  for (let fromRight = 0; fromRight < text.length; fromRight += 1) {
    const value = text.charCodeAt(text.length - 1 - fromRight) - 48;
    sum += value * (weights[fromRight % weights.length] ?? 0);
  }
  const remainder = sum % 11;
  return remainder < 2 ? '0' : String(11 - remainder);
}

/** Weights 2 to 9, repeating: access keys (MOC CT-e 4.00 §2.1.4) and CNPJ. */
export const weights2To9: readonly number[] = [2, 3, 4, 5, 6, 7, 8, 9];

/** Weights 2 to 11: CPF. */
const weights2To11: readonly number[] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

/** The result of a check. `value`: the CNPJ or CPF without punctuation, in capital letters. */
interface TaxNumberCheck {
  readonly kind: 'cnpj' | 'cpf';
  readonly value: string;
  readonly valid: boolean;
  readonly issues: readonly Issue[];
}

const cnpjPattern = /^[0-9A-Z]{12}[0-9]{2}$/;
const cpfPattern = /^[0-9]{11}$/;

/** Whether a bare text has the form of a CNPJ; whether its digits fit is for `checkCnpj`. */
export function looksLikeCnpj(text: string): boolean {
  return cnpjPattern.test(text);
}

/** Whether a bare text has the form of a CNPJ or of a CPF. */
export function looksLikeTaxNumber(text: string): boolean {
  return cnpjPattern.test(text) || cpfPattern.test(text);
}

/**
 * Checks the format and the check digits of a CNPJ, alphanumeric ones included (facts §8). Accepts punctuation and
 * lower case.
 */
export function checkCnpj(text: string): TaxNumberCheck {
  const value = bareTaxNumber(text);
  return checked('cnpj', value, cnpjIssues(value));
}

/** Checks the format and the check digits of a CPF (facts §8). Accepts punctuation. */
export function checkCpf(text: string): TaxNumberCheck {
  const value = bareTaxNumber(text);
  return checked('cpf', value, cpfIssues(value));
}

/** The two digits that complete the first twelve characters of a CNPJ. */
export function cnpjDigits(base: string): string {
  const first = mod11(base, weights2To9);
  return first + mod11(base + first, weights2To9);
}

/** The two digits that complete the first nine digits of a CPF. */
export function cpfDigits(base: string): string {
  const first = mod11(base, weights2To11);
  return first + mod11(base + first, weights2To11);
}

/** `12ABC34501DE35` → `12.ABC.345/01DE-35`. */
export function formatCnpj(value: string): string {
  return value.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5');
}

/** `12345678909` → `123.456.789-09`. */
export function formatCpf(value: string): string {
  return value.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4');
}

/**
 * The tax number of a company as the service shows it: text, or an integer (published), which has lost its leading
 * zeros. `undefined`: it shows none. 14 characters, or the 11 of a CPF.
 */
export function readTaxNumber(value: unknown): string | undefined {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
  const text = typeof value === 'string' || isNumber ? bareTaxNumber(String(value)) : '';
  if (!/^\d{1,13}$/.test(text)) return text === '' ? undefined : text;
  const [cnpj, cpf] = [text.padStart(14, '0'), text.padStart(11, '0')];
  return !checkCnpj(cnpj).valid && checkCpf(cpf).valid ? cpf : cnpj;
}

/** Masks a CPF. It is personal data: logs and errors show only its last two digits (§5, security rules). */
export function maskCpf(value: string): string {
  return `***.***.***-${bareTaxNumber(value).slice(-2)}`;
}

/** A CNPJ or CPF without punctuation, in capital letters. */
export function bareTaxNumber(text: string): string {
  return text.replaceAll(/[\s./-]/g, '').toUpperCase();
}

function cnpjIssues(value: string): readonly Issue[] {
  if (value.length !== 14) return [wrongLength('cnpj', 14, value.length)];
  if (!cnpjPattern.test(value)) {
    return [
      {
        code: 'characters',
        severity: 'error',
        field: 'cnpj',
        message: {
          en: 'a CNPJ is 12 digits or letters, then 2 digits',
          pt: 'um CNPJ tem 12 algarismos ou letras, seguidos de 2 algarismos',
        },
      },
    ];
  }
  return digitIssues('cnpj', value, cnpjDigits(value.slice(0, 12)));
}

function cpfIssues(value: string): readonly Issue[] {
  if (value.length !== 11) return [wrongLength('cpf', 11, value.length)];
  if (!cpfPattern.test(value)) {
    return [
      {
        code: 'characters',
        severity: 'error',
        field: 'cpf',
        message: { en: 'a CPF has digits only', pt: 'um CPF só tem algarismos' },
      },
    ];
  }
  return digitIssues('cpf', value, cpfDigits(value.slice(0, 9)));
}

function digitIssues(field: string, value: string, expected: string): readonly Issue[] {
  if (/^(.)\1*$/.test(value)) {
    return [
      {
        code: 'repeated',
        severity: 'error',
        field,
        message: { en: 'all characters are equal', pt: 'todos os caracteres são iguais' },
      },
    ];
  }
  if (value.endsWith(expected)) return [];
  return [
    {
      code: 'check-digit',
      severity: 'error',
      field,
      message: {
        en: `the check digits do not fit: expected ${expected}`,
        pt: `os dígitos verificadores não conferem: esperado ${expected}`,
      },
    },
  ];
}

function wrongLength(field: string, expected: number, found: number): Issue {
  return {
    code: 'length',
    severity: 'error',
    field,
    message: {
      en: `it needs ${expected} characters and has ${found}`,
      pt: `precisa de ${expected} caracteres e tem ${found}`,
    },
  };
}

function checked(kind: 'cnpj' | 'cpf', value: string, issues: readonly Issue[]): TaxNumberCheck {
  return { kind, value, valid: isValid(issues), issues };
}
