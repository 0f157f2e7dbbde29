import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { stateFile } from '../../src/store/state-file.js';
import { ended, errorOf, fiscal, inProcess, newWorld, put, start, withEnv, type World } from './program.js';

const loopback = 'http://127.0.0.1:9';
const world = withEnv(newWorld(), {
  FISCAL_INVOICE_KEY: 'invoice-key',
  FISCAL_DATA_KEY: 'data-key',
  FISCAL_TENANT: 'tenant',
  FISCAL_COMPANY: 'company',
  FISCAL_PRODUCT_URL: loopback,
  FISCAL_QUERY_URL: loopback,
  FISCAL_SERVICE_URL: loopback,
});

/** Commands that read the file PATH, and nothing else before. */
const readers = [
  'inbound verify --manifest PATH',
  'company list --ca-cert PATH',
  'webhook listen --cert PATH --key PATH',
  'api POST /v2/x --yes --data-file PATH',
  'product apply PATH --create-only',
  'product create --file PATH',
  'lookup cnpj --file PATH',
];

async function refusal(words: string, path: string, run = inProcess): Promise<unknown> {
  const result = await run(world, ...words.replaceAll('PATH', path).split(' '));
  expect(result).toMatchObject({ exitCode: 2, signal: null, stdout: '' });
  return errorOf(result)['message'];
}

describe.skipIf(process.platform !== 'linux')('a file that is none (devices of Linux)', () => {
  test.each(readers)('is refused in one sentence by fiscal %s', async (words) => {
    const [zero, folder, absent] = ['/dev/zero', world.root, join(world.root, 'none.pem')];
    expect(await refusal(words, zero)).toBe(`cannot read ${zero}: it is not a regular file`);
    expect(await refusal(words, folder)).toBe(`cannot read ${folder}: it is a folder (EISDIR)`);
    expect(await refusal(words, absent)).toMatch(
      /^(there is no file|cannot read) .*none\.pem(: it does not exist \(ENOENT\))?$/,
    );
    expect(await refusal(words, '/proc/self/mem')).toBe('cannot read /proc/self/mem: the disk reports a fault (EIO)');
  });

  test('is refused as the place of an archive and of a key', async () => {
    const file = put(world, 'file.txt', 'text');
    const archive = await fiscal(world, 'inbound', 'verify', '--archive', file);
    expect([archive.exitCode, errorOf(archive)['code']]).toEqual([2, 'input.unreadable']);
    const keyed = withEnv(world, { FISCAL_INVOICE_KEY: '', FISCAL_INVOICE_KEY_FILE: '/dev/zero' });
    const key = await fiscal(keyed, 'company', 'list');
    expect([key.exitCode, errorOf(key)['message']]).toEqual([
      expect.any(Number),
      expect.stringContaining('it is not a regular file'),
    ]);
  });
});

describe.skipIf(process.platform === 'win32')('a named pipe', () => {
  function namedPipe(name: string, of: World = world): string {
    const path = join(of.root, name);
    spawnSync('mkfifo', [path]);
    return path;
  }

  /** A writer that writes nothing, as soon as somebody reads: only then does the pipe open without waiting. */
  async function openedByReader(path: string): Promise<number> {
    for (;;) {
      try {
        return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      } catch {
        await pause(5);
      }
    }
  }

  test('is refused where only a file makes sense', async () => {
    const path = namedPipe('refused');
    for (const words of ['inbound verify --manifest PATH', 'company list --ca-cert PATH']) {
      expect(await refusal(words, path, fiscal)).toBe(`cannot read ${path}: it is not a regular file`);
    }
  });

  test.each(['', '-wal', '-shm', '-journal', '-open'])('in place of state.db%s is a damaged store', async (ending) => {
    const other = newWorld();
    await fiscal(other, 'job', 'list');
    const path = `${stateFile(other.env['FISCAL_STATE_DIR'] ?? '')}${ending}`;
    rmSync(path, { force: true });
    spawnSync('mkfifo', [path]);
    const list = await fiscal(other, 'job', 'list', '-o', 'json');
    expect(list).toMatchObject({ exitCode: 2, signal: null, stdout: '' });
    expect(errorOf(list)).toMatchObject({ code: 'store.damaged', message: expect.stringContaining(path) });
    const doctor = await fiscal(other, 'doctor', '-o', 'json');
    expect(doctor.exitCode).not.toBe(1);
    expect(doctor.stdout + doctor.stderr).toContain('it is not a regular file');
  });

  test('in place of the state of the sandbox is refused', async () => {
    const other = newWorld();
    const path = join(other.env['FISCAL_DATA_DIR'] ?? '', 'sandbox', 'sandbox.db');
    mkdirSync(dirname(path), { recursive: true });
    spawnSync('mkfifo', [path]);
    const result = await fiscal(other, 'company', 'list', '--profile', 'sandbox', '-o', 'json');
    expect(result).toMatchObject({ exitCode: 2, signal: null, stdout: '' });
    expect(errorOf(result)['message']).toContain('sandbox.db is not a regular file');
  });

  test('without a writer ends with the first signal, by the exit code of it', async () => {
    for (const [signal, exitCode] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const path = namedPipe(signal);
      const child = start(world, ['product', 'apply', '--create-only', path]);
      const end = ended(child);
      const writer = await openedByReader(path);
      child.kill(signal);
      expect(await end).toMatchObject({ exitCode, signal: null, stdout: '' });
      closeSync(writer);
    }
  });

  test('that blocks a thread of the process does not hold the second signal', async () => {
    const [path, blocked] = [namedPipe('first'), namedPipe('blocked')];
    // Stands for whatever waits in a thread, such as a name server that does not answer.
    const preload = put(world, 'block.cjs', `require('node:fs').readFile(${JSON.stringify(blocked)}, () => {});`);
    const child = start(world, ['product', 'apply', '--create-only', path], {
      env: { NODE_OPTIONS: `--require=${preload}` },
    });
    const end = ended(child);
    const writer = await openedByReader(path);
    child.kill('SIGTERM');
    await new Promise((resolve) => child.stderr?.once('data', resolve));
    child.kill('SIGTERM');
    // A shell shows 143 for both.
    expect([143, 'SIGTERM']).toContain((await end).signal ?? (await end).exitCode);
    closeSync(writer);
  });
});
