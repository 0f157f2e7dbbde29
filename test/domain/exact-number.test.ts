import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactNumbers } from '../../src/domain/exact-number.js';
import { parseKeepingNumbers } from '../../src/domain/product-number.js';

function read(json: string) {
  const { value, problems } = exactNumbers(parseKeepingNumbers(json));
  return { value, fields: problems.map(({ field }) => field) };
}

describe('numbers of a body', () => {
  test('go on as they are when a number holds their value, whatever zeros were typed', () => {
    expect(read('{"items":[{"quantity":2.0,"unitAmount":18.90,"tax":{"rate":0.05}}]}')).toEqual({
      value: { items: [{ quantity: 2, unitAmount: 18.9, tax: { rate: 0.05 } }] },
      fields: [],
    });
  });

  test.each([
    ['{"a":{"b":[0.30000000000000000001]}}', ['a.b[0]']],
    ['{"id":12345678901234567890}', ['id']],
    ['{"amount":1e2}', ['amount']],
  ])('of %s are told instead of being rounded', (json, fields) => {
    expect(read(json).fields).toEqual(fields);
  });

  test('are never changed in value without a word', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(digits, digits, (whole, fraction) => {
        const text = `${whole.replace(/^0+(?=\d)/, '')}.${fraction}`;
        const { value, fields } = read(`[${text}]`);
        if (fields.length > 0) return;
        const [number] = value as [number];
        const scale = 10n ** BigInt(fraction.length);
        const sent = String(number);
        // What has no exponent is compared digit by digit.
        if (sent.includes('e')) expect.unreachable(`${text} became ${sent}`);
        const [sentWhole = '', sentFraction = ''] = sent.split('.');
        const units = BigInt(sentWhole) * scale + BigInt(sentFraction.padEnd(fraction.length, '0'));
        expect(units).toBe(BigInt(text.replace('.', '')));
      }),
    );
  });
});
