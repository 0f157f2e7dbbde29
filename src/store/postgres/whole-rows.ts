import { FiscalError } from '../../errors/fiscal-error.js';
import { type CopyMark, requireMark } from '../copy-mark.js';
import type { WholeRow } from '../row.js';
import { copiedColumns, copiedTables, isNumbered, type NamedTable } from '../schema.js';
import { PAGE_ROWS, requireEmpty, type WholeRows } from '../whole-rows.js';
import { alone, createConnection, type Queries, rowsOf, type Server } from './connection.js';
import { requireRow } from './failures.js';
import { COPYING, dropFence, makeFence } from './fence.js';
import { serverNow } from './store-clock.js';

/** The whole rows of a server whose store `openPostgresStore` has opened before. To keep others out needs the owner's login. */
export function openServerRows(server: Server): WholeRows {
  const connection = createConnection(server, { application: COPYING, isRaw: true });
  const { all, get, together } = connection;
  return {
    async page(table, after) {
      const { name, key } = table;
      const names = key.map((column) => `@${column}`).join(', ');
      const where = after === undefined ? '' : `WHERE (${key.join(', ')}) > (${names})`;
      return await all<WholeRow>(
        `SELECT ${copiedColumns(table).join(', ')} FROM fiscal.${name} ${where} ORDER BY ${key.join(', ')} LIMIT ${PAGE_ROWS}`,
        after ?? {},
      );
    },
    async insert({ name }, rows, mine) {
      const columns = Object.keys(rows[0] ?? {});
      const names = columns.join(', ');
      await together(async (queries) => {
        await requireMarkAt(queries, server.name, mine);
        await queries.run(
          `INSERT INTO fiscal.${name} (${names}) OVERRIDING SYSTEM VALUE
           SELECT ${names} FROM json_populate_recordset(NULL::fiscal.${name}, @rows::json) ON CONFLICT DO NOTHING`,
          { rows: rowsOf(rows.map(stored), columns) },
        );
      });
    },
    count: (table) => countOf(connection, table),
    engineFault: () => Promise.resolve(undefined),
    last: ({ name }) => get<WholeRow>(`SELECT seq FROM fiscal.${name} ORDER BY seq DESC LIMIT 1`),
    firstSendAt: async () =>
      (await get<{ at: number | null }>('SELECT first_send_at AS at FROM fiscal.identity'))?.at ?? null,
    refuseOthers: (mark, { found }) =>
      together(async (queries) => {
        await alone(queries, 'copy');
        await requireMarkAt(queries, server.name, found);
        await makeFence(queries);
        await requireNoWorker(queries, server.name);
        if (mark.step === 'arriving' && found === undefined)
          for (const table of copiedTables) requireEmpty(server.name, table, await countOf(queries, table));
        await queries.run('UPDATE fiscal.identity SET copy = @mark', { mark: JSON.stringify(mark) });
      }),
    requireMine: (mine) => together((queries) => requireMarkAt(queries, server.name, mine)),
    admitOthers: (mine, copied) =>
      together(async (queries) => {
        await alone(queries, 'copy');
        await requireMarkAt(queries, server.name, mine);
        await dropFence(queries);
        await queries.run('UPDATE fiscal.identity SET copy = NULL');
        if (copied === undefined) return;
        await queries.run('UPDATE fiscal.identity SET first_send_at = @at', { at: copied.firstSendAt });
        for (const table of copiedTables.filter(isNumbered)) await countOn(queries, table);
      }),
    clear: (mine) =>
      together(async (queries) => {
        await requireMarkAt(queries, server.name, mine);
        for (const { name } of copiedTables.toReversed()) await queries.run(`DELETE FROM fiscal.${name}`);
      }),
    close: () => connection.close(),
  };
}

/** The mark cannot change before the transaction ends. */
async function requireMarkAt({ get }: Queries, path: string, expected: CopyMark | undefined): Promise<void> {
  const row = await get<{ copy: string | null }>('SELECT copy FROM fiscal.identity FOR UPDATE');
  requireMark(path, row?.copy ?? null, expected);
}

async function countOf({ get }: Queries, { name }: NamedTable): Promise<number> {
  return requireRow(await get<{ count: number }>(`SELECT count(*) AS count FROM fiscal.${name}`), 'count').count;
}

/** New rows get numbers after those of the copied ones. */
async function countOn({ get }: Queries, { name }: NamedTable): Promise<void> {
  await get(
    `SELECT setval(pg_get_serial_sequence('fiscal.${name}', 'seq'), max(seq)) FROM fiscal.${name} HAVING max(seq) > 0`,
  );
}

async function requireNoWorker({ get }: Queries, path: string): Promise<void> {
  const living = await get<{ pid: number; machine: string }>(
    `SELECT pid, machine FROM fiscal.workers WHERE expires_at > ${serverNow} LIMIT 1`,
  );
  if (living === undefined) return;
  const who = `${living.machine.split('/', 1).join('')} (pid ${living.pid})`;
  throw new FiscalError('store.in_use', { path, who }, { sent: 'no' });
}

/** Bytes go as text in hex. */
function stored(row: WholeRow): object {
  const cells = Object.entries(row).map(([name, cell]) => [
    name,
    cell instanceof Uint8Array ? `\\x${Buffer.from(cell).toString('hex')}` : cell,
  ]);
  return Object.fromEntries(cells);
}
