import { readStoreAddress } from '../../src/config/store-address.js';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import type { Store } from '../../src/store/store.js';
import { newItem, newWorker, openJob, prepared, step } from '../store/samples.js';
import { realClock } from './clock.js';
import type { PostgresServer } from './postgres.js';

/** What one claim of eight, and the end of these eight, read of the table of items. */
export interface ClaimCost {
  readonly rows: number;
  /** Pages of the table and of its indexes, also those in memory. */
  readonly pages: number;
}

async function readSoFar(server: PostgresServer, url: string): Promise<ClaimCost> {
  const [row] = await server.query(
    `SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS rows,
       heap_blks_read + heap_blks_hit + coalesce(idx_blks_read, 0) + coalesce(idx_blks_hit, 0) AS pages
     FROM pg_stat_user_tables JOIN pg_statio_user_tables USING (relid)
     WHERE pg_stat_user_tables.schemaname = 'fiscal' AND pg_stat_user_tables.relname = 'items'`,
    url,
  );
  return { rows: Number(row?.['rows']), pages: Number(row?.['pages']) };
}

const ROUNDS = 20;

/** Measures it in a job of so many items, in a database of its own, before the server has counted its rows. */
export async function claimCost(server: PostgresServer, items: number): Promise<ClaimCost> {
  const now = Date.now();
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
  const before = await readSoFar(server, url);
  const store = await open();
  for (let round = 0; round < ROUNDS; round += 1) {
    const claimed = await store.items.claim({ ...prepared, limit: 8, now });
    if (claimed.length !== 8) throw new Error(`claimed ${claimed.length} items instead of 8`);
    for (const { id, epoch } of claimed) {
      const held = { id, workerId: 'worker-1', epoch };
      await store.items.transition(held, step('succeeded', { keep: false }), { at: now, note: 'done' });
    }
    const due = await store.items.nextDue('job-1', ['prepared', 'sending', 'pending'], now);
    if (due === undefined) throw new Error('nothing is due');
  }
  // What a connection has read is counted when it ends.
  await store.close();
  let after = before;
  for (let tries = 0; after.rows <= before.rows && tries < 200; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    after = await readSoFar(server, url);
  }
  await server.dropDatabase(url);
  return { rows: (after.rows - before.rows) / ROUNDS, pages: (after.pages - before.pages) / ROUNDS };
}
