import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { schemes } from '../../src/receiver/schemes.js';
import { builtProgram } from '../support/built-program.js';
import { freePort } from '../support/free-port.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { ended } from './program.js';

const secret = '0123456789abcdef0123456789abcdef';

/** A machine that knows everything by its environment, and on which nothing has run before. */
function service(port: number) {
  const home = temporaryFolder();
  const env = {
    ...{ PATH: process.env['PATH'], HOME: home, CI: 'true' },
    ...{ FISCAL_PRODUCT_URL: 'http://127.0.0.1:9', FISCAL_INVOICE_KEY: 'a-key', FISCAL_WEBHOOK_SECRET: secret },
  };
  const start = (...words: string[]): ChildProcess => {
    const argv = [builtProgram, 'webhook', 'listen', '--port', String(port), ...words];
    const child = spawn(process.execPath, argv, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const deliver = async (id: string): Promise<number> => {
    const body = Buffer.from(JSON.stringify({ action: 'product.active', payload: { id } }));
    const headers = { ...schemes['hub-sha1'].sign({ id, body, now: 0 }, secret), 'content-type': 'application/json' };
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
  };
  return { home, start, deliver };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
}

function records(path: string): readonly Record<string, unknown>[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line): Record<string, unknown> => JSON.parse(line));
}

const types = (path: string): readonly unknown[] => records(path).map(({ type, resource }) => resource ?? type);

test('SIGHUP opens the log again after it was renamed, and no record is lost or in both', async () => {
  const { home, start, deliver } = service(await freePort());
  const [log, old] = [join(home, 'listen.ndjson'), join(home, 'listen.1')];
  const child = start('--log-file', 'listen.ndjson');
  const end = ended(child);
  await until(() => types(log).includes('ready'));
  expect(await deliver('p-1')).toBe(200);
  await until(() => types(log).includes('p-1'));
  renameSync(log, old);
  child.kill('SIGHUP');
  await until(() => existsSync(log));
  expect(await deliver('p-2')).toBe(200);
  await until(() => types(log).includes('p-2'));
  // What is said while it listens is in the log too.
  const forged = { 'x-hub-signature': 'sha1=00', 'content-type': 'application/json' };
  const refused = await fetch(String(records(old)[0]?.['url']), { method: 'POST', headers: forged, body: '{}' });
  expect(refused.status).toBe(401);
  await until(() => types(log).includes('notice'));
  child.kill('SIGTERM');
  expect(await end).toEqual({
    ...{ exitCode: 0, signal: null, stdout: '' },
    stderr: 'stored 2, copies 0, refused 1; delivered 2, given up 0\n',
  });
  expect([types(old), types(log)]).toEqual([
    ['ready', 'p-1'],
    ['p-2', 'notice', 'summary'],
  ]);
  expect(records(log)[1]).toMatchObject({ at: expect.stringMatching(/Z$/), message: expect.stringContaining('401') });
  expect(readFileSync(log, 'utf8') + readFileSync(old, 'utf8')).not.toContain(secret);
});

test('a port that is taken ends the second listener with 5 and one sentence', async () => {
  const port = await freePort();
  const { home, start } = service(port);
  const first = start('--log-file', 'first.ndjson');
  await until(() => types(join(home, 'first.ndjson')).includes('ready'));
  const second = await ended(start('--error-format', 'text'));
  expect(second).toEqual({
    ...{ exitCode: 5, signal: null, stdout: '' },
    stderr: expect.stringMatching(
      new RegExp(
        `^[^\\n]*another program listens on 127\\.0\\.0\\.1:${port}: end it, or choose another port with --port\\n$`,
      ),
    ),
  });
  first.kill('SIGTERM');
});

test('a log that cannot be opened is one sentence, and nothing listens', async () => {
  const { start } = service(await freePort());
  const end = await ended(start('--log-file', 'nowhere/listen.ndjson', '--error-format', 'text'));
  expect([end.exitCode, end.stdout, end.stderr.trim().split('\n').length]).toEqual([2, '', 1]);
  expect(end.stderr).toContain('nowhere/listen.ndjson');
});
