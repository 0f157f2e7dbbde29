import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/sqlite/open.js';
import { newItem, newJob, openJob } from '../store/samples.js';
import { realClock } from '../support/clock.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { ended, fiscal, newWorld, start, withEnv } from './program.js';

const ITEMS = 12_000;
const PAGE = 1_000;

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await server.stop();
});

test('a copy that is killed again and again goes on with the same command, and has every row once', async () => {
  const url = await server.newDatabase();
  const world = withEnv(newWorld(), { FISCAL_STORE_URL: url });
  const path = join(world.root, 'state', 'state.db');
  mkdirSync(join(world.root, 'state'), { mode: 0o700 });
  const store = await openStore({ path, clock: realClock });
  await openJob(store, []);
  for (let from = 1; from <= ITEMS; from += PAGE) {
    const page = Array.from({ length: PAGE }, (_, index) => newItem(from + index));
    await store.jobs.append(newJob().id, page, 1);
  }
  await store.workers.remove('worker-1');
  await store.close();

  const argv = ['store', 'copy', '--from', 'local', '--to', 'server', '--yes', '-o', 'json'];
  const copied = async (): Promise<number> => {
    const made = await server.query("SELECT to_regclass('fiscal.items')::text AS items", url);
    if (typeof made[0]?.['items'] !== 'string') return 0;
    return Number((await server.query('SELECT count(*) FROM fiscal.items', url))[0]?.['count']);
  };
  for (const [most, thenMs] of [
    [1, 0],
    [ITEMS / 2, 0],
    [ITEMS, 0],
    [ITEMS, 60],
  ] as const) {
    const run = start(world, argv);
    const end = ended(run);
    await expect.poll(copied, { timeout: 30_000, interval: 5 }).toBeGreaterThanOrEqual(most);
    await pause(thenMs);
    run.kill('SIGKILL');
    const { signal } = await end;
    if (signal === null) continue;
    // Whatever was reached, neither of the two is used meanwhile.
    for (const env of [{ FISCAL_STORE_URL: url }, { FISCAL_STORE_URL: '' }]) {
      const { exitCode, stderr } = await fiscal(withEnv(world, env), 'job', 'list');
      expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/store\.cop(?:y_unfinished|ied_away)/)]);
    }
  }
  const last = await fiscal(world, ...argv);
  expect([last.exitCode, last.stderr]).toEqual([0, expect.any(String)]);
  const [found] = await server.query(
    'SELECT count(*)::int AS rows, count(DISTINCT ordinal)::int AS ordinals, min(seq)::int AS first, max(seq)::int AS last FROM fiscal.items',
    url,
  );
  expect(found).toEqual({ rows: ITEMS, ordinals: ITEMS, first: 1, last: ITEMS });
  expect((await fiscal(world, 'job', 'list')).exitCode).toBe(0);
  const old = await fiscal(withEnv(world, { FISCAL_STORE_URL: '' }), 'job', 'list');
  expect([old.exitCode, old.stderr]).toEqual([2, expect.stringContaining('store.copied_away')]);
  await server.dropDatabase(url);
});
