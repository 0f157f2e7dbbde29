import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { accessKey } from './drill/access-keys.js';
import { clearFaults, ledger } from './drill/ledger.js';
import { chance, live } from './drill/life.js';
import { addUnkindFaults, CALM_MS, rowsOf, shiftedLife, unkindService } from './drill/unkind.js';
import { withSandbox } from './running-sandbox.js';

const FAULTY = 0.2;
/** Their status says success, but not which thing it is. */
const spoiled: ReadonlySet<string> = new Set(['cut-body', 'broken-json', 'empty-body']);
const SETTLE = '4s';
const MOST_LIVES = 300;

const drills = {
  /** Both machines send all of them: the service refuses a second one while the first is alive. */
  manifestations: {
    operations: ['nfe.manifestation.submit', 'nfe.manifestation.get'],
    created: 'nfe-manifestation',
    header: 'accessKey,event',
    row: (index: number) => `${accessKey(index)},210210`,
    nameOf: (effect: Effect) => String(effect['accessKey']),
    words: ['manifestation', 'import', '--company-unchecked'],
    isShared: true,
  },
  /** Each machine sends its own: nothing at the service tells two stores of each other. */
  products: {
    operations: ['product.create', 'product.get'],
    created: 'product',
    header: 'sku,description,origin',
    row: (index: number) => `SKU-${index},Product ${index},National`,
    nameOf: (effect: Effect) => String(effect['sku']),
    words: ['product', 'import'],
    isShared: false,
  },
} as const;

type Effect = Readonly<Record<string, unknown>>;
type Drill = (typeof drills)[keyof typeof drills];

interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly words: readonly string[];
}

/**
 * `drill-unkind manifestations|products [items kills seed]`: two machines with their own stores import under every fault, with
 * reads that lag and effects that come late; they are killed with SIGKILL at random moments, and each life has another wall
 * clock. Ends 0 only if nothing is there twice, nothing is lost, and no item claims what is not so.
 */
async function run(): Promise<void> {
  const [name = '', ...sizes] = process.argv.slice(2);
  const drill: Drill | undefined = Object.entries(drills).find(([known]) => known === name)?.[1];
  if (drill === undefined) throw new Error(`name one of ${Object.keys(drills).join(', ')}`);
  const [items = 300, kills = 30, seed = 1] = sizes.map(Number);
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-drill-'));
  const work = async ({ env }: { readonly env: NodeJS.ProcessEnv }): Promise<void> => {
    const url = String(env['FISCAL_PRODUCT_URL']);
    const machines = await Promise.all([0, 1].map((nth) => machineOf(drill, { folder, env, items, nth })));
    await addUnkindFaults(url, drill.operations, FAULTY);
    const lives = await killAll(machines, { url, kills, seed });
    console.log(`${items} ${name}, ${kills} kills in ${lives} lives on two machines`);
    await report(drill, { machines, url, items });
  };
  try {
    await withSandbox(folder, work, unkindService);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly items: number;
  readonly nth: number;
}

async function machineOf(drill: Drill, { folder, env, items, nth }: Place): Promise<Machine> {
  const state = join(folder, `machine-${nth}`);
  await mkdir(state);
  const all = Array.from({ length: items }, (_, index) => index);
  const own = drill.isShared ? all : all.filter((index) => index % 2 === nth);
  const file = join(state, 'input.csv');
  await writeFile(file, `${[drill.header, ...own.map(drill.row)].join('\n')}\n`);
  const words = [...drill.words, file, '--wait', '--yes', '--concurrency', '4', '-o', 'ndjson'];
  return { env: { ...env, XDG_STATE_HOME: state }, words: [...words, '--settle-time', SETTLE] };
}

/** Both machines at once, each until its command ends by itself after the last kill. */
async function killAll(
  machines: readonly Machine[],
  { url, kills, seed }: { readonly url: string; readonly kills: number; readonly seed: number },
): Promise<number> {
  const next = chance(seed);
  let lives = 0;
  let killed = 0;
  while (killed < kills && lives < MOST_LIVES) {
    const ends = await Promise.all(
      machines.map(({ env, words }) => shiftedLife(env, words, { nth: lives, kill: 700 + next() * 900 })),
    );
    lives += ends.length;
    killed += ends.filter(({ wasKilled }) => wasKilled).length;
    if (ends.every(({ wasKilled }) => !wasKilled)) break;
  }
  await clearFaults(url);
  // What is late comes first: then every claim can be compared with what is.
  await pause(CALM_MS);
  const last = await Promise.all(machines.map(({ env, words }) => live(env, words)));
  for (const { exitCode, stderr } of last) {
    if (exitCode !== 0 && exitCode !== 3) console.log(`ended with ${exitCode}: ${stderr.slice(-400)}`);
  }
  return lives + last.length;
}

interface Scene {
  readonly machines: readonly Machine[];
  readonly url: string;
  readonly items: number;
}

async function report(drill: Drill, { machines, url, items }: Scene): Promise<void> {
  const effects = new Map<string, number>();
  let hidden = 0;
  for await (const { effect, operation, status, fault } of ledger(url)) {
    const isSend = operation === drill.operations[0] && fault !== null && fault !== '429' && fault !== 'slow';
    if (isSend && (status === null || status >= 500 || spoiled.has(fault))) hidden += 1;
    if (effect?.['created'] !== drill.created || String(effect['sku']) === 'BENCH') continue;
    const name = drill.nameOf(effect);
    effects.set(name, (effects.get(name) ?? 0) + 1);
  }
  const doubled = [...effects.values()].filter((count) => count > 1).length;
  const states = new Map<string, number>();
  const claimed = new Set<string>();
  let falselyDone = 0;
  let falselyFailed = 0;
  let uncertainThere = 0;
  for (const { env } of machines) {
    for (const { state, label } of await itemsOf(env)) {
      states.set(state, (states.get(state) ?? 0) + 1);
      // The label of an event begins with its access key.
      const isThere = effects.has(label.split(' ')[0] ?? label);
      claimed.add(label);
      if ((state === 'succeeded' || state === 'skipped') && !isThere) falselyDone += 1;
      if (state === 'failed' && isThere && !drill.isShared) falselyFailed += 1;
      if (state === 'uncertain' && isThere) uncertainThere += 1;
    }
  }
  const lost = items - claimed.size;
  console.log([...states].map(([state, count]) => `${state} ${count}`).join(', '));
  console.log(`in effect ${effects.size}, doubled ${doubled}, lost ${lost}`);
  console.log(`falsely done ${falselyDone}, falsely failed ${falselyFailed}`);
  const uncertain = states.get('uncertain') ?? 0;
  console.log(`uncertain ${uncertain}, of which ${uncertainThere} are there`);
  console.log(`sends whose outcome a fault hid: ${hidden}; those that a kill cut off come on top`);
  const open = ['prepared', 'sending', 'pending'].filter((state) => states.has(state));
  if (doubled + lost + falselyDone + falselyFailed + open.length > 0) process.exitCode = 1;
}

interface Item {
  readonly state: string;
  readonly label: string;
}

async function itemsOf(env: NodeJS.ProcessEnv): Promise<readonly Item[]> {
  const jobs = await rowsOf(env, ['job', 'list', '--all']);
  const lists = await Promise.all(jobs.map((job) => rowsOf(env, ['job', 'items', String(job['id'])])));
  return lists.flat().map(({ state, label }) => ({ state: String(state), label: String(label) }));
}

await run();
