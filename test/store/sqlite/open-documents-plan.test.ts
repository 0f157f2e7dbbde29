import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openDocumentQuery } from '../../../src/store/sqlite/document-terms.js';
import { migrate } from '../../../src/store/sqlite/migrations.js';

test('open documents are read by their days, and no other document, however many there are', () => {
  const database = new Sqlite(':memory:');
  migrate(database);
  const values = { profile: 'acme', family: 'nfe', from: '', to: '', companies: '["c-1"]' };
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${openDocumentQuery}`).all(values);
  database.close();
  const steps = rows.map((row) => JSON.stringify(row).replace(/.*"detail":"(.*)".*/, '$1'));
  expect(steps.filter((step) => /^(SEARCH|SCAN) [od] /.test(step))).toEqual([
    'SEARCH o USING PRIMARY KEY (profile=? AND family=? AND day>? AND day<?)',
    'SEARCH d USING INTEGER PRIMARY KEY (rowid=?)',
  ]);
});
