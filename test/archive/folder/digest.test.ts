import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestOf } from '../../../src/archive/folder/folder-storage.js';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test('files of every size are hashed concurrently without mixing their bytes', async () => {
  const folder = temporaryFolder();
  const all = [0, 1, 65_535, 65_536, 65_537, 300_000].map((size) => ({
    path: join(folder, `${size}.bin`),
    content: randomBytes(size),
  }));
  for (const { path, content } of all) writeFileSync(path, content);
  for (let round = 0; round < 3; round += 1) {
    expect(await Promise.all(all.map(({ path }) => digestOf(path)))).toEqual(
      all.map(({ content }) => ({ sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length })),
    );
  }
});

test('a missing file and one that cannot be read are distinguished', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'inner'));
  writeFileSync(join(folder, 'plain'), 'x');
  expect(await digestOf(join(folder, 'none.xml'))).toBeUndefined();
  expect(await digestOf(join(folder, 'plain', 'none.xml'))).toBeUndefined();
  const error: unknown = await digestOf(join(folder, 'inner')).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FiscalError);
  expect(error).toMatchObject({ code: 'input.unreadable' });
});

test('a file that is itself a link has no digest, and one behind a folder that is a link has', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'inner'));
  writeFileSync(join(folder, 'inner', 'plain'), 'x');
  symlinkSync(join(folder, 'inner'), join(folder, 'linked'));
  symlinkSync(join(folder, 'inner', 'plain'), join(folder, 'link'));
  expect(await digestOf(join(folder, 'link'))).toBeUndefined();
  expect(await digestOf(join(folder, 'linked', 'plain'))).toMatchObject({ bytes: 1 });
});
