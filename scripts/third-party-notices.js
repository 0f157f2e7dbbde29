// @ts-check
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The licences of code that may ship inside the bundle. A package with several offers one of these. */
const allowed = ['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'MPL-2.0', 'BlueOak-1.0.0'];

/** @param {{ name: string, license?: unknown }} manifest */
function assertAllowed({ name, license }) {
  const words = typeof license === 'string' ? license.replaceAll(/[()]/g, '').split(/ OR /i) : [];
  if (words.some((word) => allowed.includes(word.trim()))) return;
  throw new Error(
    `${name} has the licence ${JSON.stringify(license)}, which may not ship: see scripts/third-party-notices.js`,
  );
}

/**
 * Checks the licence of every package whose code is inside the bundle, and writes it: that is the licence check of the build.
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
  assertAllowed(manifest);
  const title = `${manifest.name} ${manifest.version} (${manifest.license ?? 'licence in its text'})`;
  return [title, ...texts.map((text) => text.trim())].join('\n\n');
}
