import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clockRangeOf,
  documentDate,
  isDatedWithin,
  isOfMonth,
  localDay,
  monthOfKey,
  rowDay,
} from '../../src/domain/document-date.js';

/** Of October 2026, from Amazonas, whose clock is an hour behind Brasília. */
const amazonas = '13261011222333000181550010000000011123456783';
/** Of January 2019, from São Paulo, in summer time. */
const summer = '35190111222333000181550010000000021123456786';
const october = '35261044555666000181550010000000011123456780';
const clock = (text: string) => Date.parse(`${text}Z`);

describe('the date of a document', () => {
  test.each([
    ['2026-10-31T23:30:00-04:00', '2026-10-31'],
    ['2026-10-31T23:59:59-05:00', '2026-10-31'],
    ['2026-10-01T00:00:00-02:00', '2026-10-01'],
    ['2026-10-01T00:00:00+00:00', '2026-10-01'],
    ['2026-10-31T23:30:00Z', '2026-10-31'],
    ['2026-10-31T23:30:00', '2026-10-31'],
    ['2026-10-01T01:00:00.123-0300', '2026-10-01'],
    [' 2026-10-31 23:30:00 ', '2026-10-31'],
    ['2026-10-31', '2026-10-31'],
  ])('is the one that the XML writes, with the offset written there: %s', (xml, day) => {
    const { day: own, month, source, otherMonths } = documentDate({ xml, key: october });
    expect({ own, month, source, otherMonths }).toEqual({
      ...{ own: day, month: '2026-10', source: 'xml', otherMonths: [] },
    });
  });

  test.each([
    ['Amazonas', '2026-11-01T03:30:00Z', amazonas, '2026-10-31T23:30:00'],
    ['summer time', '2019-01-01T02:15:00Z', summer, '2019-01-01T00:15:00'],
    ['Brasília', '2026-11-01T02:59:59Z', october, '2026-10-31T23:59:59'],
    ['an issuer that writes UTC', '2026-10-01T00:00:00Z', october, '2026-10-01T00:00:00'],
    ['no key', '2026-11-01T02:59:59Z', undefined, '2026-10-31T23:59:59'],
  ])('in UTC in a row is read at the place that the key confirms: %s', (_what, row, key, local) => {
    expect(documentDate({ row, key })).toEqual({
      ...{ day: local.slice(0, 10), clockMs: clock(local), month: local.slice(0, 7), source: 'row' },
      otherMonths: [],
    });
  });

  test('without an offset is the day as written, whatever the zone of this machine', () => {
    const rows = ['2026-10-01T01:00:00', '2026-10-31T23:30:00', '2026-10-31'];
    expect(rows.map((row) => documentDate({ row, key: october }).day)).toEqual([
      ...['2026-10-01', '2026-10-31', '2026-10-31'],
    ]);
  });

  test.each([
    ...['', '0001-01-01T00:00:00', '0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z', '2005-12-31T23:59:59-03:00'],
    ...['2100-01-01', '2026-02-30', '2026-13-01T10:00:00-03:00', '2026-11-01T01:30:60Z'],
    ...['2026-10-31T24:00:00-03:00', '2026-10-31T10:00:00-15:00', '31/10/2026', 'ontem', '20261031'],
  ])('that is none leaves the month of the key: %j', (text) => {
    expect(documentDate({ xml: text, row: text, key: october })).toEqual({
      ...{ month: '2026-10', source: 'key', otherMonths: [] },
    });
    expect(documentDate({ xml: text, row: text })).toEqual({ otherMonths: [] });
    expect([localDay(text), rowDay(text, '2026-10')]).toEqual([undefined, undefined]);
  });

  test('that is none in the XML is that of the row', () => {
    const { day, source } = documentDate({ xml: 'ontem', row: '2026-10-05T12:00:00Z', key: october });
    expect([day, source]).toEqual(['2026-10-05', 'row']);
  });

  test('of XML, row and key that differ is that of the XML, and the others are said', () => {
    const date = documentDate({ xml: '2026-12-01T00:10:00-03:00', row: '2026-11-30T12:00:00Z', key: october });
    expect(date).toEqual({
      ...{ day: '2026-12-01', clockMs: clock('2026-12-01T00:10:00'), month: '2026-12', source: 'xml' },
      otherMonths: ['2026-10', '2026-11'],
    });
    const months = ['2026-09', '2026-10', '2026-11', '2026-12'];
    expect(months.filter((name) => isOfMonth(date, name))).toEqual(['2026-10', '2026-11', '2026-12']);
  });

  test('in UTC in the XML and in the row is one moment, and names no other month', () => {
    const written = '2026-10-01T00:00:00Z';
    expect(documentDate({ xml: written, row: written, key: october }).otherMonths).toEqual([]);
  });

  test('at any offset of Brazil has the month of its key, by its XML and by its row in UTC', () => {
    const local = fc.date({
      ...{ min: new Date('2006-01-02T00:00:00Z'), max: new Date('2099-12-30T00:00:00Z'), noInvalidDate: true },
    });
    fc.assert(
      fc.property(local, fc.constantFrom(2, 3, 4, 5), (at, behind) => {
        const text = at.toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
        const key = `35${text.slice(2, 4)}${text.slice(5, 7)}${october.slice(6)}`;
        const row = new Date(at.getTime() + behind * 3_600_000).toISOString();
        const months = [documentDate({ xml: `${text}-0${behind}:00`, row, key }), documentDate({ row, key })];
        expect(months.map(({ month, otherMonths }) => [month, otherMonths])).toEqual([
          [text.slice(0, 7), []],
          [text.slice(0, 7), []],
        ]);
      }),
    );
  });
});

