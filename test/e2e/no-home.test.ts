import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Ended,
  ended,
  errorOf,
  newWorld,
  put,
  product,
  type ReadyLine,
  records,
  start,
  withSandbox,
  type World,
  worldAt,
} from './program.js';

/** A number without an entry in passwd, as containers give one. Only root may start a program under another. */
const uid = 54_321;
const isRoot = process.getuid?.() === 0;
const three = ['FISCAL_CONFIG_DIR', 'FISCAL_STATE_DIR', 'FISCAL_CACHE_DIR'];

let ready: ReadyLine;
let stop: () => void;

beforeAll(async () => void ({ ready, stop } = await withSandbox(newWorld())));
afterAll(() => stop());

/** The world of that user, without a home. `folders`: the variables that are set. */
function homeless(folders: readonly string[]): World {
  const { root, env } = worldAt(ready);
  for (const path of [root, join(root, 'work')]) chownSync(path, uid, uid);
  const isLeft = (name: string): boolean => !/^(?:HOME|FISCAL_\w+_DIR)$/.test(name) || folders.includes(name);
  return { root, env: Object.fromEntries(Object.entries(env).filter(([name]) => isLeft(name))) };
}

async function run(world: World, argv: readonly string[], stdin?: string): Promise<Ended> {
  const child = start(world, argv, { uid, gid: uid, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin?.end(stdin);
  return await ended(child);
}

describe.skipIf(!isRoot)(
  'a user without an entry in passwd and without HOME (skipped unless root starts the tests)',
  () => {
    test('works where the folders for configuration, state and cache are set', async () => {
      const world = homeless(three);
      put(world, 'p.json', product('HOMELESS-1'));
      const created = await run(world, ['product', 'create', '--file', 'p.json', '--yes', '-o', 'ndjson']);
      const jobs = await run(world, ['job', 'list', '-o', 'ndjson']);
      const list = await run(world, ['config', 'list']);
      const names = records(list).map(({ name }) => name);
      expect([created.exitCode, jobs.exitCode, list.exitCode, list.stderr]).toEqual([0, 0, 0, '']);
      expect(names.filter((name) => String(name).startsWith('files.'))).toEqual(['files.config', 'files.state']);
    });

    test('stores a profile', async () => {
      const world = homeless(three);
      const login = ['auth', 'login', '--profile', 'acme', '--stdin', '--no-check', '--product-url', ready.url];
      const stored = await run(world, login, `invoice=${ready.invoiceKey}\n`);
      const set = await run(world, ['config', 'set', 'lang', 'pt', '--profile', 'acme']);
      expect([stored.exitCode, set.exitCode]).toEqual([0, 0]);
    });

    test.each([
      ['FISCAL_CONFIG_DIR', ['config', 'list']],
      ['FISCAL_STATE_DIR', ['job', 'list']],
      ['FISCAL_CACHE_DIR', ['product', 'create', '--file', 'p.json', '--yes']],
    ])('without %s it is told to set it, and nothing is sent', async (variable, argv) => {
      const world = homeless(three.filter((name) => name !== variable));
      put(world, 'p.json', product('HOMELESS-2'));
      const { exitCode, stdout, stderr } = await run(world, [...argv, '--error-format', 'json']);
      expect([exitCode, stdout, stderr.trimEnd().split('\n').length]).toEqual([2, '', 1]);
      expect(errorOf({ exitCode, stdout, stderr, signal: null })).toEqual({
        code: 'config.no_folder',
        message: `this user has no home folder, and ${variable} is not set: there is no place for these files`,
        sent: 'no',
        hint: 'set HOME to a folder of this user, or each of FISCAL_CONFIG_DIR, FISCAL_STATE_DIR, FISCAL_DATA_DIR, FISCAL_CACHE_DIR',
        exitCode: 2,
      });
    });

    test('needs no folder for help and the version', async () => {
      const world = homeless([]);
      const [help, version] = [await run(world, ['help', 'environment']), await run(world, ['--version'])];
      expect([help.exitCode, help.stderr, version.exitCode, version.stderr]).toEqual([0, '', 0, '']);
    });
  },
);
