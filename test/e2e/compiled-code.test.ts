import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fiscal, newWorld, withEnv, type World } from './program.js';

/* The code that V8 compiled for an earlier run: nothing that becomes of it changes more than the time of a run. */

const KEY = '35250530057049000141550010000280181030656857';

function worldWithCode(): { readonly world: World; readonly folder: string } {
  const world = withEnv(newWorld(), { NODE_COMPILE_CACHE: '' });
  return { world, folder: join(world.root, 'cache', 'code') };
}

/** The only file with compiled code. */
function fileIn(folder: string): string {
  const [name = '', ...more] = readdirSync(folder);
  expect(more).toEqual([]);
  return join(folder, name);
}

async function expectRun(world: World): Promise<void> {
  const { exitCode, stdout, stderr } = await fiscal(world, 'key', 'check', KEY, '-o', 'id');
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: `${KEY}\n`, stderr: '' });
}

test('a run keeps its compiled code for this user only; the next one uses it and writes nothing', async () => {
  const { world, folder } = worldWithCode();
  await expectRun(world);
  const file = fileIn(folder);
  const first = statSync(file);
  expect([statSync(folder).mode & 0o777, first.mode & 0o777]).toEqual([0o700, 0o600]);
  await expectRun(world);
  expect(statSync(fileIn(folder))).toMatchObject({ ino: first.ino, mtimeMs: first.mtimeMs });
});

test('another command adds its own to it, and neither writes again', async () => {
  const { world, folder } = worldWithCode();
  await expectRun(world);
  const first = statSync(fileIn(folder)).size;
  await fiscal(world, 'product', 'create', '--help');
  const both = statSync(fileIn(folder));
  expect(both.size).toBeGreaterThan(first);
  await expectRun(world);
  await fiscal(world, 'product', 'create', '--help');
  expect(statSync(fileIn(folder))).toMatchObject({ ino: both.ino, mtimeMs: both.mtimeMs });
});

/** A file that is not used is written anew. */
async function expectWrittenAnew({ world, folder }: ReturnType<typeof worldWithCode>, spoil: (file: string) => void) {
  await expectRun(world);
  const file = fileIn(folder);
  // Its number would be given again otherwise.
  linkSync(file, join(world.root, 'kept'));
  spoil(file);
  await expectRun(world);
  const { ino, size } = statSync(file);
  expect(size).toBeGreaterThan(10_000);
  expect(ino).not.toBe(statSync(join(world.root, 'kept')).ino);
  await expectRun(world);
  expect(statSync(file).ino).toBe(ino);
}

/** Changes one byte at this part of the file, as a disk may. */
const flipped = (part: number) => (file: string) => {
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length * part);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at);
  writeFileSync(file, bytes);
};

describe('compiled code is not used, and written anew,', () => {
  const ways: readonly (readonly [what: string, spoil: (file: string) => void])[] = [
    ['where the file is empty', (file: string) => truncateSync(file, 0)],
    ['where it is cut', (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ['where it is something else', (file: string) => writeFileSync(file, 'x'.repeat(200_000))],
    ['where it promises more than it has', (file: string) => writeFileSync(file, Buffer.alloc(100_000, 0xff))],
    ['where its group may write it', (file: string) => chmodSync(file, 0o660)],
    ['where the first byte is another', flipped(0)],
    ...[0.05, 0.2, 0.35, 0.49, 0.6, 0.75, 0.9, 0.99].map(
      (part) => [`where the byte at ${part * 100} % is another`, flipped(part)] as const,
    ),
  ];
  test.each(ways)('%s', async (_what, spoil) => {
    await expectWrittenAnew(worldWithCode(), spoil);
  });

  test.skipIf(process.getuid?.() !== 0)('where another user wrote it (only root can give a file away)', async () => {
    await expectWrittenAnew(worldWithCode(), (file) => chownSync(file, 12_345, 12_345));
  });

  test.skipIf(process.platform === 'win32')(
    'where it is a pipe or a link (Windows has neither for a user)',
    async () => {
      const scene = worldWithCode();
      await expectRun(scene.world);
      const file = fileIn(scene.folder);
      unlinkSync(file);
      execFileSync('mkfifo', [file]);
      await expectRun(scene.world);
      expect(statSync(file).isFile()).toBe(true);
      const elsewhere = join(scene.world.root, 'elsewhere');
      writeFileSync(elsewhere, readFileSync(file), { mode: 0o600 });
      const before = statSync(elsewhere).mtimeMs;
      unlinkSync(file);
      symlinkSync(elsewhere, file);
      await expectRun(scene.world);
      expect([statSync(file).ino === statSync(elsewhere).ino, statSync(elsewhere).mtimeMs]).toEqual([false, before]);
    },
  );
});

test('of other versions and builds the newest three stay', async () => {
  const { world, folder } = worldWithCode();
  mkdirSync(folder, { recursive: true });
  for (const age of [1, 2, 3, 4, 5]) {
    const file = join(folder, `${age}.code`);
    writeFileSync(file, '');
    execFileSync('touch', ['-d', `${age} hours ago`, file]);
  }
  await expectRun(world);
  const names = readdirSync(folder);
  expect(names.filter((name) => /^\d\.code$/.test(name)).sort()).toEqual(['1.code', '2.code', '3.code']);
  expect(names).toHaveLength(4);
});

test('a folder that cannot be made costs nothing but time', async () => {
  const { world, folder } = worldWithCode();
  writeFileSync(join(world.root, 'cache'), 'a file');
  await expectRun(world);
  expect(existsSync(folder)).toBe(false);
});

test('NODE_COMPILE_CACHE names another folder for it', async () => {
  const { world, folder } = worldWithCode();
  const other = join(world.root, 'other');
  await expectRun(withEnv(world, { NODE_COMPILE_CACHE: other }));
  expect([existsSync(folder), readdirSync(join(other, 'code')).length]).toEqual([false, 1]);
});
