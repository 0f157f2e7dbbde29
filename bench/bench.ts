import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureManifestations } from './manifestations.js';
import { measureMemory } from './memory.js';
import { withSandbox } from './running-sandbox.js';
import { measureStarts, type Start } from './starts.js';
import { measureWebhooks } from './webhook.js';

/**
 * Prints what the program costs, as ratios measured in one run, so that the machine falls out of the figures.
 * `npm run bench` or `npm run bench -- 41` for more rounds. Asserts nothing.
 */
async function bench(): Promise<void> {
  const rounds = Number(process.argv[2] ?? 21);
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-bench-'));
  console.log(
    `Node ${process.versions.node}, ${cpus().length} cores, medians of ${rounds} interleaved rounds\n`,
  );
  try {
    await withSandbox(folder, async (sandbox) => {
      const fiscal = join(process.cwd(), 'bin/fiscal.js');
      const starts: readonly Start[] = [
        { name: 'node -e 0', words: ['-e', '0'], budget: 1 },
        { name: 'fiscal --version', words: [fiscal, '--version'], budget: 1.25 },
        {
          name: 'fiscal product create --help',
          words: [fiscal, 'product', 'create', '--help'],
          budget: 1.25,
        },
        {
          name: 'fiscal product get (a running sandbox)',
          words: [fiscal, 'product', 'get', sandbox.productId, '-o', 'json'],
          budget: 2.2,
        },
      ];
      await measureStarts(starts, rounds, sandbox.env);
      await measureMemory(folder, sandbox.env);
    });
    await measureManifestations(folder);
    await measureWebhooks(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await bench();
