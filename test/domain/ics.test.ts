import { expect, test } from 'vitest';
import { calendarText } from '../../src/domain/ics.js';

const stamp = Date.UTC(2026, 10, 21, 12, 34, 56, 789);

const entry = {
  uid: 'k-conclusive@fiscal',
  day: '2026-11-30',
  nextDay: '2026-12-01',
  summary: 'Confirm; or not, at once',
  description: 'First line\nC:\\notes, all\u0007',
};

test('a calendar has CRLF line ends, escaped texts and days without a time', () => {
  expect(calendarText('Due, soon', [entry], stamp)).toBe(
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//fiscal//manifestation due//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
      String.raw`X-WR-CALNAME:Due\, soon`,
      'BEGIN:VEVENT',
      'UID:k-conclusive@fiscal',
      'DTSTAMP:20261121T123456Z',
      'DTSTART;VALUE=DATE:20261130',
      'DTEND;VALUE=DATE:20261201',
      String.raw`SUMMARY:Confirm\; or not\, at once`,
      String.raw`DESCRIPTION:First line\nC:\\notes\, all`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  );
});

test('a long line is folded at 75 octets, never inside a character, and unfolds to the original', () => {
  const summary = `${'ação '.repeat(40)}😀${'é'.repeat(100)}`;
  const text = calendarText('x', [{ ...entry, summary }], stamp);
  const lengths = text.split('\r\n').map((line) => Buffer.byteLength(line));
  expect(Math.max(...lengths)).toBe(75);
  expect(text).not.toContain('\uFFFD');
  expect(text.replaceAll('\r\n ', '').split('\r\n')).toContain(`SUMMARY:${summary}`);
});

test('no text can end its line or begin another property', () => {
  const text = calendarText('x', [{ ...entry, summary: 'a\r\nEND:VEVENT\rATTACH:x\nb' }], stamp);
  expect(text.split('\r\n')).toContain(String.raw`SUMMARY:a\nEND:VEVENT\nATTACH:x\nb`);
  expect(text.match(/[^\r]\n|\r(?!\n)/g)).toBeNull();
});
