// @ts-check
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { groupPieces, joinGroups } from './build/groups.js';
import { lateModules } from './build/late-modules.js';
import { bundledSqlite } from './build/bundled-sqlite.js';
import { writeNotices } from './third-party-notices.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const entryPoints = {
  main: 'src/main.ts',
  'intake-worker': 'src/archive/folder/intake-worker.ts',
  quickstart: 'scripts/quickstart.ts',
};

/**
 * Files that hold what the start, every command, every call of the service, and a product need, by the modules that these
 * ask for.
 * A file more costs Node more than the same text in a file that it reads anyway. A module that is not in the program has no
 * effect; test/start-up.test.ts names it.
 */
export const groups = {
  'main.js': [
    'src/main.ts',
    'src/cli/presentation.ts',
    'src/cli/dispatch.ts',
    'src/commands/groups.ts',
    'src/cli/options.ts',
    'src/cli/exit-codes.ts',
    'src/contract/product.ts',
  ],
  'run.js': [
    'src/cli/perform.ts',
    'src/config/open.ts',
    'src/config/directories.ts',
    'src/domain/tax-number.ts',
    'src/domain/access-key.ts',
    'src/domain/address.ts',
  ],
  'call.js': [
    'src/services/scope/resolver.ts',
    'src/services/calls/one-call.ts',
    'src/services/calls/recorder.ts',
    'src/services/batch/single-job.ts',
    'src/domain/canonical-json.ts',
    'src/domain/decimal-text.ts',
    'src/errors/reasons.ts',
    'src/jobs/lease.ts',
    'src/jobs/pace.ts',
    'src/store/sqlite/open.ts',
    'src/client/create.ts',
  ],
  'product.js': ['src/commands/product/get.ts'],
};

/** @satisfies {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
  // An addon must be built for the Node that loads it.
  external: ['better-sqlite3'],
};

/**
 * Three packages and a module of got that fiscal never uses.
 * @type {import('esbuild').Plugin}
 */
const unusedByGot = {
  name: 'unused-by-got',
  setup({ onResolve }) {
    const unused = /^(cacheable-request|cacheable-lookup|http2-wrapper)$|diagnostics-channel\.js$/;
    onResolve({ filter: unused }, ({ importer }) =>
      /node_modules[\\/]got[\\/]/.test(importer) ? { path: join(root, 'scripts/build/unused-by-got.js') } : undefined,
    );
  },
};

/**
 * Makes `outdir` from the sources in two steps, because esbuild splits ES modules only, and Node starts CommonJS several
 * milliseconds sooner (docs/decisions/0001). Gives what each file was made of.
 * @param {{ outdir: string, entryPoints?: Record<string, string> }} options
 * @returns {Promise<import('esbuild').Metafile>}
 */
export async function bundle({ outdir, entryPoints: chosen = entryPoints }) {
  const { metafile, pieces } = await split(chosen, outdir);
  const grouped = groupPieces(pieces, groups);
  const alone = [...pieces.keys()].filter((name) => ![...grouped.values()].flat().includes(name));
  const files = [...grouped.keys(), ...alone];
  const result = await build({
    ...common,
    entryPoints: Object.fromEntries(files.map((name) => [basename(name, '.js'), `./${name}`])),
    format: 'cjs',
    outdir,
    minify: true,
    banner: { js: '"use strict";' },
    supported: { 'dynamic-import': false },
    inject: [join(root, 'scripts/build/own-address.js')],
    define: { 'import.meta.url': 'ownAddress' },
    plugins: [joinGroups(pieces, grouped)],
  });
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  for (const { path, text } of result.outputFiles) await writeFile(join(outdir, basename(path)), text);
  await writeStart(outdir, result.outputFiles);
  await writeFile(join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
  return { ...metafile, outputs: joinOutputs(metafile.outputs, grouped) };
}

/**
 * What loads the other files, with a name of this build.
 * @param {string} outdir
 * @param {readonly import('esbuild').OutputFile[]} files
 */
async function writeStart(outdir, files) {
  const hash = createHash('sha256');
  for (const { path, contents } of files) hash.update(basename(path)).update(contents);
  const { outputFiles } = await build({
    ...common,
    entryPoints: { start: 'src/start.ts' },
    format: 'cjs',
    outdir,
    minify: true,
    banner: { js: '"use strict";' },
    define: { BUILD: JSON.stringify(hash.digest('hex').slice(0, 16)) },
  });
  for (const { path, text } of outputFiles) await writeFile(path, text);
}

/**
 * The program as ES modules, split at its `import()`s. Of packages, what fiscal never uses is left out, and what is rarely
 * used is made late.
 * @param {Record<string, string>} chosen
 * @param {string} outdir
 */
async function split(chosen, outdir) {
  const { metafile, outputFiles } = await build({
    ...common,
    entryPoints: chosen,
    splitting: true,
    format: 'esm',
    outdir,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    minify: true,
    inject: [join(root, 'scripts/build/late-list-format.js')],
    define: {
      'process.env.NODE_ENV': '"production"',
      'Intl.ListFormat': 'LateListFormat',
      // A client of the object store would warn about Node 20 on stderr.
      'process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED': '"true"',
    },
    plugins: [lateModules, unusedByGot, bundledSqlite],
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const pieces = new Map();
  for (const [path, { imports, exports, inputs, entryPoint }] of Object.entries(metafile.outputs)) {
    const name = basename(path);
    pieces.set(name, {
      text: texts.get(name),
      modules: [entryPoint, ...Object.keys(inputs).filter((input) => inputs[input]?.bytesInOutput !== 0)],
      imports: imports.filter(({ kind }) => kind === 'import-statement').map((one) => basename(one.path)),
      exports,
    });
  }
  return { metafile, pieces };
}

/**
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @param {ReadonlyMap<string, readonly string[]>} grouped
 */
function joinOutputs(outputs, grouped) {
  const joined = { ...outputs };
  for (const [group, names] of grouped) {
    const members = Object.entries(outputs).filter(([path]) => names.includes(basename(path)));
    for (const [path] of members) delete joined[path];
    const [, first] = members[0] ?? [];
    if (first === undefined) continue;
    joined[group] = { ...first, inputs: Object.assign({}, ...members.map(([, output]) => output.inputs)) };
  }
  return joined;
}

async function main() {
  const outdir = join(root, 'dist');
  const metafile = await bundle({ outdir });
  await writeNotices({ metafile, root, file: join(outdir, 'THIRD-PARTY-NOTICES.txt') });
  await chmod(join(root, 'bin/fiscal.js'), 0o755);
  const files = await readdir(outdir);
  const sizes = await Promise.all(files.map(async (file) => (await readFile(join(outdir, file))).length));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`built dist: ${files.length} files, ${Math.round(total / 1024)} KiB`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main().catch((error) => {
    // esbuild has already told what is wrong; a sentence is enough for the rest.
    console.error(`the build failed: ${String(error.message).split('\n', 1)[0]}`);
    process.exitCode = 1;
  });
}
