import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrations } from '../../../src/sandbox/core/schema.js';

it('the last number of an event is read from an index, however many events exist', () => {
  const database = new Database(':memory:');
  for (const migration of migrations) database.exec(migration);
  const question = 'SELECT max(nsu) FROM document_events WHERE company_id = ? AND family = ?';
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${question}`).all('c', 'nfe');
  database.close();
  expect(plan).toMatchObject([{ detail: expect.stringContaining('(company_id=? AND family=?)') }]);
});
