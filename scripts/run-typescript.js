// @ts-check
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Runs one of the project's own TypeScript programs: `node scripts/run-typescript.js scripts/docs.ts [words]`. */
const [file, ...words] = process.argv.slice(2);
if (file === undefined) throw new Error('name the program, e.g. scripts/docs.ts');
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'node_modules/.cache/fiscal-scripts');
const outfile = join(folder, `${basename(file, '.ts')}-${process.pid}.mjs`);
await mkdir(folder, { recursive: true });
await build({
  entryPoints: [join(root, file)],
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  outfile,
  logLevel: 'warning',
});
process.chdir(root);
process.argv = [process.execPath, outfile, ...words];
try {
  await import(pathToFileURL(outfile).href);
} finally {
  await rm(outfile, { force: true });
}
