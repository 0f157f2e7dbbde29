import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/io/make-folder.js';
import { fiscal, newWorld, withEnv } from '../e2e/program.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('a folder is created with its parents, for its owner only, and the first new one is given', () => {
  const root = temporaryFolder();
  const [first, last] = [join(root, 'a'), join(root, 'a/b/c')];
  expect(makeFolder(last)).toBe(first);
  expect([first, last].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  expect(makeFolder(last)).toBeUndefined();
});

test('many programs may create the same folder at once', async () => {
  const world = newWorld();
  const state = join(world.root, 'a/b/c/d/e/f');
  const one = withEnv(world, { FISCAL_STATE_DIR: state });
  const runs = await Promise.all(Array.from({ length: 6 }, () => fiscal(one, 'job', 'list', '--profile', 'sandbox')));
  expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(runs.map(() => [0, '']));
  expect(existsSync(state)).toBe(true);
});

test('a link to a folder is a folder, and a file on the way is an error', () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'real'));
  symlinkSync(join(root, 'real'), join(root, 'link'));
  makeFolder(join(root, 'link/new'));
  expect(existsSync(join(root, 'real/new'))).toBe(true);
  writeFileSync(join(root, 'file'), '');
  expect(() => makeFolder(join(root, 'file'))).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  expect(() => makeFolder(join(root, 'file/new'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
});

test.skipIf(process.platform !== 'linux')('below /proc it ends, with what the system says', () => {
  expect(() => makeFolder('/proc/none/of/these')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});
