import { chmod, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { list, look } from '../scripts/quickstart/look.js';
import { readStoreAddress } from '../src/config/store-address.js';
import { take } from '../src/store/postgres/item-work.js';
import { writtenFor } from '../src/store/sql.js';
import { type Connection, createConnection } from '../src/store/postgres/connection.js';
import { openPostgresStore } from '../src/store/postgres/open.js';
import { realClock } from '../test/support/clock.js';
import { newItem, newWorker, openJob, step } from '../test/store/samples.js';
import { DurablePostgres } from './drill/durable-postgres.js';
import { median } from './median.js';

const SIZES = [10_000, 100_000, 1_000_000];
const BATCH = 8;
const ROUNDS = 50;
/** What is done of a job while a backup, or `store check`, keeps the old versions of rows. */
const DONE_MEANWHILE = 5_000;

/** What one claim of eight items reads, by EXPLAIN (ANALYZE, BUFFERS), in jobs of three sizes. */
export async function measureStoreCost(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  console.log(`\none claim of ${BATCH} items, the median and the most of ${ROUNDS}`);
  for (const items of SIZES) {
    const postgres = await DurablePostgres.start(await mkdtemp(join(folder, 'cost-')));
    try {
      await measure(postgres, items);
    } finally {
      await postgres.stop();
    }
  }
}

async function measure(postgres: DurablePostgres, items: number): Promise<void> {
  const server = await readStoreAddress({ secret: postgres.url(), source: 'bench' }, {});
  const store = await openPostgresStore({ server, clock: realClock });
  const connection = createConnection(server);
  await store.workers.register(newWorker({ expiresAt: Date.now() + 3_600_000 }));
  await openJob(store, [newItem(1)]);
  await fill(postgres, items);
  const claims = async (): Promise<readonly Cost[]> => {
    const costs: Cost[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      costs.push(await explained(connection));
      const held = await connection.all<{ id: string; epoch: number }>(
        "SELECT id, epoch FROM fiscal.items WHERE worker_id = 'worker-1' AND state = 'prepared'",
      );
      const event = { at: Date.now(), step: { is: 'read' } } as const;
      for (const item of held)
        await store.items.transition({ ...item, workerId: 'worker-1' }, step('succeeded', { keep: false }), event);
    }
    return costs;
  };
  print(`${items} items, not analyzed`, await claims());
  await postgres.query('VACUUM ANALYZE fiscal.items');
  print(`${items} items`, await claims());
  const backup = new pg.Client({ connectionString: postgres.url() });
  await backup.connect();
  await backup.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM fiscal.items LIMIT 1');
  await postgres.query(
    `UPDATE fiscal.items SET state = 'succeeded' WHERE seq IN (
       SELECT seq FROM fiscal.items WHERE state = 'prepared' ORDER BY ordinal LIMIT ${DONE_MEANWHILE})`,
  );
  print(`${items} items, ${DONE_MEANWHILE} done since a backup began`, await claims());
  await backup.end();
  await connection.close();
  await store.close();
}

/** Copies of the first item. */
async function fill(postgres: DurablePostgres, items: number): Promise<void> {
  const columns = 'job_id, profile, kind, holds_key, input, billed, state, due_at, updated_at';
  await postgres.query(
    `INSERT INTO fiscal.items (id, ordinal, label, dedupe_key, idempotency_key, ${columns})
     SELECT 'item-' || n, n, 'SKU-' || n, 'key-' || n, 'idem-' || n, ${columns}
     FROM fiscal.items, generate_series(2, ${items}) AS n`,
  );
}

interface Cost {
  /** Rows that the scans of tables have read, also those that they passed over. */
  readonly rows: number;
  /** Pages of 8 kB, in memory or not. */
  readonly pages: number;
  readonly ms: number;
  /** How the items are found. */
  readonly scans: readonly string[];
}

/** EXPLAIN ANALYZE carries the statement out. */
async function explained(connection: Connection): Promise<Cost> {
  const states = ['sending', 'prepared', 'pending'] as const;
  const claim = { workerId: 'worker-1', jobId: 'job-1', limit: BATCH, now: Date.now(), states };
  const { text, values } = writtenFor('postgres', take(claim));
  const [row] = await connection.all({ text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values });
  const whole = look(look(row, 'QUERY PLAN'), '0');
  const nodes = nodesOf(look(whole, 'Plan'));
  const number = (node: unknown, name: string): number => Number(look(node, name) ?? 0);
  const scans = nodes.filter((node) => look(node, 'Relation Name') !== undefined);
  const readBy = (node: unknown): number =>
    (number(node, 'Actual Rows') + number(node, 'Rows Removed by Filter')) * number(node, 'Actual Loops');
  const ofItems = scans.filter(
    (node) => look(node, 'Relation Name') === 'items' && look(node, 'Node Type') !== 'ModifyTable',
  );
  return {
    rows: scans.reduce<number>((sum, node) => sum + readBy(node), 0),
    pages: number(look(whole, 'Plan'), 'Shared Hit Blocks') + number(look(whole, 'Plan'), 'Shared Read Blocks'),
    ms: number(whole, 'Execution Time'),
    scans: ofItems.map((node) => `${String(look(node, 'Node Type'))} ${String(look(node, 'Index Name') ?? '')}`),
  };
}

function nodesOf(plan: unknown): readonly unknown[] {
  return [plan, ...list(look(plan, 'Plans')).flatMap(nodesOf)];
}

function print(name: string, costs: readonly Cost[]): void {
  const of = (pick: (cost: Cost) => number): string => {
    const values = costs.map(pick);
    return `${round(median(values))}, at most ${round(Math.max(...values))}`;
  };
  const scans = [...new Set(costs.flatMap((cost) => cost.scans))].join('; ');
  console.log(
    `${name}: rows ${of(({ rows }) => rows)}; pages ${of(({ pages }) => pages)}; ` +
      `${of(({ ms }) => ms)} ms; ${scans}`,
  );
}

const round = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
