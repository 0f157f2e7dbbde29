import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import { NumberLiteral, parseKeepingNumbers, exactNumbers } from '../../src/domain/json-numbers.js';

test('numbers that JavaScript prints as typed stay numbers; others keep their digits', () => {
  expect(parseKeepingNumbers('[1, -2.5, 18.10, 1e3, 12345678901234567890]')).toEqual([
    1,
    -2.5,
    new NumberLiteral('18.10'),
    new NumberLiteral('1e3'),
    new NumberLiteral('12345678901234567890'),
  ]);
});

test('digits inside strings are not numbers', () => {
  expect(parseKeepingNumbers(String.raw`{"a \" 1.10":"x 2.20 \\","b":3.30}`)).toEqual({
    'a " 1.10': 'x 2.20 \\',
    b: new NumberLiteral('3.30'),
  });
});

test('text that imitates the mark of a number stays text', () => {
  expect(parseKeepingNumbers('{"a":"\\u00001.10","b":1.10}')).toEqual({ a: '\u00001.10', b: 1.1 });
});

test.each(['{"a":1.}', '{"a":01}', '{', '', '[1 2]', '{"a":+1.10}'])(
  '%s is refused as JSON.parse refuses it',
  (text) => {
    expect(() => parseKeepingNumbers(text)).toThrow(SyntaxError);
  },
);

test('depth is bounded', () => {
  expect(() => parseKeepingNumbers('['.repeat(500_000))).toThrow('more than 64 levels');
});

test('any JSON parses as with JSON.parse, once literals are numbers again', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(JSON.stringify(parseKeepingNumbers(text)))).toEqual(
        JSON.parse(JSON.stringify(JSON.parse(text))),
      );
    }),
    { numRuns: 100 },
  );
});

function read(json: string) {
  const { value, problems } = exactNumbers(parseKeepingNumbers(json));
  return { value, fields: problems.map(({ field }) => field) };
}

describe('numbers of a body', () => {
  test('stay numbers if a number represents their value, whatever zeros were typed', () => {
    expect(read('{"items":[{"quantity":2.0,"unitAmount":18.90,"tax":{"rate":0.05}}]}')).toEqual({
      value: { items: [{ quantity: 2, unitAmount: 18.9, tax: { rate: 0.05 } }] },
      fields: [],
    });
  });

  test.each([
    ['{"a":{"b":[0.30000000000000000001]}}', ['a.b[0]']],
    ['{"id":12345678901234567890}', ['id']],
    ['{"amount":1e2}', ['amount']],
  ])('of %s are reported instead of rounded', (json, fields) => {
    expect(read(json).fields).toEqual(fields);
  });

  test('never change in value without a report', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(digits, digits, (whole, fraction) => {
        const text = `${whole.replace(/^0+(?=\d)/, '')}.${fraction}`;
        const { value, fields } = read(`[${text}]`);
        if (fields.length > 0) return;
        const [number] = value as [number];
        const scale = 10n ** BigInt(fraction.length);
        const sent = String(number);
        // Numbers without an exponent are compared digit by digit.
        if (sent.includes('e')) expect.unreachable(`${text} became ${sent}`);
        const [sentWhole = '', sentFraction = ''] = sent.split('.');
        const units = BigInt(sentWhole) * scale + BigInt(sentFraction.padEnd(fraction.length, '0'));
        expect(units).toBe(BigInt(text.replace('.', '')));
      }),
    );
  });
});
