import { describe, expect, test } from 'vitest';
import { monthOf } from '../../../src/services/closing/month.js';
import {
  type AskedEvents,
  askedOf,
  readAsked,
  withAsked,
  withUndecided,
} from '../../../src/services/issued/asked-events.js';

const DAY = 86_400_000;
const day = (text: string) => Date.parse(`${text}T12:00:00Z`);
const asked = (since: number, at: number): AskedEvents => ({ since, at, servedAt: at });

const september = monthOf('2026-09');
const october = monthOf('2026-10');

describe('what was asked for', () => {
  const whole = withAsked([], asked(0, day('2026-10-05')));

  test('of an earlier month stays known after a sync that looks at newer invoices only', () => {
    const later = withAsked(whole, asked(day('2026-11-01'), day('2026-12-16')));
    expect(askedOf(later, september, ['servedAt'])).toEqual({ at: day('2026-10-05'), since: 0 });
  });

  test('of a month with parts of its own is as old as the oldest part', () => {
    const later = withAsked(whole, asked(day('2026-10-15'), day('2026-11-29')));
    expect(askedOf(later, october, ['at'])).toEqual({ at: day('2026-10-05'), since: 0 });
    expect(askedOf(withAsked(whole, asked(0, day('2026-11-02'))), october, ['at'])).toEqual({
      at: day('2026-11-02'),
      since: 0,
    });
  });

  test('is nothing for a month that begins before it', () => {
    expect(askedOf([asked(day('2026-10-02'), day('2026-11-16'))], october, ['at'])).toBeUndefined();
    expect(askedOf([], october, ['at'])).toBeUndefined();
  });

  test('is nothing by a clock that did not tell the time', () => {
    expect(askedOf([{ since: 0, at: day('2026-11-02') }], october, ['servedAt'])).toBeUndefined();
  });

  test('is taken back for the month of an invoice with an event that is not decided, and for no other', () => {
    const known = withUndecided([asked(0, day('2026-11-02'))], day('2026-10-20'));
    expect(askedOf(known, october, ['at'])).toBeUndefined();
    expect(askedOf(known, september, ['at'])).toEqual({ at: day('2026-11-02'), since: 0 });
    const again = withAsked(known, asked(day('2026-10-20'), day('2026-11-03')));
    expect(askedOf(again, october, ['at'])).toEqual({ at: day('2026-11-02'), since: 0 });
  });
});

test('a year of daily syncs keeps an entry for about each month, and proves every month that ended', () => {
  const start = day('2025-06-01');
  let known: readonly AskedEvents[] = withAsked([], asked(0, start));
  for (let days = 1; days <= 400; days += 1) {
    const now = start + days * DAY;
    known = withAsked(known, asked(now - 45 * DAY, now));
  }
  const names = ['2025-06', '2025-07', '2025-11', '2025-12', '2026-01', '2026-04', '2026-05'];
  const unproven = names.map(monthOf).filter((month) => (askedOf(known, month, ['at'])?.at ?? 0) < month.until);
  expect([unproven, known.length < 20]).toEqual([[], true]);
});

test('what cannot be read is nothing that was asked for', () => {
  expect(readAsked({ events: [{ since: 5, at: 'x' }, null, { since: 3, at: 4 }, { since: 1 }] })).toEqual([
    { since: 1 },
    { since: 3, at: 4 },
  ]);
  expect([readAsked({}), readAsked(undefined)]).toEqual([[], []]);
});
