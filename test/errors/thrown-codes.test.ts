import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { errorCatalogue } from '../../src/errors/catalogue.js';
import { readSourceFiles } from '../architecture/source-files.js';

/** A code that is only compared with, or named in a comment, is made nowhere. */
function makingErrors(text: string): string {
  return text
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/[!=]==\s*'[\w.]+'/g, '')
    .replaceAll(/case '[\w.]+':/g, '');
}

test('every code of the catalogue is made by some part of the program', async () => {
  const files = (await readSourceFiles()).filter(
    ({ path }) => !path.startsWith('sandbox/') && path !== 'errors/catalogue.ts',
  );
  const src = new URL('../../src/', import.meta.url);
  const texts = await Promise.all(
    files.map(async ({ path }) => makingErrors(await readFile(fileURLToPath(new URL(path, src)), 'utf8'))),
  );
  const program = texts.join('\n');
  const never = Object.keys(errorCatalogue).filter((code) => !program.includes(`'${code}'`));
  expect(never).toEqual([]);
});
