import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventTypes, isWanted, matches } from '../../../src/sandbox/webhook/announce.js';

describe('isWanted', () => {
  it.each([
    [[], 'product.active', true],
    [['*'], 'product.active', true],
    [['product.*'], 'product.active', true],
    [['PRODUCT.ACTIVE'], 'product.active', true],
    [['*.active'], 'product.active', true],
    [['product.active*'], 'product.active', true],
    [['p*t.a*e'], 'product.active', true],
    [['product'], 'product.active', false],
    [['product.*'], 'product_invoice.issued_error', false],
    [['product.active.*'], 'product.active', false],
    [['a*a'], 'a', false],
    [['service.*', 'product.error'], 'product.active', false],
  ])('of %j for %s is %s', (filters, event, wanted) => {
    expect(isWanted(filters, event)).toBe(wanted);
  });
});

describe('matches', () => {
  it('matches an event by asterisks', () => {
    const parts = fc.array(fc.stringMatching(/^[a-z._]{0,6}$/), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(parts, fc.stringMatching(/^[a-z._]{0,6}$/), (words, between) => {
        expect(matches(words.join('*'), words.join(between))).toBe(true);
      }),
    );
  });

  it('is fast for any filter', () => {
    expect(matches('*a'.repeat(5_000), 'a'.repeat(4_999))).toBe(false);
  });
});

describe('eventTypes', () => {
  it('lists each event once, with a description', () => {
    const ids = eventTypes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(eventTypes.every(({ description }) => description !== undefined)).toBe(true);
  });
});
