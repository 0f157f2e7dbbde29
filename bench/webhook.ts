import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { look } from '../scripts/quickstart/look.js';
import { environmentIn } from './running-sandbox.js';
import { sendEvents } from './webhook-load.js';

const rounds = 5;
const eventsARound = 5_000;
const budget = 0.3;
const memoryAt = [10_000, 100_000] as const;
const secret = '0123456789abcdef0123456789abcdef';

/** A server that answers and keeps nothing: what a round trip costs at all. */
const bareServer = `require('node:http').createServer((request, response) => {
  request.on('data', () => {});
  request.on('end', () => { response.setHeader('content-length', 0); response.end(); });
}).listen(0, '127.0.0.1', function () { console.log(JSON.stringify({ url: 'http://127.0.0.1:' + this.address().port + '/' })); });`;

/** Events acknowledged in a second, each of them on the disk by then, against a server that keeps nothing. */
export async function measureWebhooks(folder: string): Promise<void> {
  const bare = await begin(spawn(process.execPath, ['-e', bareServer], { stdio: [...pipes] }));
  const listener = await startListener(join(folder, 'webhook-rate'));
  const ratios: number[] = [];
  let kept = 0;
  let sent = 0;
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const load = { secret, from: sent, count: eventsARound };
      const without = await sendEvents({ ...load, port: bare.port });
      const withStore = await sendEvents({ ...load, port: listener.port });
      sent += eventsARound;
      // The first round warms both up.
      if (round > 0) ratios.push(withStore / without);
      kept = withStore;
    }
  } finally {
    await end(bare.child);
    await end(listener.child);
  }
  const ratio = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0;
  console.log(
    `\nfiscal webhook listen: ${ratio.toFixed(2)} of a bare node:http server (budget ${budget}), ${kept.toFixed(0)} events/s in the last round`,
  );
  for (const count of memoryAt) await measurePeak(folder, count);
}

async function measurePeak(folder: string, count: number): Promise<void> {
  const listener = await startListener(join(folder, `webhook-${count}`));
  try {
    for (let from = 0; from < count; from += eventsARound) {
      await sendEvents({ port: listener.port, secret, from, count: eventsARound });
    }
  } finally {
    await end(listener.child);
  }
  const megabytes = Number(await readFile(listener.peak, 'utf8')) / 1024;
  console.log(`fiscal webhook listen of ${count} events: at most ${megabytes.toFixed(0)} MB`);
}

const pipes = ['ignore', 'pipe', 'inherit'] as const;

interface Running {
  readonly child: ChildProcess;
  readonly port: number;
}

async function startListener(folder: string): Promise<Running & { readonly peak: string }> {
  await mkdir(folder, { recursive: true });
  const peak = join(folder, 'peak');
  const observer = join(folder, 'observe.cjs');
  await writeFile(join(folder, 'secret'), secret);
  await writeFile(
    observer,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));\n`,
  );
  const fiscal = join(process.cwd(), 'bin/fiscal.js');
  const words = ['webhook', 'listen', '--secret-file', join(folder, 'secret'), '-o', 'ndjson', '--quiet'];
  const env = environmentIn(folder);
  const child = spawn(process.execPath, ['--require', observer, fiscal, ...words], { env, stdio: [...pipes] });
  return { ...(await begin(child)), peak };
}

/** Reads the line that tells the address; what follows is read and forgotten. */
async function begin(child: ReturnType<typeof spawn>): Promise<Running> {
  if (child.stdout === null) throw new Error('no output to read');
  const lines = createInterface(child.stdout);
  const [line] = await once(lines, 'line');
  lines.close();
  child.stdout.resume();
  return { child, port: Number(new URL(String(look(JSON.parse(String(line)), 'url'))).port) };
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'close');
}
