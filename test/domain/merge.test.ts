import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesBetween, merge } from '../../src/domain/field-changes.js';

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
  const merged = merge({ name: 'A', address: { state: 'SP', city: { code: '1' } } }, { address: { city: null } });
  expect(merged).toEqual({ name: 'A', address: { state: 'SP' } });
  expect(changesBetween({ a: 1, b: { c: 2 } }, { b: { c: 3 }, d: 4 })).toEqual([
    { field: 'a', from: 1, to: undefined },
    { field: 'b.c', from: 2, to: 3 },
    { field: 'd', from: undefined, to: 4 },
  ]);
});
