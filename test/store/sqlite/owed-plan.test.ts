import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate } from '../../../src/store/sqlite/migrations.js';
import { outstandingGroups } from '../../../src/store/sqlite/owed.js';

test('what is outstanding is read from the indexes of due rows, however many documents there are', () => {
  const database = new Sqlite(':memory:');
  migrate(database);
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${outstandingGroups}`).all({ profile: 'acme' });
  database.close();
  const plan = rows.map((row) => JSON.stringify(row));
  expect(plan.filter((step) => step.includes('SEARCH d USING INDEX documents_due '))).toHaveLength(1);
  expect(plan.filter((step) => step.includes('SEARCH e USING INDEX document_events_due '))).toHaveLength(1);
});
