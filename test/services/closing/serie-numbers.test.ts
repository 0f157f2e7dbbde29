import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type NumberRange, serieNumbers } from '../../../src/services/closing/serie-numbers.js';

const none = { disabled: [], declared: [] };

describe('the numbers of a serie', () => {
  test('without gaps have nothing missing', () => {
    const used = new Set([1, 2, 3]);
    expect(serieNumbers(1, { ofMonth: [2, 3], used, ...none })).toEqual({
      ...{ serie: 1, first: 2, last: 3, used: 2, disabled: 0, declared: 0, missing: 0, missingRanges: [] },
    });
  });

  test('a month without invoices has none to account for', () => {
    expect(serieNumbers(1, { ofMonth: [], used: new Set([1, 2]), ...none })).toBeUndefined();
  });

  test('are counted from behind the last one of an earlier month', () => {
    const used = new Set([7, 10, 11]);
    expect(serieNumbers(1, { ofMonth: [10, 11], used, ...none })).toMatchObject({
      ...{ first: 8, last: 11, used: 2, missing: 2, missingRanges: [[8, 9]] },
    });
  });

  test('begin with the first one that is known where none is before it', () => {
    expect(serieNumbers(3, { ofMonth: [500, 502], used: new Set([500, 502]), ...none })).toMatchObject({
      ...{ first: 500, last: 502, missing: 1, missingRanges: [[501, 501]] },
    });
  });

  test('of another month between them are used', () => {
    const used = new Set([1, 2, 3, 4]);
    expect(serieNumbers(1, { ofMonth: [1, 4], used, ...none })).toMatchObject({ used: 4, missing: 0 });
  });

  test('are missing after a jump, however far it is', () => {
    const found = serieNumbers(1, { ofMonth: [1, 999_999_999], used: new Set([1, 999_999_999]), ...none });
    expect(found).toMatchObject({ missing: 999_999_997, missingRanges: [[2, 999_999_998]] });
  });

  test('that are disabled, or declared as disabled, are not missing', () => {
    const found = serieNumbers(1, {
      ...{ ofMonth: [1, 20], used: new Set([1, 20]) },
      ...{
        disabled: [[2, 5]],
        declared: [
          [4, 9],
          [15, 30],
        ],
      },
    });
    expect(found).toEqual({
      ...{ serie: 1, first: 1, last: 20, used: 2, disabled: 4, declared: 9, missing: 5, missingRanges: [[10, 14]] },
    });
  });

  test('a disabled range before the first number is where the count begins', () => {
    const found = serieNumbers(1, { ofMonth: [12], used: new Set([5, 12]), disabled: [[6, 10]], declared: [] });
    expect(found).toMatchObject({ first: 11, last: 12, missing: 1, missingRanges: [[11, 11]] });
  });

  test('add up, number by number', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 30 });
    const ranges = fc.array(
      fc
        .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 8 }))
        .map(([from, length]): NumberRange => [from, from + length]),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(numbers, numbers, ranges, ranges, (ofMonth, others, disabled, declared) => {
        const used = new Set([...ofMonth, ...others]);
        const found = serieNumbers(1, { ofMonth, used, disabled, declared });
        if (found === undefined) throw new Error('the month has numbers');
        const isIn = (list: readonly NumberRange[], number: number) =>
          list.some(([from, to]) => number >= from && number <= to);
        const known = (number: number) => used.has(number) || isIn(disabled, number) || isIn(declared, number);
        const all = Array.from({ length: found.last - found.first + 1 }, (_none, index) => found.first + index);
        expect(found.last).toBe(Math.max(...ofMonth));
        // Everything from the last known number before the month on is accounted for.
        const before = Array.from({ length: 60 }, (_none, index) => index + 1).filter(
          (number) => number < Math.min(...ofMonth) && known(number),
        );
        expect(found.first).toBe(before.length === 0 ? Math.min(...ofMonth) : Math.max(...before) + 1);
        expect(found.missing).toBe(all.filter((number) => !known(number)).length);
        expect(found.used).toBe(all.filter((number) => used.has(number)).length);
        expect(found.disabled).toBe(all.filter((number) => !used.has(number) && isIn(disabled, number)).length);
        expect(all.length).toBe(found.used + found.disabled + found.declared + found.missing);
      }),
      { numRuns: 500 },
    );
  });
});
