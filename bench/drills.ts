import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Each with the words of a run of a minute or two. */
const drills = {
  model: { file: 'bench/drill-model.ts', first: [], quick: ['2000'] },
  manifestations: { file: 'bench/drill-unkind.ts', first: ['manifestations'], quick: ['200', '26'] },
  products: { file: 'bench/drill-unkind.ts', first: ['products'], quick: ['200', '26'] },
  invoices: { file: 'bench/drill-unkind.ts', first: ['invoices'], quick: ['100', '26'] },
  'one-machine': { file: 'bench/drill.ts', first: [], quick: [] },
  sync: { file: 'bench/drill-sync.ts', first: [], quick: ['300', '2', '26'] },
  'archive-s3': { file: 'bench/drill-archive-s3.ts', first: [], quick: ['300', '3', '8'] },
  naive: { file: 'bench/drill-naive.ts', first: [], quick: ['300', '20'] },
  webhook: { file: 'bench/drill-webhook.ts', first: [], quick: ['2000', '200', '10'] },
  listen: { file: 'bench/drill-listen.ts', first: [], quick: ['2000', '200', '9', '3'] },
  'slow-connections': { file: 'bench/drill-slow-connections.ts', first: [], quick: ['2000', '20'] },
  fleet: { file: 'bench/drill-fleet.ts', first: [], quick: ['400', '100', '60', '8', '2', '4'] },
  clients: { file: 'bench/drill-clients.ts', first: [], quick: ['60', '8'] },
  backfill: { file: 'bench/drill-backfill.ts', first: [], quick: ['1200', '24', '26', '2', '1', '12', '4'] },
} as const;

/**
 * `npm run drill`: every drill in turn, small; `npm run drill -- backfill [words]`: that one, as large as its words say, else whole.
 * Ends 1 when one found something wrong.
 */
async function run(): Promise<void> {
  const [name, ...words] = process.argv.slice(2);
  const chosen = Object.entries(drills).find(([known]) => known === name)?.[1];
  if (chosen !== undefined) return await one(chosen.file, [...chosen.first, ...words]);
  if (name !== undefined) throw new Error(`name one of ${Object.keys(drills).join(', ')}`);
  for (const { file, first, quick } of Object.values(drills)) await one(file, [...first, ...quick]);
}

async function one(file: string, words: readonly string[]): Promise<void> {
  console.log(`${file} ${words.join(' ')}`);
  const child = spawn(process.execPath, ['scripts/run-typescript.js', file, ...words], { stdio: 'inherit' });
  const [exitCode] = await once(child, 'close');
  if (exitCode !== 0) process.exitCode = 1;
}

await run();
