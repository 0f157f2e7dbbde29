import type { Database, Statement } from 'better-sqlite3';
import { sound } from '../row.js';
import { type Asked, type Db, type Sql, Statements, type Step, valueFor } from '../sql.js';
import type { Connection } from './connection.js';

export interface FileDb extends Db {
  /** Steps within a write that is under way. */
  within<Result>(steps: Step<Result>): Result;
}

/** The statements of the tables, on the file of a connection. */
export function createDb(database: Database, { read, write }: Pick<Connection, 'read' | 'write'>): FileDb {
  const statements = new Statements<Statement<unknown[], object>>('sqlite', (text) => database.prepare(text));

  const rowsOf = <Row extends object>(query: Sql): Row[] => {
    const { made, values } = statements.find(query);
    const found = boundOf(query, values).flatMap((bound) => made.all(...bound));
    // Whoever writes the statement says what its rows are.
    return found.map(sound) as Row[];
  };
  const rowOf = (query: Sql): object | undefined => {
    const { made, values } = statements.find(query);
    const row = made.get(...values.map(bindable));
    return row && sound(row);
  };
  const changesOf = (query: Sql): number => {
    const { made, values } = statements.find(query);
    return boundOf(query, values).reduce((sum, bound) => sum + made.run(...bound).changes, 0);
  };
  const carriedOut = (asked: Asked): unknown => {
    if ('alone' in asked) return undefined;
    if (asked.wants === 'changes') return changesOf(asked.query);
    return asked.wants === 'row' ? rowOf(asked.query) : rowsOf(asked.query);
  };
  const within = <Result>(steps: Step<Result>): Result => {
    let step = steps.next();
    while (step.done !== true) step = steps.next(carriedOut(step.value));
    return step.value;
  };

  return {
    all: (query, show = (row) => row as never) => read(() => rowsOf<never>(query).map((row) => show(row))),
    get: (query, show = (row) => row as never) =>
      read(() => {
        const row = rowOf(query);
        return row && show(row as never);
      }),
    run: (query, how) => write(() => changesOf(query), how),
    change: (query, show = (row) => row as never, how) =>
      write(() => rowsOf<never>(query).map((row) => show(row)), how),
    together: (work, how) => write(() => within(work()), how),
    within,
  };
}

/** The values for each time that the statement is carried out: once, or for each of its rows. */
function boundOf({ rows }: Sql, values: readonly unknown[]): readonly (readonly unknown[])[] {
  if (rows === undefined) return [values.map(bindable)];
  return rows.map((row) => values.map((value) => bindable(valueFor(row, value))));
}

/** A list is one value, as JSON. */
function bindable(value: unknown): unknown {
  return Array.isArray(value) ? JSON.stringify(value) : (value ?? null);
}
