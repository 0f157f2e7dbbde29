import type { Text } from '../../contract/text.js';
import { copiedTables } from '../schema.js';
import type { Finding } from '../store-check.js';
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

/** Writes are refused exactly while a copy has left its mark. */
export async function fenceFault({ get }: Queries): Promise<Finding | undefined> {
  const found = await get<{ copy: string | null; fences: number }>(
    `SELECT copy, (SELECT count(*) FROM pg_trigger JOIN pg_class AS c ON c.oid = tgrelid
       WHERE tgname = 'fence' AND tgenabled <> 'D' AND c.relnamespace = 'fiscal'::regnamespace) AS fences
     FROM fiscal.identity`,
  );
  if (found === undefined || found.fences === (found.copy === null ? 0 : tables.length)) return undefined;
  return { table: 'identity', column: 'copy', reason: found.copy === null ? closedWithout : openBehind };
}

const closedWithout: Text = {
  en: 'no copy is under way, and tables refuse writes as during a copy',
  pt: 'nenhuma cópia está em andamento, e tabelas recusam gravações como durante uma cópia',
};

const openBehind: Text = {
  en: 'a copy has left its mark, and tables still take writes',
  pt: 'uma cópia deixou a anotação dela, e tabelas ainda aceitam gravações',
};
