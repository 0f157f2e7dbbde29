import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkCnpj,
  checkCpf,
  cnpjDigits,
  cpfDigits,
  formatCnpj,
  maskCpf,
  readTaxNumber,
} from '../../src/domain/tax-number.js';

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
const cnpjBase = fc
  .string({ unit: fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'), minLength: 12, maxLength: 12 })
  .filter((base) => new Set(base).size > 1);

describe('a CNPJ', () => {
  test.each(['12ABC34501DE35', '0X0J92JY000196', '30.057.049/0001-41', '12.abc.345/01de-35'])('%s is valid', (text) => {
    expect(checkCnpj(text)).toMatchObject({ kind: 'cnpj', valid: true, issues: [] });
  });

  test.each([
    ['30057049000142', 'check-digit'],
    ['00000000000000', 'repeated'],
    ['3005704900014', 'length'],
    ['3005704900014A', 'characters'],
  ])('%s is not: %s', (text, code) => {
    const check = checkCnpj(text);
    expect({ valid: check.valid, codes: check.issues.map((issue) => issue.code) }).toEqual({
      valid: false,
      codes: [code],
    });
  });

  test('is valid with its own digits, letters or not', () => {
    fc.assert(fc.property(cnpjBase, (base) => checkCnpj(base + cnpjDigits(base)).valid));
  });

  test('is printed with its punctuation', () => {
    expect(formatCnpj('12ABC34501DE35')).toBe('12.ABC.345/01DE-35');
  });
});

describe('a CPF', () => {
  test('529.982.247-25 is valid', () => {
    expect(checkCpf('529.982.247-25')).toEqual({ kind: 'cpf', value: '52998224725', valid: true, issues: [] });
  });

  test('of equal digits is not valid, although its check digits match', () => {
    expect(checkCpf('111.111.111-11').issues.map((issue) => issue.code)).toEqual(['repeated']);
  });

  test('is valid only with its own check digits', () => {
    fc.assert(
      fc.property(
        digits(9).filter((base) => new Set(base).size > 1),
        fc.integer({ min: 1, max: 9 }),
        (base, step) => {
          const end = cpfDigits(base);
          const other = end.charAt(0) + String((Number(end.charAt(1)) + step) % 10);
          return checkCpf(base + end).valid && !checkCpf(base + other).valid;
        },
      ),
    );
  });

  test('shows its last two digits only', () => {
    expect(maskCpf('52998224725')).toBe('***.***.***-25');
  });
});

describe('the tax number of a company, as the service shows it', () => {
  test.each([
    ['an integer', 12345678000195, '12345678000195'],
    ['an integer that has lost its leading zeros', 191, '00000000000191'],
    ['text of digits that has lost them', '1234567000187', '01234567000187'],
    ['text with punctuation', '12.345.678/0001-95', '12345678000195'],
    ['letters', '12abc34501de35', '12ABC34501DE35'],
    ['the CPF of a rural producer', 52998224725, '52998224725'],
    ['a CPF with leading zeros, as an integer', 1234567890, '01234567890'],
    ['a number of no one', 123, '00000000000123'],
  ])('%s is read', (_what, value, text) => {
    expect(readTaxNumber(value)).toBe(text);
  });

  test.each([undefined, null, '', '--', 0, -5, 1.5, {}, 2 ** 60])('%j is none', (value) => {
    expect(readTaxNumber(value)).toBeUndefined();
  });

  test('an integer is read as the text that it was made of', () => {
    const base = digits(12).filter((text) => new Set(text).size > 1);
    const property = fc.property(base, (text) => {
      const cnpj = text + cnpjDigits(text);
      expect(readTaxNumber(Number(cnpj))).toBe(cnpj);
    });
    fc.assert(property);
  });
});
