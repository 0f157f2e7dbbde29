import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moneyText, rateOf, reduced, share } from '../../../src/sandbox/tax/tax-values.js';

const cents = fc.bigInt({ min: 0n, max: 10n ** 15n });
/** Hundredths of a percent. */
const rate = fc.integer({ min: 0, max: 10_000 });
const rateText = (value: number): string => `${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`;

describe('a share of an amount', () => {
  it('is rounded to the nearest hundredth, halves up', () => {
    fc.assert(
      fc.property(cents, rate, (amount, value) => {
        const exact = amount * BigInt(value);
        const twice = 2n * (share(amount, rateOf(rateText(value))) * 10_000n - exact);
        expect(twice > -10_000n && twice <= 10_000n).toBe(true);
      }),
    );
  });

  it('and the remainder add up to the amount', () => {
    fc.assert(
      fc.property(cents, rate, (amount, value) => {
        const of = rateOf(rateText(value));
        expect(share(amount, of) + reduced(amount, of)).toBe(amount);
      }),
    );
  });
});

describe('a rate', () => {
  it('has at most four decimals; anything else counts as zero', () => {
    expect(['18.00', '18', '0.6543', '100.00', '1.23456', 'x', undefined].map(rateOf)).toEqual([
      180_000n,
      180_000n,
      6_543n,
      1_000_000n,
      0n,
      0n,
      0n,
    ]);
  });
});

describe('money', () => {
  it('is text with two decimals', () => {
    expect([0n, 5n, 99n, 100n, 123_456_789_012_345n].map(moneyText)).toEqual([
      '0.00',
      '0.05',
      '0.99',
      '1.00',
      '1234567890123.45',
    ]);
  });
});
