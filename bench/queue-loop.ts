import { createRequire } from 'node:module';
import got from 'got';
import pg from 'pg';
import { look } from '../scripts/quickstart/look.js';

/** The parts of graphile-worker that are used. */
interface Worker {
  run(options: object): Promise<{ stop(): Promise<void> }>;
  makeWorkerUtils(options: object): Promise<WorkerUtils>;
  readonly Logger: new (ofScope: () => () => void) => object;
}

interface WorkerUtils {
  migrate(): Promise<void>;
  addJob(identifier: string, payload: object): Promise<unknown>;
  release(): Promise<void>;
}

interface Helpers {
  addJob(identifier: string, payload: object, how: { readonly runAt: Date }): Promise<unknown>;
}

/** The time that the sandbox's authority takes; before it a look is wasted. */
const AUTHORITY_MS = 300;

/**
 * The same calls as jobs of graphile-worker, which keeps them in PostgreSQL and repeats what fails: submit, and read until the
 * authority has decided. Gives the seconds.
 */
export async function queueLoop(
  env: NodeJS.ProcessEnv,
  keys: readonly string[],
  { concurrency, module, store }: { concurrency: number; module: string; store: string },
): Promise<number> {
  // It is installed for this measurement only, and has no types here.
  const { run, makeWorkerUtils, Logger } = createRequire(import.meta.url)(module) as Worker;
  const client = got.extend({
    prefixUrl: `${env['FISCAL_PRODUCT_URL']}/productinvoices`,
    headers: { authorization: env['FISCAL_INVOICE_KEY'] },
    retry: { limit: 0 },
    responseType: 'json',
  });
  let left = keys.length;
  let allDone = (): void => undefined;
  const done = new Promise<void>((resolve) => (allDone = resolve));
  const later = (ms: number): { readonly runAt: Date } => ({ runAt: new Date(Date.now() + ms) });
  const taskList = {
    submit: async (payload: unknown, { addJob }: Helpers) => {
      const json = { eventCode: 210210, nSequencia: 1, detail: {} };
      const path = `by-access-key/${String(look(payload, 'key'))}/manifestation-events`;
      const { body } = await client.post(path, { json });
      await addJob('follow', { id: String(look(body, 'id')) }, later(AUTHORITY_MS));
    },
    follow: async (payload: unknown, { addJob }: Helpers) => {
      const id = String(look(payload, 'id'));
      const { body } = await client.get(`manifestation-events/${id}`);
      if (look(body, 'status') !== 'Accepted') return void (await addJob('follow', { id }, later(50)));
      left -= 1;
      if (left === 0) allDone();
    },
  };
  const logger = new Logger(() => () => undefined);
  const pgPool = new pg.Pool({ connectionString: store });
  // A connection that ends while nobody uses it is only removed.
  pgPool.on('error', () => undefined);
  pgPool.on('connect', (connection) => connection.on('error', () => undefined));
  const utils = await makeWorkerUtils({ pgPool, logger });
  await utils.migrate();
  // Their making is not counted.
  await Promise.all(keys.map((key) => utils.addJob('submit', { key })));
  const quiet = { logger, noHandleSignals: true, pollInterval: 200 };
  const begin = performance.now();
  const worker = await run({ ...quiet, pgPool, concurrency, taskList });
  await done;
  const seconds = (performance.now() - begin) / 1000;
  await worker.stop();
  await utils.release();
  await pgPool.end();
  return seconds;
}
