import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withSandbox, type LentSandbox } from '../bench/running-sandbox.js';
import type * as Build from './build.js';

/**
 * How much code there is to read: files and lines of `src`, and how many of its files four commands load.
 * `npm run code-size`. Run it on two commits to compare them.
 */
async function main(): Promise<void> {
  const files = await sourceFiles();
  const lines = await Promise.all(files.map(async (file) => linesOf(await readFile(file, 'utf8'))));
  const sorted = lines.toSorted((a, b) => a - b);
  const total = lines.reduce((sum, count) => sum + count, 0);
  console.log(
    `src: ${files.length} files, ${total} lines, median ${sorted[Math.floor(sorted.length / 2)]} lines`,
  );
  for (const [folder, [count, sum]] of byFolder(files, lines)) {
    console.log(`  ${folder.padEnd(12)} ${String(count).padStart(4)} files ${String(sum).padStart(6)} lines`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-size-'));
  try {
    const modules = await modulesOfPieces(join(folder, 'dist'));
    await withSandbox(folder, async (sandbox) => {
      for (const words of await commandsIn(folder, sandbox)) {
        const loaded = await loadedBy(words, { folder, env: sandbox.env, modules });
        console.log(`fiscal ${words.slice(0, 2).join(' ')}: loads ${loaded.size} files of src`);
      }
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function sourceFiles(): Promise<readonly string[]> {
  const entries = await readdir('src', { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

function byFolder(
  files: readonly string[],
  lines: readonly number[],
): ReadonlyMap<string, readonly [number, number]> {
  const sums = new Map<string, readonly [number, number]>();
  for (const [index, file] of files.entries()) {
    const folder = file.split(/[\\/]/)[1] ?? '';
    const [count, sum] = sums.get(folder) ?? [0, 0];
    sums.set(folder, [count + 1, sum + (lines[index] ?? 0)]);
  }
  return new Map([...sums].toSorted());
}

/** The sources in each piece of the built program; built once more, because only the build knows them. */
async function modulesOfPieces(outdir: string): Promise<ReadonlyMap<string, readonly string[]>> {
  // Loaded from its own place: it finds the sources from there.
  const build = pathToFileURL(join(process.cwd(), 'scripts/build.js')).href;
  const { bundle } = (await import(build)) as typeof Build;
  const { outputs } = await bundle({ outdir });
  const pieces = Object.entries(outputs).map(
    ([path, { inputs }]) =>
      [basename(path), Object.keys(inputs).filter((input) => input.startsWith('src/'))] as const,
  );
  return new Map(pieces);
}

async function commandsIn(folder: string, { env, productId }: LentSandbox): Promise<readonly string[][]> {
  const events = join(folder, 'events.csv');
  const seed = [
    process.execPath,
    'bin/fiscal.js',
    'sandbox',
    'seed',
    '--documents',
    '3',
    '-o',
    'id',
  ] as const;
  const { stdout } = spawnSync(seed[0], seed.slice(1), { env, encoding: 'utf8' });
  await writeFile(events, `accessKey,event\n${stdout.trim().split('\n')[0] ?? ''},awareness\n`);
  const product = ['--sku', 'SIZE', '--description', 'To be counted', '--origin', 'National'];
  return [
    ['product', 'get', productId],
    ['product', 'create', ...product, '--wait'],
    ['manifestation', 'apply', events, '--yes'],
    ['inbound', 'sync', '--type', 'nfe', '--archive', join(folder, 'archive')],
  ];
}

interface Run {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly modules: ReadonlyMap<string, readonly string[]>;
}

async function loadedBy(
  words: readonly string[],
  { folder, env, modules }: Run,
): Promise<ReadonlySet<string>> {
  const list = join(folder, 'loaded.json');
  const observer = join(folder, 'observe.cjs');
  const write = `require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache)))`;
  await writeFile(observer, `process.on('exit', () => ${write});\n`);
  const all = ['--require', observer, 'bin/fiscal.js', ...words];
  const { status, stderr } = spawnSync(process.execPath, all, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`fiscal ${words.join(' ')} exited ${status}: ${stderr}`);
  const pieces = JSON.parse(await readFile(list, 'utf8')) as readonly string[]; // written above
  return new Set(pieces.flatMap((piece) => modules.get(basename(piece)) ?? []));
}

await main();
