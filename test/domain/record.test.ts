import { expect, test } from 'vitest';
import { fieldOf, isRecord, present } from '../../src/domain/record.js';

test('an object is a record; a list, null and a scalar are not', () => {
  expect([{}, { a: 1 }].map(isRecord)).toEqual([true, true]);
  expect([[], null, undefined, 'a', 1].map(isRecord)).toEqual([false, false, false, false, false]);
});

test('only own fields are read', () => {
  const answer: unknown = JSON.parse('{"a":1,"__proto__":2}');
  expect(fieldOf(answer, 'a')).toBe(1);
  expect(fieldOf(answer, '__proto__')).toBe(2);
  for (const name of ['b', 'constructor', 'toString']) expect(fieldOf(answer, name)).toBeUndefined();
  for (const value of [null, undefined, 'abc', ['a']]) expect(fieldOf(value, 'length')).toBeUndefined();
});

test('what is null or undefined is no field of what is present', () => {
  const fields = { a: 0, b: '', c: null, d: undefined, e: false, f: { g: null } };
  const found = Object.entries(present(fields));
  expect(found).toEqual([
    ['a', 0],
    ['b', ''],
    ['e', false],
    ['f', { g: null }],
  ]);
});
