import { expect, test } from 'vitest';
import { parseDay, parseMoment, parseMonth } from '../../src/domain/typed-dates.js';

/** 22:30 of 31 October in Brasília, already November in UTC. */
const now = Date.parse('2026-11-01T01:30:00Z');

test('a day is read in the Brazilian and the ISO form, and in words', () => {
  const typed = ['01/11/2026', '1/11/2026', ' 2026-11-01 ', 'hoje', 'Today', 'ontem', 'yesterday'];
  expect(typed.map((text) => parseDay(text, now))).toEqual([
    ...['2026-11-01', '2026-11-01', '2026-11-01'],
    ...['2026-10-31', '2026-10-31', '2026-10-30', '2026-10-30'],
  ]);
});

test('a day that does not exist is not read, nor another form, nor a word without a clock', () => {
  const typed = ['31/02/2026', '2026-02-30', '11/2026', '01/11/26', '13/13/2026', '2026-11-1', ''];
  expect(typed.filter((text) => parseDay(text, now) !== undefined)).toEqual([]);
  expect(parseDay('hoje')).toBeUndefined();
});

test('a month is read in both forms', () => {
  expect(['2026-10', '10/2026', '1/2026', '13/2026', '2026-13', '2026-1', '10/26'].map(parseMonth)).toEqual([
    ...['2026-10', '2026-10', '2026-01'],
    ...[undefined, undefined, undefined, undefined],
  ]);
});

test('a moment is the midnight in Brasília of a day or of the first of a month, an age, or a UTC time', () => {
  const at = (text: string) => {
    const ms = parseMoment(text, now);
    return ms === undefined ? undefined : new Date(ms).toISOString();
  };
  expect(
    Object.fromEntries(
      ['01/11/2026', '2026-11-01', 'hoje', 'ontem', '2026-11', '10/2026', '7d', '90m'].map((text) => [text, at(text)]),
    ),
  ).toEqual({
    '01/11/2026': '2026-11-01T03:00:00.000Z',
    '2026-11-01': '2026-11-01T03:00:00.000Z',
    hoje: '2026-10-31T03:00:00.000Z',
    ontem: '2026-10-30T03:00:00.000Z',
    '2026-11': '2026-11-01T03:00:00.000Z',
    '10/2026': '2026-10-01T03:00:00.000Z',
    '7d': '2026-10-25T01:30:00.000Z',
    '90m': '2026-11-01T00:00:00.000Z',
  });
  expect(at('2026-11-01T10:00:00Z')).toBe('2026-11-01T10:00:00.000Z');
  expect(['soon', '7', '32/10/2026', '2026-11-01T10:00:00-03:00', ''].map(at)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
});
