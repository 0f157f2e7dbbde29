import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bareLoop } from './bare-loop.js';
import { accessKey } from './drill/access-keys.js';
import { ledger } from './drill/ledger.js';
import { observe, type Observed } from './memory.js';
import { median } from './median.js';
import { withSandbox } from './running-sandbox.js';

const CONCURRENCY = 16;
const SOME = 5_000;
const MANY = 50_000;
const LIMITED = 3_000;
const RATE = 50;
const ROUNDS = 3;

/** Items per second against a loop that keeps nothing, each in a sandbox of its own, memory as the job grows, and what is made of a rate limit. */
export async function measureManifestations(folder: string): Promise<void> {
  const rounds: { readonly bare: number; readonly fiscal: Observed }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await inFreshSandbox(folder, (_own, env) => bareLoop(env, keysOf(SOME, 0), CONCURRENCY));
    rounds.push({ bare, fiscal: await inFreshSandbox(folder, (own, env) => importEvents(own, env, SOME)) });
  }
  const ratio = median(rounds.map(({ bare, fiscal }) => bare / fiscal.seconds));
  const seconds = median(rounds.map(({ fiscal }) => fiscal.seconds));
  const megabytes = Math.max(...rounds.map(({ fiscal }) => fiscal.megabytes));
  console.log(
    `\n${SOME} manifestations to their end, ${CONCURRENCY} at once: ${perSecond(SOME, seconds)}/s, ` +
      `${ratio.toFixed(2)} of a bare got loop (budget 0.75)`,
  );
  const many = await inFreshSandbox(folder, (own, env) => importEvents(own, env, MANY));
  const growth = many.megabytes - megabytes;
  console.log(
    `${MANY}: ${perSecond(MANY, many.seconds)}/s; memory ${megabytes.toFixed(0)} → ${many.megabytes.toFixed(0)} MB, ` +
      `${growth.toFixed(0)} MB more (budget 30 MB)`,
  );
  await measureLimit(folder);
}

async function measureLimit(folder: string): Promise<void> {
  const limited = async (own: string, env: NodeJS.ProcessEnv): Promise<string> => {
    const { seconds } = await importEvents(own, env, LIMITED);
    let accepted = 0;
    let refused = 0;
    for await (const { status } of ledger(String(env['FISCAL_PRODUCT_URL']))) {
      if (status === 429) refused += 1;
      else accepted += 1;
    }
    const used = accepted / (seconds * RATE);
    const share = refused / (accepted + refused);
    return (
      `a limit of ${RATE} requests/s: ${(used * 100).toFixed(1)} % used (budget 95), ` +
      `${(share * 100).toFixed(2)} % answered 429 (budget 1), ${accepted} requests in ${seconds.toFixed(0)} s`
    );
  };
  console.log(await inFreshSandbox(folder, limited, ['--rate', String(RATE)]));
}

async function inFreshSandbox<Result>(
  folder: string,
  use: (own: string, env: NodeJS.ProcessEnv) => Promise<Result>,
  options: readonly string[] = [],
): Promise<Result> {
  const own = await mkdtemp(join(folder, 'manifestations-'));
  const results: Result[] = [];
  await withSandbox(own, async ({ env }) => void results.push(await use(own, env)), options);
  const [result] = results;
  if (result === undefined) throw new Error('the sandbox gave no result');
  return result;
}

/** Manifestations to their end, `concurrency` at once; `own` is the folder of this run. */
export async function importEvents(
  own: string,
  env: NodeJS.ProcessEnv,
  count: number,
  concurrency = CONCURRENCY,
): Promise<Observed> {
  const file = join(own, 'events.csv');
  await writeFile(
    file,
    `accessKey,event\n${keysOf(count, 0)
      .map((key) => `${key},210210`)
      .join('\n')}\n`,
  );
  // The loop that it is compared with asks for no proof of the company either.
  const words = [
    ...['manifestation', 'apply', file, '--company-unchecked', '--wait', '--timeout', '1h', '--yes'],
    ...['-o', 'ndjson'],
  ];
  return await observe(own, env, [...words, '--concurrency', String(concurrency)]);
}

function keysOf(count: number, from: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => accessKey(from + index));
}

function perSecond(count: number, seconds: number): string {
  return (count / seconds).toFixed(0);
}