test.each([
  [october, '2026-10'],
  ['352610ABCDEF1200018155001000000001112345678Z', undefined],
  ['352610ABCDEF1200018155001000000001112345678', undefined],
  ['352610AB12CD340001815500100000000111234567', undefined],
  ['352610AB12CD3400018155001000000001112345670', undefined],
  ['352610AB12CD34000181550010000000011123456780', '2026-10'],
  ['26116062270813542000169000000000000126106932733447', '2026-10'],
  [october.replace('2610', '2613'), undefined],
  [october.replace('2610', '2600'), undefined],
  [october.replace('2610', '0510'), undefined],
  ['7a1c8a0e-6c0e-4a7e-9d5c-0e7a1c8a0e6c', undefined],
  ['', undefined],
  [undefined, undefined],
])('the month in the key %j is %j', (key, month) => {
  expect(monthOfKey(key)).toBe(month);
});

describe('a range', () => {
  const range = clockRangeOf({ since: Date.parse('2026-10-01T03:00:00Z'), until: Date.parse('2026-11-01T03:00:00Z') });

  test('of moments is one of clocks: the midnight of Brasília is the midnight of each document', () => {
    expect(range).toEqual({ since: clock('2026-10-01T00:00:00'), until: clock('2026-11-01T00:00:00') });
    expect(clockRangeOf({})).toEqual({ since: undefined, until: undefined });
  });

  test('holds what is dated in it by its own clock, at both ends', () => {
    const texts = ['2026-09-30T23:59:59-05:00', '2026-10-01T00:00:00-02:00', '2026-10-31T23:59:59-05:00'];
    const within = [...texts, '2026-11-01T00:00:00-02:00'].map((xml) => isDatedWithin(documentDate({ xml }), range));
    expect(within).toEqual([false, true, true, false]);
  });

  test('holds what has only a month, where it holds a part of it, and nothing without a month', () => {
    const lastDay = { since: clock('2026-10-31T00:00:00'), until: clock('2026-11-05T00:00:00') };
    const next = { since: clock('2026-11-01T00:00:00') };
    const before = { until: clock('2026-10-01T00:00:00') };
    const date = documentDate({ key: october });
    expect([range, lastDay, next, before, {}].map((one) => isDatedWithin(date, one))).toEqual([
      ...[true, true, false, false, true],
    ]);
    expect(isDatedWithin(documentDate({}), {})).toBe(false);
  });
});
