import { chmod, mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { DurablePostgres } from './drill/durable-postgres.js';
import { ledger } from './drill/ledger.js';
import { importEvents } from './manifestations.js';
import { withSandbox } from './running-sandbox.js';

/** Requests a second that the service allows to all runners together. */
const RATE = 50;
const RUNNERS = 4;
const CONCURRENCY = 8;

/** What runners with state folders of their own, on one store, make of one limit of the service: used of it, and refused. */
export async function measureSharedPace(folder: string, items: number): Promise<void> {
  await chmod(folder, 0o755);
  for (const runners of [1, RUNNERS]) {
    const own = await mkdtemp(join(folder, 'pace-'));
    await withSandbox(own, async ({ env }) => await measure({ own, env, items, runners }), ['--rate', String(RATE)]);
  }
}

interface Scene {
  readonly own: string;
  readonly env: NodeJS.ProcessEnv;
  readonly items: number;
  readonly runners: number;
}

async function measure({ own, env, items, runners }: Scene): Promise<void> {
  const postgres = await DurablePostgres.start(own);
  try {
    const all = Array.from({ length: runners }, async (_, nth) => {
      const home = join(own, `runner-${nth}`);
      await mkdir(home);
      const at = { ...env, XDG_STATE_HOME: home, FISCAL_STORE_URL: postgres.url() };
      await importEvents(home, at, items, CONCURRENCY);
    });
    await Promise.all(all);
    print(runners, await counted(String(env['FISCAL_PRODUCT_URL'])));
  } finally {
    await postgres.stop();
  }
}

interface Counted {
  readonly seconds: number;
  readonly accepted: number;
  readonly refused: number;
}

async function counted(url: string): Promise<Counted> {
  let accepted = 0;
  let refused = 0;
  const times: number[] = [];
  for await (const { status, at, path } of ledger(url)) {
    if (!path.includes('manifestation')) continue;
    times.push(Date.parse(at));
    if (status === 429) refused += 1;
    else accepted += 1;
  }
  return { accepted, refused, seconds: ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000 };
}

/** From the first request to the last one, so that the learning of the limit counts, and the start of the programs does not. */
function print(runners: number, { accepted, refused, seconds }: Counted): void {
  const used = accepted / (seconds * RATE);
  const share = refused / (accepted + refused);
  console.log(
    `a limit of ${RATE} requests/s, ${runners} runners on one store: ${(used * 100).toFixed(1)} % used (aim 95), ` +
      `${(share * 100).toFixed(2)} % answered 429 (aim 1), ${accepted} requests in ${seconds.toFixed(0)} s`,
  );
}
