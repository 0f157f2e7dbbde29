import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cnpjToSend } from '../../src/domain/company-check.js';
import { cnpjDigits, formatCnpj, readTaxNumber } from '../../src/domain/tax-number.js';

const digits = fc
  .string({ unit: fc.constantFrom(...'0123456789'), minLength: 12, maxLength: 12 })
  .filter((text) => new Set(text).size > 1)
  .map((base) => base + cnpjDigits(base));

test('a CNPJ of digits goes out as an integer and comes back as typed, with or without punctuation', () => {
  const property = fc.property(digits, (cnpj) => {
    for (const typed of [cnpj, formatCnpj(cnpj), Number(cnpj)]) {
      const wire = JSON.stringify(cnpjToSend(typed, 'integer'));
      expect([wire, readTaxNumber(JSON.parse(wire))]).toEqual([cnpj.replace(/^0+/, ''), cnpj]);
      expect(cnpjToSend(typed, 'text')).toBe(cnpj);
    }
  });
  fc.assert(property);
});
