import Sqlite from 'better-sqlite3';
import { type Sql, writtenFor } from '../../src/store/sql.js';
import { create } from '../../src/store/sqlite/schema.js';

/** How SQLite finds the rows of a new store, which has no statistics: its steps, one after another. */
export function plansOfSqlite(query: Sql): readonly string[] {
  const database = new Sqlite(':memory:');
  try {
    create(database);
    const { text, values } = writtenFor('sqlite', query);
    const bound = values.map((value) => (Array.isArray(value) ? JSON.stringify(value) : value));
    const plan = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`);
    return plan.all(bound).map(({ detail }) => detail);
  } finally {
    database.close();
  }
}
