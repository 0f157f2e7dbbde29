import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addExactly,
  compareExactly,
  divideExactly,
  divideToInteger,
  multiplyExactly,
  remainderExactly,
  subtractExactly,
} from '../../src/domain/exact-decimal.js';
import { NumberLiteral } from '../../src/domain/json-numbers.js';

const cents = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const amount = (value: bigint): NumberLiteral => {
  const digits = String(value < 0n ? -value : value).padStart(3, '0');
  return new NumberLiteral(`${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`);
};

test('amounts of any length compute as their cents do', () => {
  fc.assert(
    fc.property(cents, cents, (left, right) => {
      const [one, other] = [amount(left), amount(right)];
      expect(compareExactly(addExactly(one, other), amount(left + right))).toBe(0);
      expect(compareExactly(subtractExactly(one, other), amount(left - right))).toBe(0);
      const product = multiplyExactly(multiplyExactly(one, other), 10_000);
      expect(String(product)).toBe(String(left * right));
      expect(Math.sign(compareExactly(one, other))).toBe(Math.sign(Number(left - right)));
    }),
  );
});

test.each([
  [7, 2, ['3.5', '1', '3']],
  [-7, 2, ['-3.5', '-1', '-4']],
  [1, 3, ['0.33333333333333333333', '1', '0']],
  [1e21, 1, ['1000000000000000000000', '0', '1000000000000000000000']],
  [1e-7, 2, ['0.00000005', '0.0000001', '0']],
])('%d and %d divide', (left, right, expected) => {
  const results = [divideExactly, remainderExactly, divideToInteger].map((divide) => divide(left, right));
  expect(results.map(String)).toEqual(expected);
});

test('a division by zero and an endless exponent are refused', () => {
  expect(() => divideExactly(1, 0)).toThrow(RangeError);
  expect(() => addExactly(new NumberLiteral('1e999999999'), 1)).toThrow(RangeError);
});
