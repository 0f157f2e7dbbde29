import { Chalk } from 'chalk';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { genericView } from '../../src/presenters/generic.js';
import { record } from '../../src/presenters/record.js';
import { plainPaint } from '../../src/presenters/render.js';
import { tableLines } from '../../src/presenters/table.js';
import { fit, widthUpTo } from '../../src/presenters/width.js';

const id = '95b3220e-523a-4061-bf13-0e00cdfa0e2c';
const look = (columns: number) => ({ language: 'en', columns, paint: plainPaint }) as const;
const described = { record: record('at deadline status seenAt verdict eventCode state') };

it('times are shown to the minute, in Brasília or in UTC, as each language writes them', () => {
  const columns = [{ title: 'at', cells: ['2026-11-21T12:24:33.120Z'] }];
  expect(tableLines(columns, look(80), described)).toEqual([' time', ' 2026-11-21 09:24']);
  expect(tableLines(columns, { ...look(80), isUtc: true }, described)).toEqual([' time', ' 2026-11-21 12:24Z']);
  const inPortuguese = { ...look(80), language: 'pt' } as const;
  expect(tableLines(columns, inPortuguese, described)).toEqual([' horário', ' 21/11/2026 09:24']);
  const midnight = [{ title: 'deadline', cells: ['2026-11-21', '2026-11-22T02:59:59Z'] }];
  expect(tableLines(midnight, inPortuguese, described)).toEqual([' prazo', ' 21/11/2026', ' 21/11/2026 23:59']);
});

it('free text is shortened before an id', () => {
  const columns = [
    { title: 'description', cells: ['a rather long description of a thing'] },
    { title: 'id', cells: [id] },
  ];
  expect(tableLines(columns, look(60))).toEqual([' description        │ id', ` a rather long des… │ ${id}`]);
});

it('long ids are shortened in the middle before columns are omitted from the right, and both are named', () => {
  const columns = [
    { title: 'id', cells: [id] },
    { title: 'status', cells: ['Active'] },
    { title: 'seenAt', cells: ['yesterday'] },
  ];
  expect(tableLines(columns, look(50), described)).toEqual([
    ' id        │ status   │ seen',
    ' 95b3…0e2c │ ✓ Active │ yesterday',
    'shortened: id (a wider terminal, --fields or -o',
    'json)',
  ]);
  expect(tableLines(columns, look(26), described)).toEqual([
    ' id        │ status',
    ' 95b3…0e2c │ ✓ Active',
    'not shown: seenAt;',
    'shortened: id (a wider',
    'terminal, --fields or -o',
    'json)',
  ]);
  expect(tableLines(columns, look(50), { ...described, isRaw: true })).toEqual([
    ' id                                   │ status',
    ` ${id} │ Active`,
    'not shown: seenAt (a wider terminal, --fields or',
    '-o json)',
  ]);
});

it('a required column stays where others are dropped, and a long text goes below its row', () => {
  const columns = [
    { title: 'label', cells: ['TEA-100', 'TEA-250'], isRequired: true },
    { title: 'name', cells: ['Green tea, 100 g', 'Green tea, 250 g'] },
    { title: 'verdict', cells: ['complete', 'incomplete'], isRequired: true },
    { title: 'reason', cells: ['', 'the list of the service has one more document'], isBelow: true },
  ];
  expect(tableLines(columns, look(30), described)).toEqual([
    ' label   │ verdict',
    ' TEA-100 │ ✓ complete',
    ' TEA-250 │ ✗ incomplete',
    '   ↳ the list of the service',
    '     has one more document',
    'not shown: name (a wider',
    'terminal, --fields or -o',
    'json)',
  ]);
});

it('numbers are aligned on the right and never cut, and numbers that name something are text', () => {
  const columns = [
    { title: 'label', cells: ['a text that is too long for it', 'b'] },
    { title: 'amount', cells: ['26871.56', '875.00'] },
    { title: 'eventCode', cells: [210200, 210210] },
  ];
  expect(tableLines(columns, look(40), described)).toEqual([
    ' label         │   amount │ event code',
    ' a text that … │ 26871.56 │ 210200',
    ' b             │   875.00 │ 210210',
  ]);
});

it('signs are ASCII where the terminal has no others', () => {
  const columns = [
    { title: 'state', cells: ['succeeded', 'failed', 'uncertain', 'pending'] },
    { title: 'id', cells: [id, id, id, id] },
  ];
  expect(tableLines(columns, { ...look(30), isAscii: true }, described).slice(0, 5)).toEqual([
    ' state       │ id',
    ' + succeeded │ 95b3~0e2c',
    ' x failed    │ 95b3~0e2c',
    ' ! uncertain │ 95b3~0e2c',
    ' ~ pending   │ 95b3~0e2c',
  ]);
});

it('the layout is the same across batches of rows', () => {
  const cells = Array.from({ length: 450 }, (_, index) => `row ${index}`);
  const lines = tableLines(
    [
      { title: 'name', cells },
      { title: 'no', cells: cells.map(() => 'x') },
    ],
    look(80),
  );
  expect([lines.length, new Set(lines.map((line) => line.indexOf('│'))).size]).toEqual([451, 1]);
});

it('a hostile table is bounded: columns that fit no terminal are counted, and megabytes are cut', () => {
  const look = { language: 'en', columns: 80, paint: plainPaint } as const;
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 'x']));
  const lines = genericView([wide, { field0: 'y'.repeat(3_000_000) }], look);
  expect(lines.slice(0, 3).every((line) => line.length <= 80)).toBe(true);
  expect(lines.length).toBeLessThan(20);
  expect(lines.slice(3).join(' ')).toMatch(/^not shown: field\d+, .*… \+49\d\d \(a wider terminal/);
  const long = genericView({ ['n'.repeat(100_000)]: 1, short: 2 }, look);
  expect(long[1]?.length).toBeLessThan(100);
  const deep = genericView(JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`), look);
  expect(deep.at(-1)).toMatch(/^ {2,20}\{"a":/);
});

it('cells are cut at whole characters, whatever their length', () => {
  expect(fit('abcdef', 4)).toBe('abc…');
  expect(fit('漢'.repeat(1_000_000), 5)).toBe('漢漢…');
  expect(fit('e\u0301'.repeat(1_000), 3)).toBe('e\u0301e\u0301…');
  expect(fit('ab\u0301cd', 3)).toBe('ab\u0301…');
  expect(fit(`${'x'.repeat(600)}`, 600)).toBe('x'.repeat(600));
  expect(widthUpTo('漢'.repeat(400), 1_000)).toBe(800);
});

it('the rows that are joined look like those that cli-table3 draws, also with wide characters and colours', () => {
  const colours = new Chalk({ level: 1 });
  const paint = { ...plainPaint, good: colours.green, bad: colours.red, warn: colours.yellow };
  const text = fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom('漢字'.repeat(20), 'ação', '', '…', 'é́'));
  const row = fc.tuple(text, fc.constantFrom('Active', 'Error', 'Pending'), fc.nat());
  fc.assert(
    fc.property(fc.array(row, { minLength: 50, maxLength: 50 }), fc.integer({ min: 20, max: 90 }), (rows, columns) => {
      const twice = [...rows, ...rows];
      const lines = tableLines(
        [
          { title: 'description', cells: twice.map(([cell]) => cell) },
          { title: 'status', cells: twice.map(([, cell]) => cell), isRequired: true },
          { title: 'count', cells: twice.map(([, , cell]) => cell) },
        ],
        { ...look(columns), paint },
      );
      expect(lines.slice(51, 101)).toEqual(lines.slice(1, 51));
    }),
    { numRuns: 30 },
  );
});
