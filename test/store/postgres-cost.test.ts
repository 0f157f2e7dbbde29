import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStoreAddress } from '../../src/config/store-address.js';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import type { Store } from '../../src/store/store.js';
import { realClock } from '../support/clock.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { newItem, newWorker, openJob, prepared, step } from './samples.js';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await server.stop();
});

/** Rows of a table that statements have read, in whatever way. */
async function rowsRead(url: string, table: 'items' | 'document_events' = 'items'): Promise<number> {
  const [row] = await server.query(
    `SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS count FROM pg_stat_user_tables
     WHERE schemaname = 'fiscal' AND relname = '${table}'`,
    url,
  );
  return Number(row?.['count']);
}

const now = Date.now();

/** The rows that one claim of eight and the end of these eight read, in a job of so many items. */
async function costOfClaims(items: number): Promise<number> {
  const url = await server.newDatabase();
  const address = await readStoreAddress({ secret: url, source: 'test' }, {});
  const open = async (): Promise<Store> => await openPostgresStore({ server: address, clock: realClock });
  const first = await open();
  await first.workers.register(newWorker({ expiresAt: now + 3_600_000 }));
  await openJob(first, [newItem(1)]);
  await first.close();
  const columns = `job_id, profile, kind, holds_key, input, billed, state, due_at, updated_at`;
  await server.query(
    `INSERT INTO fiscal.items (id, ordinal, label, dedupe_key, idempotency_key, ${columns})
     SELECT 'item-' || n, n, 'SKU-' || n, 'key-' || n, 'idem-' || n, ${columns}
     FROM fiscal.items, generate_series(2, ${items}) AS n`,
    url,
  );
  const before = await rowsRead(url);
  const store = await open();
  const rounds = 20;
  for (let round = 0; round < rounds; round += 1) {
    const claimed = await store.items.claim({ ...prepared, limit: 8, now });
    expect(claimed).toHaveLength(8);
    for (const { id, epoch } of claimed) {
      const held = { id, workerId: 'worker-1', epoch };
      await store.items.transition(held, step('succeeded', { keep: false }), { at: now, step: { is: 'read' } });
    }
    expect(await store.items.nextDue('job-1', ['prepared', 'sending', 'pending'], now)).toBeDefined();
  }
  // What a connection has read is counted when it ends.
  await store.close();
  await expect.poll(() => rowsRead(url), { timeout: 10_000 }).toBeGreaterThan(before);
  const read = (await rowsRead(url)) - before;
  await server.dropDatabase(url);
  return read / rounds;
}

test('what a claim reads does not grow with the job, also before the server has counted its rows', async () => {
  for (const items of [5_000, 50_000]) expect(await costOfClaims(items)).toBeLessThan(100);
});

/** The rows of events that a list of 100 documents reads, where so many documents have two events each. */
async function costOfList(documents: number): Promise<number> {
  const url = await server.newDatabase();
  const address = await readStoreAddress({ secret: url, source: 'test' }, {});
  const open = async (): Promise<Store> => await openPostgresStore({ server: address, clock: realClock });
  const first = await open();
  const group = { profile: 'acme', companyId: 'c-1', family: 'nfe' } as const;
  const ids = Array.from({ length: documents }, (_, n) => `k-${n}`);
  await first.documents.see(
    group,
    ids.map((id) => ({ id, issuedOn: '2026-05-05', data: {} })),
    now,
  );
  const codes = [110111, 210210];
  await first.events.see(
    group,
    ids.flatMap((documentId) =>
      codes.map((code) => ({ documentId, eventKey: `e-${code}`, facts: { code, sequence: 1 } })),
    ),
    now,
  );
  await first.close();
  const before = await rowsRead(url, 'document_events');
  const store = await open();
  const rows = await store.documents.list({ profile: 'acme', limit: 100 });
  expect(rows.map(({ eventCodes }) => eventCodes)).toEqual(Array.from({ length: 100 }, () => codes));
  await store.close();
  await expect.poll(() => rowsRead(url, 'document_events'), { timeout: 10_000 }).toBeGreaterThan(before);
  const read = (await rowsRead(url, 'document_events')) - before;
  await server.dropDatabase(url);
  return read;
}

test('what a list of documents reads of their events does not grow with the store', async () => {
  for (const documents of [500, 5_000]) expect(await costOfList(documents)).toBe(200);
});
