import { expect, test } from 'vitest';
import { parseKeepingNumbers } from '../../../src/domain/json-numbers.js';
import { amountIn, ListTotals, type RowState } from '../../../src/services/lists/totals.js';

async function sentenceOver(json: string): Promise<string | undefined> {
  const rows = parseKeepingNumbers(json);
  const totals = new ListTotals({ amountOf: (row: unknown) => amountIn(row), stateOf: () => 'standing' });
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

test.each(['1e999999', '-1e400', '1e-999999', '"1e5"', '"="', 'null', '{}', `"${'9'.repeat(31)}"`, '9'.repeat(31)])(
  '%s is no amount: its document is counted as one without',
  async (amount) => {
    expect(await sentenceOver(`[${amount}, 1.50]`)).toBe('2 documents, 1.50 in total (1 without an amount)');
  },
);

test('what does not stand is in no sum and no count, and the sentence says how many that are', async () => {
  const totals = new ListTotals({
    amountOf: ({ amount }: { amount: string; state: RowState }) => amountIn(amount),
    stateOf: ({ state }) => state,
  });
  async function* rows() {
    for (const state of ['standing', 'cancelled', 'denied', 'cancelled', 'event', 'standing'] as const)
      yield await Promise.resolve({ amount: '10.00', state });
  }
  let count = 0;
  for await (const row of totals.over(rows())) count += row.amount.length > 0 ? 1 : 0;
  expect(count).toBe(6);
  expect(totals.sentence({ isWhole: true })).toMatchObject({
    en: '2 documents, 20.00 in total; left out: 2 cancelled, 1 denied, 1 event',
    pt: '2 documentos, 20,00 no total; de fora: 2 canceladas, 1 denegada, 1 evento',
  });
});
