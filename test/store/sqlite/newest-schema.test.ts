import Sqlite, { type Database } from 'better-sqlite3';
import { expect, test } from 'vitest';
import { knownSchema, migrate, steps } from '../../../src/store/sqlite/migrations.js';

/** Every table, index and trigger in the order in which it was made, as the database keeps its text. */
function schemaOf(database: Database): readonly { readonly name: string; readonly sql: string | null }[] {
  return database
    .prepare<[], { name: string; sql: string | null }>('SELECT name, sql FROM sqlite_schema ORDER BY rowid')
    .all();
}

/** A store that has come through every step. */
function oldStore(): Database {
  const database = new Sqlite(':memory:');
  for (const step of steps) database.exec(step);
  return database;
}

test('a new store has the tables of one that has come through every step', async () => {
  const schema = schemaOf(oldStore());
  const statements = schema.flatMap(({ name, sql }) =>
    sql === null || name.startsWith('sqlite_') ? [] : [`${sql};\n`],
  );
  // After a new step: npx vitest run test/store/sqlite/newest-schema.test.ts --update
  await expect(`/** All \`steps\` of migrations.ts at once. Written by its test, with \`--update\`. */
export const newestSchema = String.raw\`
${statements.join('')}\`;

/** The steps that it holds. */
export const newestVersion = ${steps.length};
`).toMatchFileSnapshot('../../../src/store/sqlite/newest-schema.ts');
  const made = new Sqlite(':memory:');
  migrate(made);
  expect(schemaOf(made)).toEqual(schema);
  expect(made.pragma('user_version', { simple: true })).toBe(knownSchema);
});

test('a new store has the rows of one that has come through every step', () => {
  const made = new Sqlite(':memory:');
  migrate(made);
  const rowsOf = (database: Database) =>
    schemaOf(database)
      .filter(({ sql }) => sql?.startsWith('CREATE TABLE') === true)
      .map(({ name }) => [name, database.prepare(`SELECT count(*) FROM "${name}"`).pluck().get()]);
  expect(rowsOf(made)).toEqual(rowsOf(oldStore()));
});
