import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Runs the suite on other versions of Node: `npm run test:nodes -- 22 24`; with folders or files, only those, and
 * options of Vitest: `npm run test:nodes -- 24 test/e2e --exclude test/e2e/package.test.ts`.
 * The binaries and headers come from the npm registry; the store's addon is the one that npm picks for each version.
 */
const root = process.cwd();
const nodesFolder = join(root, '.nodes');
const notCopied = new Set(['node_modules', '.nodes', '.git', 'dist', 'coverage']);

interface Runtime {
  readonly version: string;
  readonly node: string;
  /** Where node-gyp finds the headers; absent: as it finds them for the Node that is running. */
  readonly headers?: string;
}

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const named = words.filter((word) => /^\d/.test(word));
  const tests = words.filter((word) => !named.includes(word));
  const versions = named.length > 0 ? named : ['20', '22', '24', '26'];
  const failed: string[] = [];
  for (const version of versions) {
    if (!/^\d+(\.\d+\.\d+)?$/.test(version)) throw new Error(`"${version}" is no version of Node, e.g. 24 or 24.1.0`);
    console.log(`\n== Node ${version} ==`);
    const passed = await testOn(await provide(version), tests);
    if (!passed) failed.push(version);
  }
  if (failed.length > 0) {
    console.error(`failed on Node ${failed.join(', ')}`);
    process.exitCode = 1;
  }
}

/** The Node that is running when its version fits, otherwise the one of the registry. */
async function provide(version: string): Promise<Runtime> {
  const running = process.versions.node;
  if (running === version || running.startsWith(`${version}.`)) return { version, node: process.execPath };
  const folder = join(nodesFolder, version, 'runtime');
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  await writeManifest(folder);
  npm(process.execPath, ['install', '--no-save', '--ignore-scripts', `${name}@${version}`], { cwd: folder });
  const headers = join(folder, 'node_modules', name);
  return { version, node: join(headers, 'bin/node'), headers };
}

async function testOn(runtime: Runtime, tests: readonly string[]): Promise<boolean> {
  const work = join(nodesFolder, runtime.version, 'work');
  await rm(work, { recursive: true, force: true });
  await copySources(work);
  const own = await provideAddon(runtime);
  await linkPackages(work, own);
  const report = process.env['FISCAL_TEST_REPORT'];
  const env = {
    ...process.env,
    PATH: `${dirname(runtime.node)}${process.platform === 'win32' ? ';' : ':'}${process.env['PATH'] ?? ''}`,
    ...(report === undefined ? {} : { FISCAL_TEST_REPORT: report.replace('.json', `-node-${runtime.version}.json`) }),
  };
  const build = run(runtime.node, ['scripts/build.js'], { cwd: work, env });
  return build && run(runtime.node, ['node_modules/vitest/vitest.mjs', 'run', ...tests], { cwd: work, env });
}

async function copySources(work: string): Promise<void> {
  await mkdir(work, { recursive: true });
  for (const name of await readdir(root)) {
    if (!notCopied.has(name)) await cp(join(root, name), join(work, name), { recursive: true });
  }
}

/** Installs better-sqlite3 for this Node and gives the folder whose packages go before those of the checkout. */
async function provideAddon(runtime: Runtime): Promise<string | undefined> {
  if (runtime.headers === undefined) return undefined;
  const { default: manifest } = await import('../package.json', { with: { type: 'json' } });
  const folder = join(nodesFolder, runtime.version, 'addon');
  await writeManifest(folder);
  const wanted = `better-sqlite3@${manifest.dependencies['better-sqlite3']}`;
  npm(runtime.node, ['install', '--no-save', wanted], {
    cwd: folder,
    env: { npm_config_nodedir: runtime.headers, PATH: `${dirname(runtime.node)}:${process.env['PATH'] ?? ''}` },
  });
  return join(folder, 'node_modules');
}

/** Links every package of the checkout into the copy, save those that `own` brings. */
async function linkPackages(work: string, own: string | undefined): Promise<void> {
  const target = join(work, 'node_modules');
  const ownNames = own === undefined ? [] : await packageNames(own);
  for (const name of ownNames) await link(join(own ?? '', name), join(target, name));
  for (const name of await packageNames(join(root, 'node_modules'))) {
    if (!ownNames.includes(name)) await link(join(root, 'node_modules', name), join(target, name));
  }
}

async function packageNames(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const name of await readdir(folder)) {
    if (name.startsWith('.')) continue;
    if (!name.startsWith('@')) names.push(name);
    else names.push(...(await readdir(join(folder, name))).map((inner) => `${name}/${inner}`));
  }
  return names;
}

async function link(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await symlink(from, to, 'junction');
}

async function writeManifest(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true, "allowScripts": { "better-sqlite3": true } }\n');
}

interface RunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

function npm(node: string, words: readonly string[], { cwd, env }: RunOptions): void {
  const program = process.env['npm_execpath'];
  if (program === undefined) throw new Error('start this with `npm run test:nodes`');
  if (!run(node, [resolve(program), ...words], { cwd, env: { ...process.env, ...env } })) {
    throw new Error(`npm ${words.join(' ')} failed`);
  }
}

function run(program: string, words: readonly string[], { cwd, env }: RunOptions): boolean {
  const { status } = spawnSync(program, words, {
    cwd,
    env: env ?? process.env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0;
}

await main();
