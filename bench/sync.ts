import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { observe } from './memory.js';
import { withSandbox } from './running-sandbox.js';
import { ByteLoop } from './sync/byte-loop.js';
import { Service } from './sync/service.js';

const IN_FLIGHT = 16;
const ROUNDS = 3;
const budgetRatio = 0.5;
const budgetMb = 120;

/**
 * What the records of a sync cost: documents a second on disk as a ratio to a bare loop over `node:http` that writes the same
 * files and keeps nothing, and the largest resident size. Each document is asked for once before both, since the sandbox
 * signs it then; both take turns, and the medians count.
 */
export async function measureSync(folder: string, documents: number): Promise<void> {
  const own = await mkdtemp(join(folder, 'sync-'));
  await withSandbox(own, async ({ env }) => {
    const service = new Service(String(env['FISCAL_PRODUCT_URL']), String(env['FISCAL_INVOICE_KEY']));
    await service.control('seed', { documents, family: 'nfe', seed: 1 });
    const keys = await service.keys(String(env['FISCAL_COMPANY']));
    const loop = new ByteLoop(env, IN_FLIGHT);
    const bytes = await loop.read(keys);
    const rounds = { bare: [] as number[], ours: [] as number[], megabytes: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const place = join(own, `round-${round}`);
      await mkdir(place);
      rounds.bare.push(await loop.write(keys, join(place, 'bare')));
      const { seconds, megabytes } = await observe(place, fresh(env, place), wordsFor(place));
      rounds.ours.push(documents / seconds);
      rounds.megabytes.push(megabytes);
    }
    const [ours, bare] = [median(rounds.ours), median(rounds.bare)];
    console.log(
      `\n${documents} documents of ${(bytes / documents / 1000).toFixed(1)} KB: ${ours.toFixed(0)}/s, ` +
        `${(ours / bare).toFixed(2)} of a bare node:http loop of ${bare.toFixed(0)}/s (budget ${budgetRatio}); ` +
        `at most ${Math.max(...rounds.megabytes).toFixed(0)} MB (budget ${budgetMb} MB)`,
    );
    const last = join(own, `round-${ROUNDS - 1}`);
    for (const words of [['close', thisMonth(), '--type', 'nfe'], ['verify']]) {
      const all = ['inbound', ...words, '--archive', join(last, 'archive'), '-o', 'ndjson'];
      const { seconds, megabytes } = await observe(last, fresh(env, last), all);
      console.log(
        `  inbound ${words[0]}: ${seconds.toFixed(1)} s, at most ${megabytes.toFixed(0)} MB (budget ${budgetMb} MB)`,
      );
    }
  });
}

/** The month of Brasília in which the sandbox issued its documents, or most of them. */
function thisMonth(): string {
  return new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 7);
}

function wordsFor(place: string): readonly string[] {
  const words = ['inbound', 'sync', '--type', 'nfe', '--concurrency', String(IN_FLIGHT)];
  return [...words, '--archive', join(place, 'archive'), '-o', 'ndjson'];
}

/** A state of its own: nothing is known of the documents. */
function fresh(env: NodeJS.ProcessEnv, place: string): NodeJS.ProcessEnv {
  return { ...env, XDG_STATE_HOME: join(place, 'state'), XDG_DATA_HOME: join(place, 'data') };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
