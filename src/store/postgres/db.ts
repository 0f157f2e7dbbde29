import { type Asked, type Db, type Sql, Statements, type Step } from '../sql.js';
import { alone, type Connection, type Queries, rowsOf } from './connection.js';

/** The statements of the tables, on a server. */
export function createDb(connection: Connection): Db {
  const statements = new Statements('postgres', (text) => text, rowsOf);
  const written = (query: Sql) => {
    const { made: text, values } = statements.find(query);
    return { text, values };
  };
  const answer = async (queries: Queries, asked: Asked): Promise<unknown> => {
    if ('alone' in asked) return await alone(queries, ...asked.alone);
    const how = { rows: 'all', row: 'get', changes: 'run' } as const;
    return await queries[how[asked.wants]](written(asked.query));
  };
  const all = async (queries: Queries, work: () => Step<unknown>) => {
    const steps = work();
    let step = steps.next();
    while (step.done !== true) step = steps.next(await answer(queries, step.value));
    return step.value;
  };
  const of = (repeatable: true | undefined) => (repeatable === true ? connection.repeatable : connection);

  return {
    all: async (query, show = (row) => row as never) =>
      (await connection.repeatable.all<never>(written(query))).map((row) => show(row)),
    get: async (query, show = (row) => row as never) => {
      const row = await connection.repeatable.get<never>(written(query));
      return row === undefined ? undefined : show(row);
    },
    run: async (query, { repeatable } = {}) =>
      query.rows?.length === 0 ? 0 : await of(repeatable).run(written(query)),
    change: async (query, show = (row) => row as never, { repeatable } = {}) =>
      (await of(repeatable).all<never>(written(query))).map((row) => show(row)),
    together: (work, { repeatable } = {}) =>
      of(repeatable).together(async (queries) => (await all(queries, work)) as never),
  };
}
