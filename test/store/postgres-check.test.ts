import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readStoreAddress } from '../../src/config/store-address.js';
import { partsOf, withServerSnapshot } from '../../src/store/postgres/check.js';
import { createConnection, type Server } from '../../src/store/postgres/connection.js';
import { expectedParts } from '../../src/store/postgres/schema.js';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import { examine } from '../../src/store/store-check.js';
import { realClock } from '../support/clock.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { fillForCheck } from './contract-check.js';

let server: PostgresServer;
let url: string;
let address: Server;

beforeAll(async () => {
  server = await startPostgres();
  url = await server.newDatabase();
  address = await readStoreAddress({ secret: url, source: 'test' }, {});
});

beforeEach(async () => {
  const store = await openPostgresStore({ server: address, clock: realClock });
  await fillForCheck(store);
  await store.close();
});

afterEach(async () => void (await server.query('DROP SCHEMA IF EXISTS fiscal CASCADE', url)));

afterAll(async () => {
  await server.dropDatabase(url);
  await server.stop();
});

const look = async () => await withServerSnapshot(address, (snapshot) => examine(snapshot, () => undefined));

test('the parts that a store has are those that the check expects', async () => {
  const connection = createConnection(address);
  expect((await partsOf(connection)).toSorted()).toEqual(expectedParts.toSorted());
  await connection.close();
});

test('every table of a server is read', async () => {
  const tables = await server.query("SELECT tablename FROM pg_tables WHERE schemaname = 'fiscal'", url);
  const read = (await look()).tables.map(({ table }) => table);
  expect(read.toSorted()).toEqual(tables.map(({ tablename }) => tablename).toSorted());
});

test.each([
  ['DROP INDEX fiscal.items_by_state', 'items', 'the index items_by_state is missing'],
  [
    'ALTER TABLE fiscal.items DROP CONSTRAINT items_state_check',
    'items',
    'the constraint items_state_check is missing',
  ],
  [
    "ALTER TABLE fiscal.items DROP CONSTRAINT items_job_id_fkey; UPDATE fiscal.items SET job_id = 'x' WHERE seq = 3",
    'items',
    'there is no job',
  ],
  ["UPDATE fiscal.documents SET term_data = '{}' WHERE seq = 1", 'documents', 'does not follow from its data'],
  [
    `UPDATE fiscal.identity SET copy = '{"step":"copied","otherId":"o","other":"p","at":1}'`,
    'identity',
    'still take writes',
  ],
  ["UPDATE fiscal.identity SET copy = '{}'", 'identity', 'the note of a copy is not one of this program'],
  ["UPDATE fiscal.pace SET blocked_until = 'NaN'", 'pace', 'NaN in blocked_until'],
])('finds %s', async (sql, table, reason) => {
  await server.query(sql, url);
  expect((await look()).findings).toContainEqual(
    expect.objectContaining({ table, reason: expect.objectContaining({ en: expect.stringContaining(reason) }) }),
  );
});

test('a table without one of its columns is not read, and rows are not compared', async () => {
  await server.query('ALTER TABLE fiscal.owed DROP COLUMN tries; DROP TABLE fiscal.known', url);
  const { findings, notRead } = await look();
  expect(findings).toContainEqual(expect.objectContaining({ table: 'owed', column: 'tries' }));
  expect(notRead.toSorted()).toEqual(['known', 'owed', 'relations']);
});

test('a standby is looked at as well, and a server without a store is not', async () => {
  const name = new URL(url).pathname.slice(1);
  await server.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  expect(await look()).toMatchObject({ total: 0, notRead: [] });
  await server.query(`ALTER DATABASE ${name} RESET ALL`);
  await server.query('UPDATE fiscal.version SET schema = -1', url);
  await expect(look()).rejects.toMatchObject({ code: 'store.older', exitCode: 2 });
  await server.query('DROP SCHEMA fiscal CASCADE', url);
  await expect(look()).rejects.toMatchObject({ code: 'store.absent', exitCode: 2 });
});

test('a note of a copy that no program has written is damage, and not a defect', async () => {
  await server.query("UPDATE fiscal.identity SET copy = '{}'", url);
  const opening = openPostgresStore({ server: address, clock: realClock });
  await expect(opening).rejects.toMatchObject({ code: 'store.damaged' });
});
