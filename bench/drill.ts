import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessKey } from './drill/access-keys.js';
import { addFault, ledger } from './drill/ledger.js';
import { chance, live } from './drill/life.js';
import { Settled } from './drill/settled.js';
import { withSandbox } from './running-sandbox.js';

const ITEMS = 500;
const KILLS = 50;
/** Share of the requests that meet a fault, spread evenly over the kinds. */
const FAULTY = 0.1;
const KINDS = ['429', '503', '500', '500-after', 'slow', 'cut-before', 'cut-after', 'cut-body', 'broken-json'];
const MOST_LIVES = 200;

/**
 * `npm run drill [seed]`: manifestations under faults, the program killed with SIGKILL at random moments and started
 * again by the same words. Ends 0 only if every item is settled, none took effect twice, and no settled one was called.
 */
async function drill(): Promise<void> {
  const seed = Number(process.argv[2] ?? 1);
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-drill-'));
  try {
    await withSandbox(folder, async ({ env }) => {
      const file = join(folder, 'events.csv');
      const rows = Array.from({ length: ITEMS }, (_, index) => `${accessKey(index)},210210`);
      await writeFile(file, `accessKey,event\n${rows.join('\n')}\n`);
      const url = String(env['FISCAL_PRODUCT_URL']);
      for (const kind of KINDS) {
        const operations = ['nfe.manifestation.submit', 'nfe.manifestation.get'];
        for (const operation of operations) {
          await addFault(url, { kind, operation, rate: FAULTY / KINDS.length, ...detailsOf(kind) });
        }
      }
      await killAndCount({ env, url, file, seed });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function detailsOf(kind: string): Readonly<Record<string, unknown>> {
  if (kind === '429') return { retryAfter: 1 };
  return kind === 'slow' ? { delayMs: 300 } : {};
}

interface Scene {
  readonly env: NodeJS.ProcessEnv;
  readonly url: string;
  readonly file: string;
  readonly seed: number;
}

async function killAndCount({ env, url, file, seed }: Scene): Promise<void> {
  // Nothing has captured these notes: the drill is about what is sent.
  const words = [
    ...['manifestation', 'apply', file, '--company-unchecked', '--wait', '--yes'],
    ...['--concurrency', '4', '-o', 'ndjson'],
  ];
  const settled = new Settled(env, url);
  const next = chance(seed);
  let lives = 0;
  let kills = 0;
  let exitCode: number | null = null;
  while (lives < MOST_LIVES && exitCode !== 0) {
    lives += 1;
    const end = await live(env, words, kills < KILLS ? 150 + next() * 350 : undefined);
    if (end.wasKilled) kills += 1;
    exitCode = end.exitCode;
    await settled.look();
  }
  await report({ lives, kills, exitCode, settled: settled.count, later: await settled.laterCalls() }, url);
}

interface Counted {
  readonly lives: number;
  readonly kills: number;
  readonly exitCode: number | null;
  readonly settled: number;
  readonly later: number;
}

async function report(counted: Counted, url: string): Promise<void> {
  const effects = new Map<string, number>();
  const faults = new Map<string, number>();
  let requests = 0;
  for await (const { effect, fault } of ledger(url)) {
    requests += 1;
    if (fault !== null) faults.set(fault, (faults.get(fault) ?? 0) + 1);
    if (effect?.['created'] !== 'nfe-manifestation') continue;
    const triple = `${effect['accessKey']} ${effect['eventCode']} ${effect['nSequencia']}`;
    effects.set(triple, (effects.get(triple) ?? 0) + 1);
  }
  const twice = [...effects.values()].filter((count) => count > 1).length;
  const struck = [...faults].map(([kind, count]) => `${kind} ${count}`).join(', ');
  console.log(`${ITEMS} manifestations, ${counted.kills} kills in ${counted.lives} lives, ${requests} requests`);
  console.log(`faults: ${struck}`);
  console.log(`settled ${counted.settled}, in effect ${effects.size}, twice ${twice}`);
  console.log(`calls for an item that was settled already: ${counted.later}`);
  const isRight =
    counted.exitCode === 0 && counted.settled === ITEMS && effects.size === ITEMS && twice === 0 && counted.later === 0;
  if (!isRight) process.exitCode = 1;
}

await drill();
