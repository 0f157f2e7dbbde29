import { spawn } from 'node:child_process';
import { createWriteStream, openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';

const rows = 100_000;
const budgetMb = 120;

/** The largest resident size of a dry import of many products. */
export async function measureMemory(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const input = join(folder, 'products.csv');
  await writeProducts(input);
  const words = ['product', 'apply', '--create-only', input, '--dry-run', '-o', 'ndjson'];
  const { megabytes, seconds } = await observe(folder, env, words);
  console.log(
    `\nfiscal product apply --create-only --dry-run of ${rows} rows: at most ${megabytes.toFixed(0)} MB (budget ${budgetMb} MB), ${seconds.toFixed(1)} s`,
  );
}

export interface Observed {
  /** The largest resident size. */
  readonly megabytes: number;
  readonly seconds: number;
}

/** One run of the program, which must end 0. `stdin`: a file. */
export async function observe(
  folder: string,
  env: NodeJS.ProcessEnv,
  words: readonly string[],
  stdin?: string,
): Promise<Observed> {
  const peak = join(folder, 'peak');
  const observer = join(folder, 'observe.cjs');
  await writeFile(
    observer,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));\n`,
  );
  const fiscal = join(process.cwd(), 'bin/fiscal.js');
  const begin = Date.now();
  const child = spawn(process.execPath, ['--require', observer, fiscal, ...words], {
    env,
    stdio: [stdin === undefined ? 'ignore' : openSync(stdin, 'r'), 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`fiscal ${words.join(' ')} ended ${status}: ${stderr}`);
  const seconds = (Date.now() - begin) / 1000;
  return { megabytes: Number(await readFile(peak, 'utf8')) / 1024, seconds };
}

async function writeProducts(file: string): Promise<void> {
  const stream = createWriteStream(file);
  stream.write('sku,description,origin,tax.ncm\n');
  for (let row = 1; row <= rows; row += 1) {
    const accepted = stream.write(`SKU-${row},Product number ${row},National,09012100\n`);
    if (!accepted) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}
