import { unseen } from './terminal-text.js';
/** A calendar entry of one whole day. */
export interface CalendarEntry {
  /** Stable across exports, so that a calendar updates the entry instead of adding another. */
  readonly uid: string;
  /** `2026-11-21`. */
  readonly day: string;
  /** `2026-11-22`, the exclusive end (RFC 5545 §3.6.1). */
  readonly nextDay: string;
  readonly summary: string;
  readonly description: string;
}

const MAX_OCTETS = 75;

/** Writes a calendar by RFC 5545. `stampMs`: the time of the export. */
export function calendarText(name: string, entries: readonly CalendarEntry[], stampMs: number): string {
  const stamp = compact(new Date(stampMs).toISOString().slice(0, 19));
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//fiscal//manifestation due//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    ...entries.flatMap((entry) => eventLines(entry, `${stamp}Z`)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function eventLines(entry: CalendarEntry, stamp: string): readonly string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(entry.uid)}`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${compact(entry.day)}`,
    `DTEND;VALUE=DATE:${compact(entry.nextDay)}`,
    `SUMMARY:${escaped(entry.summary)}`,
    `DESCRIPTION:${escaped(entry.description)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

function compact(text: string): string {
  return text.replaceAll(/[-:]/g, '');
}

/**
 * §3.3.11: a backslash escapes backslash, semicolon, comma and line end; other control characters are not allowed.
 */
function escaped(text: string): string {
  return text
    .replaceAll(/\r\n|\r|\n/g, '\n')
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, '')
    .replaceAll(unseen(), '');
}

/** §3.1: at most 75 octets a line; the rest follows a line end and a space. Never splits a character. */
function folded(line: string): string {
  const parts: string[] = [];
  let part = '';
  let octets = 0;
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (octets + length > MAX_OCTETS) {
      parts.push(part);
      part = '';
      octets = 1;
    }
    part += character;
    octets += length;
  }
  return [...parts, part].join('\r\n ');
}
