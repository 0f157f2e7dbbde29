// @ts-check
import { chmod, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { writeNotices } from './third-party-notices.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages that stay outside: an addon must be built for the Node that loads it. */
const external = ['better-sqlite3'];

/**
 * Modules that a package loads at once and fiscal never uses. They stay where they are, but are asked for when they
 * are first used. `reads` are the members that the package takes from them.
 * - commander loads `node:child_process` for subcommands that are programs of their own.
 * - got loads http2-wrapper for HTTP/2, and that prepares a TLS context as it loads: some 25 ms.
 */
const late = [
  { name: 'node:child_process', importer: 'commander', reads: ['spawn'] },
  { name: 'http2-wrapper', importer: 'got', reads: ['auto', 'globalAgent'] },
];

/** @type {import('esbuild').Plugin} */
const lateModules = {
  name: 'late-modules',
  setup(pluginBuild) {
    for (const { name, importer, reads } of late) {
      const inside = new RegExp(`node_modules[\\\\/]${importer}[\\\\/]`);
      pluginBuild.onResolve({ filter: new RegExp(`^${name}$`) }, (request) =>
        request.namespace === 'file' && inside.test(request.importer)
          ? { path: name, namespace: 'late', pluginData: request.resolveDir }
          : undefined,
      );
      pluginBuild.onLoad({ filter: new RegExp(`^${name}$`), namespace: 'late' }, ({ pluginData }) => ({
        contents: `module.exports = { ${reads.map((member) => `get ${member}() { return require('${name}').${member}; }`).join(', ')} };`,
        resolveDir: pluginData,
        loader: 'js',
      }));
    }
  },
};

/**
 * `@sindresorhus/is`, a part of got, prepares two formatters for its error messages as it loads, which makes Node read
 * its language data: some 6 ms. Here each is prepared when a message needs it.
 * @type {import('esbuild').Plugin}
 */
const lateFormatters = {
  name: 'late-formatters',
  setup(pluginBuild) {
    pluginBuild.onLoad(
      { filter: /@sindresorhus[\\/]is[\\/]distribution[\\/]index\.js$/ },
      async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const contents = text.replaceAll(
          /= (new Intl\.ListFormat\([^)]*\));/g,
          '= { format: (words) => $1.format(words) };',
        );
        if (contents === text)
          throw new Error(`${path} has no formatters to delay: take this step out of the build`);
        return { contents, loader: 'js' };
      },
    );
  },
};

/** Where a module of ours asks for its own address. CommonJS has no `import.meta`. */
const ownAddress = `const ownAddress = require('node:url').pathToFileURL(__filename).href;`;

/**
 * Makes `outdir` from the sources: first split at the dynamic imports (which esbuild does for ESM only), then each
 * piece turned into CommonJS, which Node starts several milliseconds sooner. See docs/decisions/0001.
 * @param {{ outdir: string, entryPoints?: Record<string, string> }} options
 */
export async function bundle({ outdir, entryPoints = entries() }) {
  const result = await build({
    absWorkingDir: root,
    entryPoints,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external,
    outdir,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    minify: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
    plugins: [lateModules, lateFormatters],
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  for (const file of result.outputFiles) {
    await writeFile(join(outdir, basename(file.path)), await toCommonJs(file.text, basename(file.path)));
  }
  await writeFile(join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
  return result.metafile;
}

function entries() {
  return {
    main: 'src/main.ts',
    'intake-worker': 'src/archive/intake-worker.ts',
    quickstart: 'scripts/quickstart.ts',
  };
}

/**
 * @param {string} text
 * @param {string} name
 */
async function toCommonJs(text, name) {
  const usesAddress = text.includes('import.meta.url');
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
    sourcefile: name,
    supported: { 'dynamic-import': false },
    define: usesAddress ? { 'import.meta.url': 'ownAddress' } : {},
  });
  return usesAddress ? `"use strict";${ownAddress}${code}` : code;
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
