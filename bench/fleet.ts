import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accessKey } from './drill/access-keys.js';
import { DurablePostgres } from './drill/durable-postgres.js';
import { startTcpProxy } from '../test/support/tcp-proxy.js';
import { importEvents } from './manifestations.js';
import { queueLoop } from './queue-loop.js';
import { withSandbox } from './running-sandbox.js';

/** Few at once, so that the service and not the processor is the limit. */
const CONCURRENCY = 4;
/** To the service and back. */
const SERVICE_AWAY_MS = 20;
const STORE_AWAY_MS = 2;
const RUNNERS = [1, 2, 4];
const MOST_MEGABYTES = 150;

/**
 * Manifestations a second of one, two and four runners on one PostgreSQL, near and 2 ms away, beside a store of SQLite and beside
 * graphile-worker doing the same calls on a PostgreSQL just as far, with a service that is 20 ms away.
 */
export async function measureFleet(folder: string, items: number): Promise<void> {
  await chmod(folder, 0o755);
  const queue = await installQueue(folder);
  console.log(`\n${items} manifestations to their end, ${CONCURRENCY} at once, a service ${SERVICE_AWAY_MS} ms away`);
  const scene = { folder, items };
  const sqlite = await inScene(scene, { runners: 1 });
  print('SQLite, 1 runner', sqlite);
  for (const storeAwayMs of [0, STORE_AWAY_MS]) {
    const bare = await inScene(scene, { runners: 1, storeAwayMs, queue });
    print(`graphile-worker, PostgreSQL ${storeAwayMs} ms away, 1 runner`, bare);
    let one: Figures | undefined;
    for (const runners of RUNNERS) {
      const figures = await inScene(scene, { runners, storeAwayMs });
      one ??= figures;
      const ratio = (figures.perSecond / one.perSecond).toFixed(2);
      const beside = (figures.perSecond / bare.perSecond).toFixed(2);
      print(
        `PostgreSQL ${storeAwayMs} ms away, ${runners} runners`,
        figures,
        `${ratio} of one runner, ${beside} of graphile-worker`,
      );
    }
  }
}

interface Figures {
  readonly perSecond: number;
  readonly megabytes: number;
}

interface Case {
  readonly runners: number;
  /** Absent: a file. */
  readonly storeAwayMs?: number;
  /** The folder of graphile-worker, which does the work instead. */
  readonly queue?: string;
}

async function inScene(
  { folder, items }: { readonly folder: string; readonly items: number },
  { runners, storeAwayMs, queue }: Case,
): Promise<Figures> {
  const own = await mkdtemp(join(folder, 'fleet-'));
  await chmod(own, 0o755);
  const found: Figures[] = [];
  await withSandbox(own, async ({ env }) => {
    const host = '127.0.0.1';
    const { port } = new URL(String(env['FISCAL_PRODUCT_URL']));
    const service = await startTcpProxy({ host, port: Number(port) }, { delayMs: SERVICE_AWAY_MS / 2 });
    const url = `http://127.0.0.1:${service.port}`;
    const away = { ...env, FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url, FISCAL_SERVICE_URL: url };
    const postgres = storeAwayMs === undefined ? undefined : await DurablePostgres.start(own);
    const delayMs = (storeAwayMs ?? 0) / 2;
    const proxy = postgres && (await startTcpProxy({ host, port: postgres.port }, { delayMs }));
    const near = postgres?.url();
    const address = delayMs === 0 || near === undefined ? near : proxy?.through(near);
    try {
      if (queue === undefined) found.push(await ofFiscal(own, { ...away, ...store(address) }, { items, runners }));
      else {
        const keys = Array.from({ length: items }, (_, index) => accessKey(index));
        const seconds = await queueLoop(away, keys, { concurrency: CONCURRENCY, module: queue, store: address ?? '' });
        found.push({ perSecond: items / seconds, megabytes: 0 });
      }
    } finally {
      await service.close();
      await proxy?.close();
      await postgres?.stop();
    }
  });
  const [figures] = found;
  if (figures === undefined) throw new Error('the sandbox was never there');
  return figures;
}

function store(address: string | undefined): Readonly<Record<string, string>> {
  return address === undefined ? {} : { FISCAL_STORE_URL: address };
}

/** All begin at once; the last one ends the measurement. */
async function ofFiscal(
  own: string,
  env: NodeJS.ProcessEnv,
  { items, runners }: { readonly items: number; readonly runners: number },
): Promise<Figures> {
  const begin = performance.now();
  const all = Array.from({ length: runners }, async (_, nth) => {
    const home = join(own, `runner-${nth}`);
    await mkdir(home);
    return await importEvents(home, { ...env, XDG_STATE_HOME: home }, items, CONCURRENCY);
  });
  const ended = await Promise.all(all);
  const seconds = (performance.now() - begin) / 1000;
  return { perSecond: items / seconds, megabytes: Math.max(...ended.map(({ megabytes }) => megabytes)) };
}

/** Only this measurement needs it, so it is installed here. */
async function installQueue(folder: string): Promise<string> {
  const home = join(folder, 'queue');
  await mkdir(home);
  await writeFile(join(home, 'package.json'), '{"private":true}');
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', 'graphile-worker@0.16.6'];
  execFileSync('npm', words, { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] });
  return join(home, 'node_modules/graphile-worker');
}

function print(name: string, { perSecond, megabytes }: Figures, more?: string): void {
  const size = megabytes === 0 ? '' : `, at most ${megabytes.toFixed(0)} MB (budget ${MOST_MEGABYTES})`;
  console.log(`${name}: ${perSecond.toFixed(0)}/s${more === undefined ? '' : `, ${more}`}${size}`);
}
