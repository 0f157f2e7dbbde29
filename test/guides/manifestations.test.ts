import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lawDeadlines } from '../../src/domain/deadline.js';

test('the guide shows the deadlines of the program', () => {
  const guide = readFileSync('docs/guides/manifestations.md', 'utf8');
  const rows = guide.split('\n').filter((line) => /^\| (awareness|conclusive|taker) \|/.test(line));
  expect(rows.map((row) => row.split('|').map((cell) => cell.trim()))).toEqual(
    lawDeadlines.map(({ eventClass, days, from = '', until = '', source }) => [
      '',
      eventClass,
      String(days),
      from,
      until,
      source,
      '',
    ]),
  );
});
