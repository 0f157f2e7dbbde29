import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import {
  exactJson,
  inexactNumbers,
  NumberLiteral,
  parseExactJson,
  parseKeepingNumbers,
  parseForeignJson,
  TooDeep,
} from '../../src/domain/json-numbers.js';

test('numbers that JavaScript prints as typed stay numbers; others keep their digits', () => {
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

test.each(['{"a":1.}', '{"a":01}', '{', '', '[1 2]', '{"a":+1.10}'])(
  '%s is refused as JSON.parse refuses it',
  (text) => {
    expect(() => parseKeepingNumbers(text)).toThrow(SyntaxError);
  },
);

test('depth is bounded', () => {
  expect(() => parseKeepingNumbers('['.repeat(500_000) + ']'.repeat(500_000))).toThrow('more than 64 levels');
});

test('any JSON parses as with JSON.parse, once literals are numbers again', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(JSON.stringify(parseKeepingNumbers(text)))).toEqual(
        JSON.parse(JSON.stringify(JSON.parse(text))),
      );
    }),
    { numRuns: 100 },
  );
});

describe('numbers of a body', () => {
  test.each([
    ['{"items":[{"quantity":2.0,"unitAmount":18.90,"tax":{"rate":0.05}}]}', []],
    ['{"rate":0.000000012345,"most":123456789.012345,"round":1000000000000000000000}', []],
    ['{"a":{"b":[0.30000000000000000001]}}', ['a.b[0]']],
    ['{"id":12345678901234567890}', ['id']],
    ['{"amount":1e2}', ['amount']],
  ])('of %s that the service cannot take are reported', (json, fields) => {
    expect(inexactNumbers(parseKeepingNumbers(json)).map(({ field }) => field)).toEqual(fields);
  });
});

describe('exact JSON', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 25 });
  const literal = fc
    .tuple(fc.constantFrom('', '-'), digits, fc.option(digits), fc.constantFrom('', 'e3', 'E-12'))
    .map(([sign, whole, fraction, exponent]) => {
      const decimals = fraction === null ? '' : `.${fraction}`;
      return `${sign}${whole.replace(/^0+(?=\d)/, '')}${decimals}${exponent}`;
    });
  const structure = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      literal,
      fc.string().map((text) => JSON.stringify(text)),
      fc.constantFrom('true', 'null', '[]', '{}'),
      fc.array(tie('node'), { maxLength: 4 }).map((entries) => `[${entries.join(',')}]`),
      fc
        .uniqueArray(
          fc.tuple(
            fc.string({ minLength: 1 }).map((name) => `a${name}`),
            tie('node'),
          ),
          { maxLength: 4, selector: ([name]) => name },
        )
        .map((fields) => `{${fields.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`),
    ),
  })).node;

  test('is read and written without another digit', () => {
    fc.assert(
      fc.property(structure, (text) => {
        expect(exactJson(parseKeepingNumbers(text))).toBe(text);
        expect(exactJson(parseExactJson(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test('is laid out as JSON.stringify lays it out', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const lines = JSON.stringify([value, 1.5], undefined, 2).replace(/1\.5\n\]$/, '1.50\n]');
        expect(exactJson([value, new NumberLiteral('1.50')], 2)).toBe(lines);
        expect(exactJson(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  test('leaves out what JSON leaves out', () => {
    const at = new Date(0);
    const value = { a: undefined, b: [undefined, new NumberLiteral('1.0')], c: at, d: () => 1 };
    expect(exactJson(value)).toBe('{"b":[null,1.0],"c":"1970-01-01T00:00:00.000Z"}');
    expect(exactJson(undefined)).toBe('null');
  });

  test('is read to 256 levels, or to 64 where a number must keep its digits', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(exactJson(parseForeignJson(nested(256)))).toBe(nested(256));
    for (const parse of [parseForeignJson, parseExactJson]) {
      expect(() => parse(nested(300))).toThrow(new TooDeep('more than 256 levels'));
      expect(() => parse(nested(100_000))).toThrow(TooDeep);
      expect(() => parse(`{"a":${nested(100_000)}}`)).toThrow(TooDeep);
    }
    const deep = (content: string) => `${'['.repeat(70)}${content}${']'.repeat(70)}`;
    expect(exactJson(parseExactJson(deep('1')))).toBe(deep('1'));
    expect(() => parseExactJson(deep('1.0'))).toThrow('more than 64 levels');
  });
});
