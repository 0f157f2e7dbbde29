import { expect, test } from 'vitest';
import { isSameValue } from '../../src/domain/field-changes.js';

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
