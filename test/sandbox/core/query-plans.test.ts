import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { tables } from '../../../src/sandbox/core/schema.js';

it('the last number of an event is read from an index, however many events exist', () => {
  const database = new Database(':memory:');
  for (const table of Object.values(tables)) database.exec(table);
  const question = 'SELECT max(nsu) FROM documentEvents WHERE companyId = ? AND family = ?';
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${question}`).all('c', 'nfe');
  database.close();
  expect(plan).toMatchObject([{ detail: expect.stringContaining('(companyId=? AND family=?)') }]);
});
