import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/sandbox/core/database.js';
import { Refusal } from '../../../src/sandbox/core/refusal.js';
import { documentFields, eventFields, type Fields, readFilter } from '../../../src/sandbox/inbound/odata-filter.js';
import { anyText } from '../../support/any-text.js';

const database = openDatabase(':memory:');
afterAll(() => database.close());

const tables: readonly (readonly [table: string, fields: Fields])[] = [
  ...(['nfe', 'cte', 'nfse'] as const).map((family) => ['documents', documentFields[family]] as const),
  ['documentEvents', eventFields],
];

/** In no column, word or operator of the sandbox, so that a text of the request is found in SQL. */
const mark = 'qZq';
const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

const field = fc.constantFrom(...new Set(tables.flatMap(([, fields]) => [...fields.keys()])), ...inherited);
const comparison = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le', ...inherited, 'EQ', '=', mark);
const anything = anyText({ maxLength: 12 }).map((text) => text + mark);
const literal = fc.oneof(
  anything.map((text) => `'${text.replaceAll("'", "''")}'`),
  fc.constantFrom('null', "''", "'", '1', '-1.5', '9'.repeat(400), '2026-10-01', '2026-99-99T99:99Z', mark),
  fc.constantFrom(...inherited),
  fc.constantFrom(...['"; DROP TABLE documents; --', '?', '?1', '@a', ') OR (1=1', '/**/', '\u0000', '\ud800']),
);
const one = fc.oneof(
  fc.tuple(field, comparison, literal).map((words) => words.join(' ')),
  fc
    .tuple(field, fc.array(literal, { minLength: 1, maxLength: 30 }))
    .map(([name, list]) => `${name} in (${list.join(',')})`),
  fc
    .tuple(
      fc.constantFrom('startswith', 'contains', ...inherited),
      field,
      literal,
      fc.constantFrom('', ' eq true', ' eq false'),
    )
    .map(([name, of, text, end]) => `${name}(${of},${text})${end}`),
  anything,
);
const filter = fc.oneof(
  fc
    .array(fc.oneof(one, fc.constantFrom('and', 'or', 'not', '(', ')', ',')), { maxLength: 12 })
    .map((words) => words.join(' ')),
  fc
    .tuple(one, fc.constantFrom(' and ', ' or '), fc.integer({ min: 1, max: 400 }))
    .map(([text, word, count]) => Array<string>(count).fill(text).join(word)),
  fc
    .tuple(one, fc.constantFrom('(', 'not ', 'not ('), fc.integer({ min: 1, max: 60 }))
    .map(([text, word, count]) => word.repeat(count) + text + ')'.repeat(word.endsWith('(') ? count : 0)),
  anyText({ maxLength: 60 }),
);

/** Filters that are mostly right, of fields that the list has. */
function wellFormed(fields: Fields): fc.Arbitrary<string> {
  const name = fc.constantFrom(...fields.keys());
  const words = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le');
  const value = fc.oneof(
    anything.map((text) => `'${text.replaceAll("'", "''")}'`),
    fc.constantFrom('null', '1', '-1.5', '2026-10-01', '2026-10-01T00:00:00Z', "'2026-10-01'"),
  );
  const simple = fc.oneof(
    fc.tuple(name, words, value).map((parts) => parts.join(' ')),
    fc.tuple(name, fc.array(value, { minLength: 1, maxLength: 5 })).map(([of, list]) => `${of} in (${list.join()})`),
    fc.tuple(fc.constantFrom('startswith', 'contains'), name, value).map(([of, on, text]) => `${of}(${on},${text})`),
  );
  const joined = fc.array(simple, { minLength: 1, maxLength: 4 });
  return fc.tuple(joined, fc.constantFrom(' and ', ' or ', ' and not ')).map(([parts, word]) => parts.join(word));
}

describe.each(tables)('a filter of %s', (table, fields) => {
  test('is the documented 400 or a condition that SQLite takes, without a text of the request', () => {
    let taken = 0;
    const check = (text: string): void => {
      let condition;
      try {
        condition = readFilter(text, fields);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
        expect(error).toMatchObject({ status: 400, code: 'validation_error', details: [{ field: '$filter' }] });
        return;
      }
      const { sql, values } = condition;
      expect(sql).not.toContain(mark);
      expect(sql).not.toMatch(/function|native code|object Object|undefined/);
      const found = database
        .prepare(`SELECT count(*) FROM ${table} WHERE ${sql}`)
        .pluck()
        .get(...values);
      expect(found).toBe(0);
      taken += 1;
    };
    fc.assert(fc.property(filter, check), { numRuns: 400 });
    fc.assert(fc.property(wellFormed(fields), check), { numRuns: 400 });
    // The generators reach both.
    expect(taken).toBeGreaterThan(50);
  });

  test.each(inherited)('does not take %s for a field, a comparison or a function', (name) => {
    for (const text of [`nsu ${name} 1`, `${name} eq 1`, `${name}(id,'x')`, `nsu eq ${name}`])
      expect(() => readFilter(text, fields)).toThrow(Refusal);
  });
});

test('a list of values of any length is one condition', () => {
  const list = Array<string>(1_900).fill('1').join(',');
  const { sql, values } = readFilter(`nsu in (${list})`, documentFields.nfe);
  expect(values).toHaveLength(1_900);
  expect(
    database
      .prepare(`SELECT count(*) FROM documents WHERE ${sql}`)
      .pluck()
      .get(...values),
  ).toBe(0);
});
