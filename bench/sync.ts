import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { live } from './drill/life.js';
import { withSandbox } from './running-sandbox.js';
import { Service } from './sync/service.js';

const IN_FLIGHT = 16;
const budgetRatio = 0.5;
const budgetMb = 120;

/**
 * Prints what the records of a sync cost: documents a second on disk as a ratio to a bare loop over `node:http` that writes
 * the same files and keeps nothing, and the largest resident size. `sync [20000]`. Asserts nothing.
 */
async function bench(): Promise<void> {
  const documents = Number(process.argv[2] ?? 20_000);
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-bench-'));
  try {
    await withSandbox(folder, async ({ env }) => {
      const service = new Service(String(env['FISCAL_PRODUCT_URL']), String(env['FISCAL_INVOICE_KEY']));
      await service.control('seed', { documents, family: 'nfe', seed: 1 });
      const peak = join(folder, 'peak');
      const watched = { ...env, NODE_OPTIONS: `--require ${await observer(folder, peak)}` };
      const archive = join(folder, 'archive');
      const words = [
        'inbound',
        'sync',
        '--type',
        'nfe',
        '--concurrency',
        String(IN_FLIGHT),
        '--archive',
        archive,
      ];
      const begin = Date.now();
      const end = await live(watched, [...words, '-o', 'ndjson']);
      const ours = documents / ((Date.now() - begin) / 1000);
      if (end.exitCode !== 0) throw new Error(`the sync ended ${end.exitCode}: ${end.stderr}`);
      const listed = await live(env, ['inbound', 'list', '--local', '--all', '-o', 'id']);
      const bare = await bareLoop(listed.stdout.trim().split('\n'), env, join(folder, 'bare'));
      const megabytes = Number(await readFile(peak, 'utf8')) / 1024;
      console.log(
        `${documents} documents: ${ours.toFixed(0)} a second, bare loop ${bare.toFixed(0)}, ratio ${(ours / bare).toFixed(2)} (at least ${budgetRatio})`,
      );
      console.log(`at most ${megabytes.toFixed(0)} MB (budget ${budgetMb} MB)`);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the largest resident size when the program ends. */
async function observer(folder: string, peak: string): Promise<string> {
  const file = join(folder, 'observe.cjs');
  const write = `require('node:fs').writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS))`;
  await writeFile(file, `process.on('exit', () => ${write});\n`);
  return file;
}

/** Returns documents a second. */
async function bareLoop(keys: readonly string[], env: NodeJS.ProcessEnv, folder: string): Promise<number> {
  mkdirSync(folder);
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  const base = `${String(env['FISCAL_PRODUCT_URL'])}/v2/companies/${String(env['FISCAL_COMPANY'])}/inbound/nfe`;
  const headers = { authorization: String(env['FISCAL_INVOICE_KEY']) };
  const begin = Date.now();
  const rest = [...keys];
  const lane = async (): Promise<void> => {
    for (let key = rest.pop(); key !== undefined; key = rest.pop()) {
      const request = get(`${base}/${key}/xml`, { agent, headers });
      const [response] = await once(request, 'response');
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      await writeFile(join(folder, `${key}.xml`), Buffer.concat(chunks));
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  agent.destroy();
  return keys.length / ((Date.now() - begin) / 1000);
}

await bench();
