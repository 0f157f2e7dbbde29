// @ts-check
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes the name, the version and the licence text of every package whose code is inside the bundle.
 * @param {{ metafile: import('esbuild').Metafile, root: string, file: string }} options
 */
export async function writeNotices({ metafile, root, file }) {
  const folders = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const folder = packageFolder(input);
    if (folder !== undefined) folders.add(folder);
  }
  const notices = await Promise.all([...folders].sort().map((folder) => noticeOf(join(root, folder))));
  const heading = 'fiscal contains code of these packages, each under its own licence.';
  await writeFile(file, `${[heading, ...notices].join(`\n\n${'-'.repeat(78)}\n\n`)}\n`);
}

/** @param {string} input a path inside the bundle, e.g. `node_modules/@scope/name/lib/a.js` */
function packageFolder(input) {
  const match = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input);
  return match?.[0];
}

/** @param {string} folder */
async function noticeOf(folder) {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const names = await readdir(folder);
  const texts = await Promise.all(
    names
      .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
      .sort()
      .map((name) => readFile(join(folder, name), 'utf8')),
  );
  const title = `${manifest.name} ${manifest.version} (${manifest.license ?? 'licence in its text'})`;
  return [title, ...texts.map((text) => text.trim())].join('\n\n');
}
