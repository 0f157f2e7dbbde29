import { afterAll, beforeAll } from 'vitest';
import { readStoreAddress } from '../../src/config/store-address.js';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import { realClock } from '../support/clock.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { storeContract } from './contract.js';

let server: PostgresServer;
let url: string;

beforeAll(async () => {
  server = await startPostgres();
  url = await server.newDatabase();
});

afterAll(async () => {
  await server.dropDatabase(url);
  await server.stop();
});

storeContract('PostgreSQL', async () => {
  const address = await readStoreAddress({ secret: url, source: 'test' }, {});
  return {
    open: () => openPostgresStore({ server: address, clock: realClock }),
    remove: async () => void (await server.query('DROP SCHEMA fiscal CASCADE', url)),
  };
});
