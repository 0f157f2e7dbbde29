import { expect, test } from 'vitest';
import { timeInWords } from '../../src/domain/dates.js';

test.each([
  ['2026-10-14', '2026-10-14', '14/10/2026'],
  ['2026-10-14T12:30:00.000Z', '2026-10-14 09:30', '14/10/2026 09:30'],
  ['2026-11-01T02:59:59Z', '2026-10-31 23:59', '31/10/2026 23:59'],
  ['', '', ''],
  ['soon', 'soon', 'soon'],
  ['2026-13-40T00:00:00Z', '2026-13-40T00:00:00Z', '2026-13-40T00:00:00Z'],
])('%j is written as people do, in Brasília', (text, en, pt) => {
  expect(timeInWords(text)).toEqual({ en, pt });
});
