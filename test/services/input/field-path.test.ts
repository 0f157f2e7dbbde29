import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NumberLiteral } from '../../../src/domain/json-numbers.js';
import { lastName, parseFieldPath, placeAt, cellValue, wordValue } from '../../../src/services/input/field-path.js';

describe('a path', () => {
  test.each([
    ['externalId', ['externalId']],
    ['items[0].quantity', ['items', 0, 'quantity']],
    ['a.b[1][2].c', ['a', 'b', 1, 2, 'c']],
  ])('%s is read', (text, steps) => {
    expect(parseFieldPath(text)).toEqual(steps);
  });

  test.each(['', '.a', 'a.', 'a[', 'a[x]', '[0]', 'a b', '__proto__.x', 'a.constructor', 'a[9999]'])(
    '%j is not a path',
    (text) => {
      expect(parseFieldPath(text)).toBeUndefined();
    },
  );
});

describe('a value', () => {
  test('is set in a copy, and its siblings stay', () => {
    const root = { items: [{ quantity: 1, unit: 'UN' }], note: 'x' };
    expect(placeAt(root, ['items', 0, 'quantity'], 2)).toEqual({
      value: { items: [{ quantity: 2, unit: 'UN' }], note: 'x' },
    });
    expect(root.items[0]?.quantity).toBe(1);
  });

  test('creates the groups on its path, and a list grows by one', () => {
    expect(placeAt({}, ['items', 0, 'tax', 'icms'], '00')).toEqual({ value: { items: [{ tax: { icms: '00' } }] } });
    expect(placeAt({}, ['items', 1], 1)).toEqual({ problem: expect.objectContaining({ en: expect.any(String) }) });
  });

  test.each([
    [{ a: 'text' }, ['a', 'b']],
    [{ a: { b: 1 } }, ['a', 0]],
  ])('is refused inside a text or a value of another kind: %j', (root, path) => {
    expect(placeAt(root, path, 1)).toEqual({ problem: expect.objectContaining({ pt: expect.any(String) }) });
  });

  test('is read back where it was set, whatever the names', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/).filter((text) => parseFieldPath(text) !== undefined);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), fc.jsonValue(), (path, value) => {
        const placed = placeAt({}, path, value);
        if ('problem' in placed) expect.unreachable('nothing stands in the way');
        const found = path.reduce<unknown>(
          (at, step) => (at as Readonly<Record<string, unknown>>)[step],
          'value' in placed ? placed.value : undefined,
        );
        expect(found).toEqual(value);
      }),
    );
  });
});

describe('a word', () => {
  test.each([
    ['2', 'quantity', new NumberLiteral('2')],
    ['18.90', 'unitAmount', new NumberLiteral('18.90')],
    ['true', 'isForeign', true],
    ['null', 'note', null],
    ['052', 'quantity', '052'],
    ['11222333000181', 'federalTaxNumber', '11222333000181'],
    ['09012100', 'ncm', '09012100'],
    ['121', 'operationCode', new NumberLiteral('121')],
    ['1001', 'externalId', '1001'],
    ['não', 'paid', 'não'],
  ])('%j under %s', (word, field, expected) => {
    expect(wordValue(word, field)).toEqual(expected);
  });

  test('may be JSON in a cell', () => {
    expect([cellValue('"2"', 'x'), cellValue('[{"a":1}]', 'x')]).toEqual(['2', [{ a: 1 }]]);
    expect(() => cellValue('{broken', 'x')).toThrow(SyntaxError);
  });
});

test('the last name of a path is the name of the value', () => {
  expect(lastName(['items', 0, 'ncm', 1])).toBe('ncm');
});
