import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { withSandbox, type LentSandbox } from '../bench/running-sandbox.js';
import type * as Build from './build.js';

/**
 * How much code there is to read: files and lines of `src` and `test`, and how many of its files five commands load, and how many
 * files and functions they execute. `npm run code-size`. Run it on two commits to compare them.
 */
async function main(): Promise<void> {
  const files = await sourceFiles('src');
  const lines = await linesOfAll(files);
  const sorted = lines.toSorted((a, b) => a - b);
  console.log(
    `src: ${files.length} files, ${sumOf(lines)} lines, median ${sorted[Math.floor(sorted.length / 2)]} lines`,
  );
  for (const [folder, [count, sum]] of byFolder(files, lines)) {
    console.log(`  ${folder.padEnd(12)} ${String(count).padStart(4)} files ${String(sum).padStart(6)} lines`);
  }
  const tests = await sourceFiles('test');
  console.log(`test: ${tests.length} files, ${sumOf(await linesOfAll(tests))} lines`);
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-size-'));
  // Beside the packages, so that what is not bundled finds them.
  const plain = join(process.cwd(), `node_modules/.cache/fiscal-plain-${process.pid}`);
  try {
    const modules = await modulesOfPieces(join(folder, 'dist'));
    await buildPlain(files, plain);
    await withSandbox(folder, async (sandbox) => {
      const world = { folder, sandbox, keys: seededKeys(sandbox) };
      const { env } = sandbox;
      const executed: string[] = [];
      for (const words of await commandsFor('executed', world)) {
        const { functions, files: ran } = await executedBy(words, { folder, env, plain });
        executed.push(`executes ${functions} functions in ${ran} files`);
      }
      for (const [index, words] of (await commandsFor('loaded', world)).entries()) {
        const loaded = await loadedBy(words, { folder, env, modules });
        const name = words.slice(0, 2).join(' ');
        console.log(`fiscal ${name}: ${executed[index] ?? ''}; loads ${loaded.size} files of src`);
      }
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(plain, { recursive: true, force: true });
  }
}

async function sourceFiles(folder: 'src' | 'test'): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

async function linesOfAll(files: readonly string[]): Promise<readonly number[]> {
  return await Promise.all(files.map(async (file) => linesOf(await readFile(file, 'utf8'))));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, count) => sum + count, 0);
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

function byFolder(files: readonly string[], lines: readonly number[]): ReadonlyMap<string, readonly [number, number]> {
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
    ([path, { inputs }]) => [basename(path), Object.keys(inputs).filter((input) => input.startsWith('src/'))] as const,
  );
  return new Map(pieces);
}

type Purpose = 'executed' | 'loaded';

/** A command that writes is measured twice, each time with an input of its own: the same one would find its job. */
async function commandsFor(
  purpose: Purpose,
  { folder, sandbox, keys }: { folder: string; sandbox: LentSandbox; keys: readonly string[] },
): Promise<readonly string[][]> {
  const events = join(folder, `${purpose}.csv`);
  await writeFile(events, `accessKey,event\n${keys[purpose === 'executed' ? 0 : 1] ?? ''},awareness\n`);
  const product = ['--sku', purpose, '--description', 'To be counted', '--origin', 'National'];
  const archive = ['--archive', join(folder, 'archive')];
  const month = new Date().toISOString().slice(0, 7);
  return [
    ['product', 'get', sandbox.productId],
    ['product', 'create', ...product, '--wait'],
    ['manifestation', 'apply', events, '--yes'],
    ['inbound', 'sync', '--type', 'nfe', ...archive],
    ['inbound', 'close', month, '--type', 'nfe', ...archive],
  ];
}

function seededKeys({ env }: LentSandbox): readonly string[] {
  const words = ['bin/fiscal.js', 'sandbox', 'seed', '--documents', '3', '-o', 'id'];
  const { stdout } = spawnSync(process.execPath, words, { env, encoding: 'utf8' });
  return stdout.trim().split('\n');
}

/** Each source as a file of its own, in which every function stands as it was written. */
async function buildPlain(files: readonly string[], outdir: string): Promise<void> {
  await build({ entryPoints: [...files], outbase: '.', outdir, format: 'esm', target: 'node20' });
  for (const file of await readdir('src', { recursive: true }))
    if (file.endsWith('.json')) await cp(join('src', file), join(outdir, 'src', file));
  await writeFile(join(outdir, 'package.json'), '{ "type": "module" }\n');
  await writeFile(join(outdir, 'start.js'), "import { main } from './src/main.js';\nawait main();\n");
}

/** As V8 writes it with `NODE_V8_COVERAGE`. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

interface PlainRun {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly plain: string;
}

/** The functions that a command calls, and the files that they stand in. What runs when a file is loaded does not count. */
async function executedBy(
  words: readonly string[],
  { folder, env, plain }: PlainRun,
): Promise<{ readonly functions: number; readonly files: number }> {
  const coverage = join(folder, 'coverage');
  await rm(coverage, { recursive: true, force: true });
  const { status, stderr } = spawnSync(process.execPath, [join(plain, 'start.js'), ...words], {
    env: { ...env, NODE_V8_COVERAGE: coverage },
    encoding: 'utf8',
  });
  requireNoFault(words, status, stderr);
  const called = new Map<string, number>();
  for (const name of await readdir(coverage)) {
    const { result } = JSON.parse(await readFile(join(coverage, name), 'utf8')) as Coverage; // written by V8
    for (const { url, functions } of result) {
      if (!url.startsWith(pathToFileURL(join(await realpath(plain), 'src/')).href)) continue;
      // The first one is the file itself.
      const count = functions.slice(1).filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length;
      called.set(url, Math.max(called.get(url) ?? 0, count));
    }
  }
  const counts = [...called.values()].filter((count) => count > 0);
  return { functions: sumOf(counts), files: counts.length };
}

/** A close that finds something open exits 1 or 3, and is measured all the same. */
function requireNoFault(words: readonly string[], status: number | null, stderr: string): void {
  const usual = words[1] === 'close' ? [0, 1, 3] : [0];
  if (status === null || !usual.includes(status))
    throw new Error(`fiscal ${words.join(' ')} exited ${status}: ${stderr}`);
}

interface Run {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly modules: ReadonlyMap<string, readonly string[]>;
}

async function loadedBy(words: readonly string[], { folder, env, modules }: Run): Promise<ReadonlySet<string>> {
  const list = join(folder, 'loaded.json');
  const observer = join(folder, 'observe.cjs');
  const write = `require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache)))`;
  await writeFile(observer, `process.on('exit', () => ${write});\n`);
  const all = ['--require', observer, 'bin/fiscal.js', ...words];
  const { status, stderr } = spawnSync(process.execPath, all, { env, encoding: 'utf8' });
  requireNoFault(words, status, stderr);
  const pieces = JSON.parse(await readFile(list, 'utf8')) as readonly string[]; // written above
  return new Set(pieces.flatMap((piece) => modules.get(basename(piece)) ?? []));
}

await main();
