import { afterAll, beforeAll, expect, it } from 'vitest';
import { readStoreAddress } from '../../src/config/store-address.js';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import { realClock } from '../support/clock.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { type Moment, startSessionEnder } from '../support/session-ender.js';
import {
  createdSkus,
  errorOf,
  inProcess,
  ledger,
  newWorld,
  product,
  products,
  put,
  records,
  withEnv,
  withSandbox,
  worldAt,
} from './program.js';

const argv = ['product', 'apply', '--create-only', 'products.ndjson', '--wait', '--yes', '-o', 'ndjson'];
/** How many runs at once: most of the time of one is a wait. */
const LANES = 6;

let server: PostgresServer;
let sandbox: Awaited<ReturnType<typeof withSandbox>>;
/** A database with the tables of a store that nobody has used. */
let unused: string;

beforeAll(async () => {
  [server, sandbox] = await Promise.all([startPostgres(), withSandbox(newWorld())]);
  unused = await server.newDatabase();
  const address = await readStoreAddress({ secret: unused, source: 'test' }, {});
  await (await openPostgresStore({ server: address, clock: realClock })).close();
});

afterAll(async () => {
  sandbox.stop();
  await server.stop();
});

interface Cut {
  /** The run had so many statements that one of them was this one. */
  readonly isReached: boolean;
  /** The server has ended the session; what waits for no table cannot be met while it is carried out. */
  readonly hasEnded: boolean;
  /** What the cut run left to the next one. */
  readonly exitCode: number | null;
  /** Every promise that was broken. */
  readonly broken: readonly unknown[];
}

/**
 * An import of one product into an unused store, whose session the server ends once. The same command goes on where the run did
 * not end well.
 */
async function importWithCut(statement: number, moment: Moment): Promise<Cut> {
  // One moment is enough for the making of the tables, which is one transaction.
  const url = await server.newDatabase(moment === 'after' ? undefined : unused);
  const ender = await startSessionEnder(url, { statement, moment });
  const sku = `${moment}-${statement}-SKU`;
  const direct = withEnv(worldAt(sandbox.ready), { FISCAL_STORE_URL: url });
  put(direct, 'products.ndjson', `${product(sku, 'billed')}\n`);
  const first = await inProcess(withEnv(direct, { FISCAL_STORE_URL: ender.url }), ...argv);
  const isReached = ender.statements.length >= statement;
  await ender.close();
  const last = first.exitCode === 0 ? first : await inProcess(direct, ...argv);
  const { exitCode } = first;
  const found = {
    first: exitCode === 0 || { exitCode, code: errorOf(first)['code'] },
    last: [last.exitCode, records(last).at(-1)?.['succeeded'], records(last).at(-1)?.['uncertain']],
    created: (await createdSkus(sandbox.ready)).filter((each) => each === sku),
    // One question: a connection costs the server more than it.
    ...(
      await server.query(
        `SELECT (SELECT json_object_agg(to_state, count) FROM (SELECT to_state, count(*) FROM fiscal.item_events GROUP BY 1) AS ends) AS ends,
        (SELECT count(*)::int FROM fiscal.usage WHERE outcome <> 'unknown') AS billed,
        (SELECT count(*)::int FROM fiscal.workers) AS leases`,
        url,
      )
    )[0],
  };
  const allowed = {
    first: first.exitCode === 0 || {
      exitCode: 5,
      code: expect.stringMatching(/^(store.unreachable|job.store_failed)$/),
    },
    last: [0, 1, 0],
    created: [sku],
    ends: expect.objectContaining({ pending: 1, succeeded: 1 }),
    billed: 1,
    leases: 0,
  };
  const broken = isEqual(found, allowed) && !/pw-of-owner|\n\s+at /.test(first.stderr) ? [] : [found];
  await server.dropDatabase(url);
  return { isReached, hasEnded: ender.hasEnded, exitCode, broken };
}

function isEqual(found: object, allowed: object): boolean {
  try {
    expect(found).toEqual(allowed);
    return true;
  } catch {
    return false;
  }
}

/** One run for each statement, from the first to the last. */
async function cutsAtEach(moment: Moment): Promise<readonly (Cut & { readonly statement: number })[]> {
  const cuts: (Cut & { readonly statement: number })[] = [];
  let next = 1;
  const lane = async (): Promise<void> => {
    for (let isReached = true; isReached; ) {
      const statement = next++;
      const cut = await importWithCut(statement, moment);
      cuts.push({ ...cut, statement });
      ({ isReached } = cut);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return cuts.filter(({ isReached }) => isReached);
}

it.each(['before', 'within', 'after'] as const)(
  'a session that the server ends %s any statement of an import: sent once, nothing lost, nothing claimed falsely',
  async (moment) => {
    const sentBefore = (await ledger(sandbox.ready)).length;
    const cuts = await cutsAtEach(moment);
    expect(cuts.filter(({ broken }) => broken.length > 0)).toEqual([]);
    expect(cuts.length).toBeGreaterThan(50);
    const ended = cuts.filter(({ hasEnded }) => hasEnded);
    expect(ended.length).toBeGreaterThan(moment === 'within' ? 30 : cuts.length - 3);
    // Most runs go on by themselves.
    expect(ended.filter(({ exitCode }) => exitCode === 0).length).toBeGreaterThan(ended.length * 0.8);
    // The LANES runs whose statement was never reached sent their product too.
    expect((await ledger(sandbox.ready)).length - sentBefore).toBe(cuts.length + LANES);
  },
);

/** The statements of an import of so many products, by their beginnings. */
async function statementsOf(count: number): Promise<readonly string[]> {
  const ender = await startSessionEnder(await server.newDatabase(unused));
  const world = withEnv(worldAt(sandbox.ready), { FISCAL_STORE_URL: ender.url });
  put(world, 'products.ndjson', products(count, `COUNTED-${count}`));
  expect((await inProcess(world, ...argv)).exitCode).toBe(0);
  await ender.close();
  return ender.statements;
}

it('a product of an import is not read again at its end, and its call is stored with its step', async () => {
  const [few, many] = [await statementsOf(2), await statementsOf(22)];
  const more = (beginning: string): number => {
    const [before = 0, after = 0] = [few, many].map((all) => all.filter((each) => each.startsWith(beginning)).length);
    return (after - before) / 20;
  };
  expect(more('WITH held')).toBeGreaterThanOrEqual(3);
  expect(more('SELECT id, job_id')).toBe(0);
  expect(more('INSERT INTO fiscal.history')).toBeLessThan(0.5);
});
