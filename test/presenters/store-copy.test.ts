import { expect, test } from 'vitest';
import { storeCopyView } from '../../src/presenters/store-copy.js';

const same = (text: string) => text;
const paint = { strong: same, dim: same, good: same, bad: same, warn: same };

test('a copy shows both stores, the sum, and the tables that have rows', () => {
  const tables = [
    { table: 'jobs', rows: 1 },
    { table: 'pace', rows: 0 },
  ];
  const data = { type: 'copy', from: '/a', to: '/b', rows: 1, tables };
  expect(storeCopyView(data, { language: 'pt', columns: 80, paint })).toEqual([
    'origem           /a',
    'destino          /b',
    'linhas           1',
    '  jobs           1',
  ]);
});
