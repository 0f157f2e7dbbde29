import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesBetween, isSameValue, merge } from '../../../src/services/calls/merge-fields.js';

const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean());
const tree = fc.letrec((tie) => ({
  node: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(leaf, tie('node')), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
})).node;

test('a second merge of the same fields changes nothing', () => {
  fc.assert(
    fc.property(tree, tree, (standing, written) => {
      const once = merge(standing, written);
      expect(changesBetween(once, merge(once, written))).toEqual([]);
    }),
  );
});

test('null removes a field, at any depth', () => {
  const merged = merge(
    { name: 'A', address: { state: 'SP', city: { code: '1' } } },
    { address: { city: null } },
  );
  expect(merged).toEqual({ name: 'A', address: { state: 'SP' } });
  expect(changesBetween({ a: 1, b: { c: 2 } }, { b: { c: 3 }, d: 4 })).toEqual([
    { field: 'a', from: 1, to: undefined },
    { field: 'b.c', from: 2, to: 3 },
    { field: 'd', from: undefined, to: 4 },
  ]);
});

test.each([
  ['2026-05-01T00:00:00+00:00'],
  ['2026-05-01T00:00:00.000Z'],
  ['2026-05-01T00:00:00-03:00'],
  ['2026-05-01T03:00:00Z'],
  ['2026-05-01T00:00:00'],
  ['2026-05-01'],
])('a day and its midnight are the same value: %s', (time) => {
  expect(isSameValue('2026-05-01', time, 'startFromDate')).toBe(true);
  expect(isSameValue('2026-05-02', time, 'startFromDate')).toBe(false);
});

test.each([
  ['startFromDate', '2026-05-01', '2026-05-01T00:00:01Z', false],
  ['startFromDate', '2026-05-01', '2026-05-01T21:00:00-03:00', false],
  ['webhookUrl', 'https://example.com/CASE', 'https://example.com/case', false],
  ['name', 'Casa', 'CASA', false],
  ['environmentSEFAZ', 'Production', 'production', true],
  ['initialNsu', '7', 7, true],
])('%s: %j and %j are the same value: %j', (field, one, other, isSame) => {
  expect(isSameValue(one, other, field)).toBe(isSame);
});
