import { expect, it } from 'vitest';
import { plainPaint } from '../../src/presenters/render.js';
import { tableLines } from '../../src/presenters/table.js';

const id = '95b3220e-523a-4061-bf13-0e00cdfa0e2c';
const look = (columns: number) => ({ language: 'en', columns, paint: plainPaint }) as const;

it('times of the service are shown to the minute', () => {
  const lines = tableLines([{ title: 'at', cells: ['2026-11-21T12:24:33.120Z'] }], look(80));
  expect(lines).toEqual([' at', ' 2026-11-21 12:24Z']);
});

it('free text is shortened before an id', () => {
  const columns = [
    { title: 'description', cells: ['a rather long description of a thing'] },
    { title: 'id', cells: [id] },
  ];
  expect(tableLines(columns, look(60))).toEqual([' description        │ id', ` a rather long des… │ ${id}`]);
});

it('columns are omitted from the right and named before an id is shortened', () => {
  const columns = [
    { title: 'id', cells: [id] },
    { title: 'status', cells: ['Active'] },
    { title: 'seenAt', cells: ['yesterday'] },
  ];
  expect(tableLines(columns, look(50))).toEqual([
    ' id                                   │ status',
    ` ${id} │ Active`,
    'not shown: seenAt (a wider terminal, --fields or -o json)',
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
