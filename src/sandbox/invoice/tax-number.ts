import { isCnpj } from '../core/cnpj.js';
import { isCpf } from '../core/cpf.js';
import type { Check } from './checks.js';

/** CPF or CNPJ as text of digits. Some deployments show and take a number, which has lost its leading zeros. */
export function taxNumberText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.replaceAll(/[.\-/]/g, '');
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0) return undefined;
  const digits = String(value);
  const short = digits.padStart(11, '0');
  return digits.length <= 11 && isCpf(short) ? short : digits.padStart(14, '0');
}

export const cpf: Check = (value, path, report) => {
  if (!isCpf(taxNumberText(value) ?? '')) report.push({ field: path, message: 'Is not a valid CPF.' });
};

/** Letters are taken too: the alphanumeric CNPJ is the law since July 2026 (facts §1). */
export const taxNumber: Check = (value, path, report) => {
  const number = taxNumberText(value) ?? '';
  if (!isCpf(number) && !isCnpj(number, true)) {
    report.push({ field: path, message: 'Is not a valid CPF or CNPJ.' });
  }
};
