import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

let folder: string;
let installed: string;

/** Packs what stands in `dist` with the man pages, unpacks it far away, and gives it its one dependency. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fiscal-package-'));
  await run(process.execPath, ['scripts/run-typescript.js', 'scripts/man.ts'], { cwd: root });
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
  const [archive] = await readdir(folder);
  await run('tar', ['-xzf', join(folder, archive ?? ''), '-C', folder]);
  installed = join(folder, 'package');
  await mkdir(join(installed, 'node_modules'));
  for (const name of ['better-sqlite3', 'bindings', 'file-uri-to-path']) {
    await symlink(join(root, 'node_modules', name), join(installed, 'node_modules', name), 'junction');
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the packed program', () => {
  test('contains the program, its documents and licences, and no source', async () => {
    const names = await readdir(installed);
    expect(names.sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'README.pt-BR.md',
      'bin',
      'dist',
      'man',
      'node_modules',
      'package.json',
    ]);
    const notices = await readFile(join(installed, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    const titles = [...notices.matchAll(/^(\S+) \d+\.\d+\.\d+ \(/gm)].map(([, name]) => name);
    const some = ['chalk', 'commander', 'conf', 'got', 'hono', 'inquirer', 'yaml'];
    expect(titles.filter((title) => some.includes(title ?? ''))).toEqual(some);
  });

  test('has no dependency at run time but the store', async () => {
    const manifest: unknown = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      dependencies: { 'better-sqlite3': expect.any(String) },
      bin: { fiscal: 'bin/fiscal.js' },
    });
    expect(Object.keys(Object(manifest).dependencies)).toEqual(['better-sqlite3']);
  });

  test('prints its version in any folder', async () => {
    const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    const { stdout } = await run(process.execPath, [join(installed, 'bin/fiscal.js'), '--version'], {
      cwd: folder,
      env: { HOME: folder },
    });
    expect(stdout).toContain(version);
  });

  test('contains no path of the machine that packed it', async () => {
    const names = await readdir(join(installed, 'dist'));
    const texts = await Promise.all(names.map((name) => readFile(join(installed, 'dist', name), 'utf8')));
    expect(names.filter((_, index) => texts[index]?.includes(root))).toEqual([]);
  });
});

test('the lock file names no private registry', async () => {
  const lock = await readFile(join(root, 'package-lock.json'), 'utf8');
  expect(lock).not.toContain('"resolved"');
});
