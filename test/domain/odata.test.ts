import { expect, test } from 'vitest';
import { allOf, fromPosition, isClosedFilter, odataText, requiredFilter } from '../../src/domain/odata.js';

test('a text is quoted, and the quotes in it are doubled', () => {
  expect(odataText("O'Neil' or 1 eq 1 or 'a'='")).toBe("'O''Neil'' or 1 eq 1 or ''a''='''");
});

test('conditions are joined by "and"; a condition that may contain an "or" gets parentheses', () => {
  expect(allOf([])).toBeUndefined();
  expect(allOf([undefined, 'a eq 1 or b eq 2'])).toBe('a eq 1 or b eq 2');
  expect(allOf(["a eq 'x or y'", undefined, 'b/c ge 2026-10-01T00:00:00Z', 'd eq 1 or e eq 2'])).toBe(
    "a eq 'x or y' and b/c ge 2026-10-01T00:00:00Z and (d eq 1 or e eq 2)",
  );
});

test.each([
  ['from a position on have', false, 'ge'],
  ['behind a position have', true, 'gt'],
])('rows %s a later time, or the same time and a key that is %s', (_, isBehind, operator) => {
  const fields = { time: 'createdOn', key: 'accessKey' };
  expect(fromPosition(fields, { time: '2026-10-01T00:00:00Z', key: "K'1" }, { isBehind })).toBe(
    `createdOn ge 2026-10-01T00:00:00Z and (createdOn gt 2026-10-01T00:00:00Z or accessKey ${operator} 'K''1')`,
  );
});

test('only a list under /odata/ requires a filter, and the one for every row keeps rows without a value', () => {
  const list = new URL('https://x/v2/companies/c1/inbound/odata/TransportationInvoices');
  expect(requiredFilter(list)).toBe('createdOn ge 1900-01-01T00:00:00Z or createdOn eq null');
  expect(requiredFilter(new URL('https://odata.x/v2/companies/c1/inbound/nfe'))).toBeUndefined();
});

test.each([
  ["a eq 'x' and (b eq 1 or c eq 'it''s (')", true],
  ["a eq 'x", false],
  ['a eq 1) or (b eq 2', false],
  ['(a eq 1', false],
])('%s is balanced: %s', (filter, expected) => {
  expect(isClosedFilter(filter)).toBe(expected);
});
