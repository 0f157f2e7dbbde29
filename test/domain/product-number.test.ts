import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberLiteral, parseKeepingNumbers } from '../../src/domain/product-number.js';

test('numbers that JavaScript shows as typed stay numbers; the others keep their digits', () => {
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

test('whatever is JSON comes out as JSON.parse gives it, once literals are numbers again', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(JSON.stringify(parseKeepingNumbers(text)))).toEqual(
        JSON.parse(JSON.stringify(JSON.parse(text))),
      );
    }),
    { numRuns: 100 },
  );
});
