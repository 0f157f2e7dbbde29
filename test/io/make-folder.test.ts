import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/io/make-folder.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('a folder is created with its parents, for its owner only, and the first new one is given', async () => {
  const root = temporaryFolder();
  const [first, last] = [join(root, 'a'), join(root, 'a/b/c')];
  expect(await makeFolder(last)).toBe(first);
  expect([first, last].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  expect(await makeFolder(last)).toBeUndefined();
});

test('many may create the same folder at once', async () => {
  const path = join(temporaryFolder(), 'a/b/c');
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(path)));
  expect(existsSync(path)).toBe(true);
});

test('a link to a folder is a folder, and a file on the way is an error', async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'real'));
  symlinkSync(join(root, 'real'), join(root, 'link'));
  await makeFolder(join(root, 'link/new'));
  expect(existsSync(join(root, 'real/new'))).toBe(true);
  writeFileSync(join(root, 'file'), '');
  await expect(makeFolder(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(root, 'file/new'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test.skipIf(process.platform !== 'linux')('below /proc it ends, with what the system says', async () => {
  await expect(makeFolder('/proc/none/of/these')).rejects.toMatchObject({ code: 'ENOENT' });
});
