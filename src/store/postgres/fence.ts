import { copiedTables } from '../copied-tables.js';
import type { Queries } from './connection.js';
import { FENCED } from './failures.js';

/** The name with which a copy connects: the only one that may write behind the fence. */
export const COPYING = 'fiscal store copy';

const tables = [...copiedTables.map(({ name }) => name), 'document_groups'];

/**
 * Refuses writes to the rows, also by processes that have the store open and by older programs. Waits for transactions that
 * have begun to write.
 */
export async function makeFence({ run }: Queries): Promise<void> {
  await run(`CREATE OR REPLACE FUNCTION fiscal.refuse_write() RETURNS trigger LANGUAGE plpgsql AS $fence$
    BEGIN
      IF current_setting('application_name') <> '${COPYING}' THEN
        RAISE EXCEPTION USING ERRCODE = '${FENCED}', MESSAGE = (SELECT coalesce(copy, '') FROM fiscal.identity);
      END IF;
      RETURN NULL;
    END $fence$`);
  for (const table of tables)
    await run(`CREATE OR REPLACE TRIGGER fence BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON fiscal.${table}
      FOR EACH STATEMENT EXECUTE FUNCTION fiscal.refuse_write()`);
}

export async function dropFence({ run }: Queries): Promise<void> {
  for (const table of tables) await run(`DROP TRIGGER IF EXISTS fence ON fiscal.${table}`);
  await run('DROP FUNCTION IF EXISTS fiscal.refuse_write()');
}
