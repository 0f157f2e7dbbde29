import { FiscalError } from '../../errors/fiscal-error.js';
import {
  checkOf,
  columnsOf,
  creationOf,
  indexesOf,
  requireKnown,
  schemaVersion,
  tablesOf,
  typeOf,
  uniqueName,
} from '../schema.js';
import { requireRow } from './failures.js';
import { alone, type Connection, type Queries } from './connection.js';

/** The identity of the store, and which server it is on: null where the server does not say. */
const beginning = `
  INSERT INTO fiscal.identity (one, id) VALUES (1, replace(gen_random_uuid()::text, '-', ''));
  INSERT INTO fiscal.version (one, schema) VALUES (1, ${schemaVersion});
  CREATE FUNCTION fiscal.server_history() RETURNS text LANGUAGE plpgsql AS $history$
    BEGIN
      RETURN (SELECT system_identifier FROM pg_catalog.pg_control_system()) || '/'
        || substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8);
    EXCEPTION WHEN OTHERS THEN
      RETURN NULL;
    END $history$;
`;

/** 0: there are no tables yet. A schema `fiscal` of another program is damaged. */
export async function schemaOf({ get }: Pick<Queries, 'get'>, path: string): Promise<number> {
  const place = await get<{ version: string | null; tables: number }>(
    `SELECT to_regclass('fiscal.version')::text AS version,
       (SELECT count(*) FROM pg_catalog.pg_class WHERE relnamespace = to_regnamespace('fiscal')) AS tables`,
  );
  const { version, tables } = requireRow(place, 'version', 'tables');
  if (version !== null) {
    const schema = (await get<{ schema: number }>('SELECT schema FROM fiscal.version'))?.schema;
    if (schema !== undefined && schema !== 0) return schema;
  }
  if (tables > 0) {
    const reason = { en: 'its schema fiscal is of another program', pt: 'o esquema fiscal é de outro programa' };
    throw new FiscalError('store.damaged', { path, reason });
  }
  return 0;
}

/**
 * Creates the tables in one transaction; another process may be doing the same. Returns the version that it found. A login that may
 * not is told who may.
 */
export async function create(connection: Connection, path: string): Promise<number> {
  try {
    return await connection.repeatable.together(async (queries) => {
      await alone(queries, 'create');
      const found = await schemaOf(queries, path);
      requireKnown(path, found);
      if (found === 0) {
        await queries.run('CREATE SCHEMA IF NOT EXISTS fiscal');
        await queries.run(creationOf('postgres') + beginning);
      }
      return found;
    });
  } catch (error) {
    if (error instanceof FiscalError && error.code === 'store.forbidden') throw error.with({ hint: ownerHint });
    throw error;
  }
}

const ownerHint = {
  en: 'its tables are missing: run "fiscal store migrate" once with the login of their owner in FISCAL_STORE_URL',
  pt: 'faltam as tabelas: execute "fiscal store migrate" uma vez com o acesso do dono em FISCAL_STORE_URL',
};

/** What the tables consist of, in the words of `partsOf`: `items column state text not null`, `items index items_by_state`. */
export const expectedParts: readonly string[] = tablesOf('postgres').flatMap((table) => {
  const { name, unique } = table;
  const columns = columnsOf(table, 'postgres');
  const keys = [`${name}_pkey`, ...(unique === undefined ? [] : [uniqueName(table)])];
  const checked = columns.filter(([column, about]) => checkOf(column, about, 'postgres') !== undefined);
  const referring = columns.filter(([, { refers }]) => refers !== undefined);
  return [
    ...columns.map(([column, about]) => {
      const required = about.isOptional === true ? '' : ' not null';
      return `${name} column ${column} ${typeOf(about, 'postgres')}${required}`;
    }),
    ...[...keys, ...checked.map(([column]) => `${name}_${column}_check`)].map(
      (constraint) => `${name} constraint ${constraint}`,
    ),
    ...referring.map(([column]) => `${name} constraint ${name}_${column}_fkey`),
    ...[...keys, ...indexesOf(table, 'postgres').map(([index]) => index)].map((index) => `${name} index ${index}`),
  ];
});
