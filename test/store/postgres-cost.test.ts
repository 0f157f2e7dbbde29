import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimCost } from '../support/claim-cost.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await server.stop();
});

test('what a claim reads does not grow with the job, also before the server has counted its rows', async () => {
  for (const items of [5_000, 50_000]) {
    const { rows } = await claimCost(server, items);
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(100);
  }
});
