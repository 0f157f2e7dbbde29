import { expect, test } from 'vitest';
import { parseKeepingNumbers } from '../../../src/domain/json-numbers.js';
import { amountIn, ListTotals } from '../../../src/services/lists/totals.js';

async function sentenceOver(json: string): Promise<string | undefined> {
  const rows = parseKeepingNumbers(json);
  const totals = new ListTotals((row: unknown) => amountIn(row));
  async function* each() {
    if (Array.isArray(rows)) yield* rows;
  }
  let count = 0;
  for await (const row of totals.over(each())) count += row === undefined ? 0 : 1;
  expect(count).toBe(Array.isArray(rows) ? rows.length : -1);
  return totals.sentence({ isWhole: true })?.en;
}

test('amounts are summed exactly, as numbers and as text', async () => {
  expect(await sentenceOver('[0.10, "0.20", 18.10, 1E3]')).toBe('4 documents, 1,018.40 in total');
});

test.each([
  '1e999999',
  '-1e400',
  '1e-999999',
  '"1e5"',
  '"="',
  'null',
  '{}',
  `"${'9'.repeat(31)}"`,
  '9'.repeat(31),
])('%s is no amount: its document is counted as one without', async (amount) => {
  expect(await sentenceOver(`[${amount}, 1.50]`)).toBe('2 documents, 1.50 in total (1 without an amount)');
});
