import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureFleet } from './fleet.js';
import { measureHostileTables } from './hostile-table.js';
import { measureManifestations } from './manifestations.js';
import { measureMemory } from './memory.js';
import { measureSheets } from './sheets.js';
import { withSandbox } from './running-sandbox.js';
import { measureSharedPace } from './shared-pace.js';
import { measureSearch } from './sync-search.js';
import { measureStatus } from './status.js';
import { measureStoreCost } from './store-cost.js';
import { measureSync } from './sync.js';
import { measureStarts, type Start } from './starts.js';
import { measureTables } from './tables.js';
import { measureWebhooks } from './webhook.js';

/** What the parts measure when nothing is said. The figures of the issues are for 20000 documents and 1000000 rows. */
const sizes = {
  starts: 21,
  sync: 5_000,
  search: 100_000,
  status: 100_000,
  sheets: 100_000,
  tables: 100_000,
  fleet: 1_000,
  pace: 3_000,
};

/**
 * Prints what the program costs, as ratios measured in one run, so that the machine falls out of the figures. Asserts nothing.
 * `npm run bench`; `npm run bench -- 41` for more rounds of the starts; `npm run bench -- starts 41`, `-- manifestations`,
 * `-- sync 20000`, `-- sheets 100000`, `-- tables 1000000`, `-- search 1000000`, `-- status 1000000`, `-- fleet 3000`, `-- pace 3000`, `-- store-cost` or `-- table` for one part, in another size.
 */
async function bench(): Promise<void> {
  const [first = '', second] = process.argv.slice(2);
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-bench-'));
  console.log(`Node ${process.versions.node}, ${cpus().length} cores`);
  try {
    if (first === 'starts') return await measureStartsAndMemory(folder, Number(second ?? sizes.starts));
    if (first === 'manifestations') return await measureManifestations(folder);
    if (first === 'sync') return await measureSync(folder, Number(second ?? sizes.sync));
    if (first === 'fleet') return await measureFleet(folder, Number(second ?? sizes.fleet));
    if (first === 'pace') return await measureSharedPace(folder, Number(second ?? sizes.pace));
    if (first === 'tables') return await measureTables(folder, Number(second ?? sizes.tables));
    if (first === 'store-cost') return await measureStoreCost(folder);
    if (first === 'table') return measureHostileTables();
    if (first === 'sheets')
      return await withSandbox(folder, ({ env }) => measureSheets(folder, env, Number(second ?? sizes.sheets)));
    if (first === 'status') return await measureStatus(folder, Number(second ?? sizes.status));
    if (first === 'search') return await measureSearch(folder, Number(second ?? sizes.search));
    await measureStartsAndMemory(folder, Number(first === '' ? sizes.starts : first));
    await measureManifestations(folder);
    await measureSync(folder, sizes.sync);
    await measureSearch(folder, sizes.search);
    await measureStatus(folder, sizes.status);
    measureHostileTables();
    await withSandbox(folder, ({ env }) => measureSheets(folder, env, sizes.sheets));
    await measureTables(folder, sizes.tables);
    await measureWebhooks(folder);
    await measureFleet(folder, sizes.fleet);
    await measureSharedPace(folder, sizes.pace);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureStartsAndMemory(folder: string, rounds: number): Promise<void> {
  console.log(`medians of ${rounds} interleaved rounds\n`);
  await withSandbox(folder, async (sandbox) => {
    const fiscal = join(process.cwd(), 'bin/fiscal.js');
    const starts: readonly Start[] = [
      { name: 'node -e 0', words: ['-e', '0'], budget: 1 },
      { name: 'fiscal --version', words: [fiscal, '--version'], budget: 1.25 },
      { name: 'fiscal product create --help', words: [fiscal, 'product', 'create', '--help'], budget: 1.35 },
      {
        name: 'fiscal product get (a running sandbox)',
        words: [fiscal, 'product', 'get', sandbox.productId, '-o', 'json'],
        budget: 3,
      },
    ];
    await measureStarts(starts, rounds, sandbox.env);
    await measureMemory(folder, sandbox.env);
  });
}

await bench();
