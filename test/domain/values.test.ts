import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/domain/canonical-json.js';
import { NumberLiteral } from '../../src/domain/json-numbers.js';
import { compareDecimalText, numberToDecimalText, parseDecimalText } from '../../src/domain/decimal-text.js';
import { checkPostalCode, formatPostalCode } from '../../src/domain/address.js';
import { formatDuration, formatUtc, parseDuration, parseUtc } from '../../src/domain/dates.js';

describe('decimal text', () => {
  test('has digits and a point only', () => {
    expect(['18.00', '-1', '007.50', '1e3', '1,5', '+1', '.5', '1.', ' 1', ''].map(parseDecimalText)).toEqual([
      { negative: false, whole: '18', fraction: '00' },
      { negative: true, whole: '1', fraction: '' },
      { negative: false, whole: '7', fraction: '50' },
      ...Array.from({ length: 7 }, () => undefined),
    ]);
  });

  test('is compared exactly, without binary fractions', () => {
    expect(compareDecimalText('0.1', '0.10')).toBe(0);
    expect(compareDecimalText('9007199254740993', '9007199254740992')).toBe(1);
    expect(compareDecimalText('-2.5', '-2.49')).toBe(-1);
  });

  test('of a number is its shortest form, and undefined for an exponent', () => {
    expect([18.1, -0, 1e21, Number.NaN, 0.000_000_1].map(numberToDecimalText)).toEqual([
      '18.1',
      '0',
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a time', () => {
  test('is strict UTC', () => {
    expect(parseUtc('2026-11-21T10:00:00Z')).toBe(Date.UTC(2026, 10, 21, 10));
    expect(parseUtc('2026-11-21T10:00:00.25Z')).toBe(Date.UTC(2026, 10, 21, 10) + 250);
    expect(parseUtc('2026-11-21')).toBe(Date.UTC(2026, 10, 21));
  });

  test.each(['2026-02-30', '2026-11-21T25:00:00Z', '2026-11-21T10:00:00', '2026-11-21T10:00:00-03:00', '21/11/2026'])(
    '%s is refused',
    (text) => {
      expect(parseUtc(text)).toBeUndefined();
    },
  );

  test('survives formatting and parsing', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: Date.UTC(2200, 0) }), (ms) => parseUtc(formatUtc(ms)) === ms));
  });
});

describe('a duration', () => {
  test('has a unit', () => {
    expect(['500ms', '5s', '1.5m', '1h', '10d', '0', '5', '-5s', '5 s', '1w', ''].map(parseDuration)).toEqual([
      500,
      5_000,
      90_000,
      3_600_000,
      864_000_000,
      0,
      ...Array.from({ length: 5 }, () => undefined),
    ]);
  });

  test('survives formatting and parsing', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 999_999_999 }), (ms) => parseDuration(formatDuration(ms)) === ms));
    expect(formatDuration(90_000)).toBe('90s');
  });
});

describe('canonical JSON', () => {
  test('ignores the order of fields', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: undefined })).toBe('{"b":[1,{"c":"x","d":null}]}');
    expect(canonicalJson({ b: 1, a: 2 })).toBe(canonicalJson({ a: 2, b: 1 }));
  });

  test('is the same for a number however its zeros are typed, so that what was sent before is found again', () => {
    const typed = { a: new NumberLiteral('18.90'), b: new NumberLiteral('2.0'), c: new NumberLiteral('1e2') };
    expect(canonicalJson(typed)).toBe(canonicalJson({ a: 18.9, b: 2, c: 100 }));
    expect(canonicalJson(new NumberLiteral('0.30000000000000000001'))).toBe('0.30000000000000000001');
    expect(canonicalJson(new NumberLiteral('1e999'))).toBe('1e999');
  });

  test('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
      }),
    );
  });

  test('rejects what JSON cannot represent', () => {
    expect(() => canonicalJson({ rate: Number.NaN })).toThrow(TypeError);
    expect(() => canonicalJson(1n)).toThrow(TypeError);
  });
});

describe('a CEP', () => {
  test('has eight digits', () => {
    expect(checkPostalCode('01310-100')).toEqual({ kind: 'cep', value: '01310100', valid: true, issues: [] });
    expect(checkPostalCode('0131010').valid).toBe(false);
    expect(formatPostalCode('01310100')).toBe('01310-100');
  });
});
