import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { median } from './median.js';
import { observe } from './memory.js';
import { type LentSandbox, withSandbox } from './running-sandbox.js';
import { ByteLoop } from './sync/byte-loop.js';
import { Service } from './sync/service.js';
import { startTcpProxy } from '../test/support/tcp-proxy.js';

const IN_FLIGHT = 16;
const ROUNDS = 3;
/** How far away the service is, and what of the bare loop the sync should reach. */
const scenes = [
  { awayMs: 0, budget: 0.55 },
  { awayMs: 20, budget: 0.9 },
];
const budgetMb = 120;

/**
 * What the records of a sync cost: documents a second on disk as a ratio to a bare loop over `node:http` that writes the same
 * files and keeps nothing, and the largest resident size. Each document is asked for once before both, since the sandbox
 * signs it then; both take turns, and the medians count.
 */
export async function measureSync(folder: string, documents: number): Promise<void> {
  const own = await mkdtemp(join(folder, 'sync-'));
  const { before, within, month } = lastMonth();
  const measure = async ({ env }: LentSandbox): Promise<void> => {
    const service = new Service(String(env['FISCAL_PRODUCT_URL']), String(env['FISCAL_INVOICE_KEY']));
    await service.control('clock', { set: within.toISOString() });
    await service.control('seed', { documents, family: 'nfe', seed: 1 });
    await service.control('clock', { set: new Date().toISOString() });
    const keys = await service.keys(String(env['FISCAL_COMPANY']));
    const bytes = await new ByteLoop(env, IN_FLIGHT).read(keys);
    console.log(`\n${documents} documents of ${(bytes / documents / 1000).toFixed(1)} KB`);
    for (const { awayMs, budget } of scenes) {
      const { port } = new URL(service.url);
      const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(port) }, { delayMs: awayMs / 2 });
      const address = `http://127.0.0.1:${proxy.port}`;
      const away = { ...env, ...(awayMs > 0 && { FISCAL_PRODUCT_URL: address, FISCAL_SERVICE_URL: address }) };
      const rounds = { bare: [] as number[], ours: [] as number[], megabytes: [] as number[] };
      for (let round = 0; round < ROUNDS; round += 1) {
        const place = join(own, `${awayMs}-${round}`);
        await mkdir(place);
        rounds.bare.push(await new ByteLoop(away, IN_FLIGHT).write(keys, join(place, 'bare')));
        const { seconds, megabytes } = await observe(place, fresh(away, place), wordsFor(place));
        rounds.ours.push(documents / seconds);
        rounds.megabytes.push(megabytes);
      }
      await proxy.close();
      const [ours, bare] = [median(rounds.ours), median(rounds.bare)];
      console.log(
        `  ${awayMs} ms away: ${ours.toFixed(0)}/s, ${(ours / bare).toFixed(2)} of a bare node:http loop of ${bare.toFixed(0)}/s ` +
          `(budget ${budget}); at most ${Math.max(...rounds.megabytes).toFixed(0)} MB (budget ${budgetMb} MB)`,
      );
    }
    const last = join(own, `0-${ROUNDS - 1}`);
    for (const words of [['close', month, '--type', 'nfe'], ['verify']]) {
      const all = ['inbound', ...words, '--archive', join(last, 'archive'), '-o', 'ndjson'];
      const { seconds, megabytes } = await observe(last, fresh(env, last), all);
      console.log(
        `  inbound ${words[0]}: ${seconds.toFixed(1)} s, at most ${megabytes.toFixed(0)} MB (budget ${budgetMb} MB)`,
      );
    }
  };
  const behindSeconds = Math.round((Date.now() - before.getTime()) / 1000);
  await withSandbox(own, measure, [`--clock-offset=-${behindSeconds}s`]);
}

/** The last month that is over, a moment in its middle, and one before it, at which the capture is enabled. */
function lastMonth(): { readonly before: Date; readonly within: Date; readonly month: string } {
  const now = new Date();
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 20));
  const within = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 20));
  return { before, within, month: within.toISOString().slice(0, 7) };
}

function wordsFor(place: string): readonly string[] {
  const words = ['inbound', 'sync', '--type', 'nfe', '--concurrency', String(IN_FLIGHT)];
  return [...words, '--archive', join(place, 'archive'), '-o', 'ndjson'];
}

/** A state of its own: nothing is known of the documents. */
function fresh(env: NodeJS.ProcessEnv, place: string): NodeJS.ProcessEnv {
  return { ...env, XDG_STATE_HOME: join(place, 'state'), XDG_DATA_HOME: join(place, 'data') };
}
