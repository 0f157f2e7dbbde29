import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { centsOf, centsText, fixedText, product, readDecimal } from '../../../src/sandbox/core/decimal.js';

const decimal = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 14n }), fc.integer({ min: 0, max: 10 }))
  .map(([units, scale]) => ({ units, scale }));

function textOf({ units, scale }: { readonly units: bigint; readonly scale: number }): string {
  const digits = String(units).padStart(scale + 1, '0');
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

describe('a decimal', () => {
  it('survives formatting and parsing', () => {
    fc.assert(
      fc.property(decimal, (value) => {
        expect(readDecimal(textOf(value))).toEqual(value);
      }),
    );
  });

  it('is written with at least the requested decimals, with the same value', () => {
    fc.assert(
      fc.property(decimal, (value) => {
        const read = readDecimal(fixedText(value, 10));
        expect(read).toEqual({ units: value.units * 10n ** BigInt(10 - value.scale), scale: 10 });
      }),
    );
  });

  it('is rounded to the nearest hundredth, halves up', () => {
    fc.assert(
      fc.property(decimal, (value) => {
        const distance = 2n * (centsOf(value) * 10n ** 10n - value.units * 10n ** BigInt(12 - value.scale));
        expect(distance > -(10n ** 10n) && distance <= 10n ** 10n).toBe(true);
      }),
    );
  });

  it.each([
    [0.1, { units: 1n, scale: 1 }],
    [1e-7, { units: 1n, scale: 7 }],
    ['007.50', { units: 750n, scale: 2 }],
    [1e21, undefined],
    ['1,5', undefined],
    ['.5', undefined],
    ['1e3', undefined],
    [-1, undefined],
    [Number.NaN, undefined],
    [null, undefined],
    [true, undefined],
  ])('reads %j', (value, expected) => {
    expect(readDecimal(value)).toEqual(expected);
  });

  it('multiplies without rounding errors', () => {
    const [one, other] = [readDecimal(1.1), readDecimal('3')];
    expect(one && other && centsText(centsOf(product(one, other)))).toBe('3.30');
  });
});
