import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { builtProgram } from '../support/built-program.js';
import { freePort } from '../support/free-port.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { blocksOf, blockWith } from './blocks.js';

test('the unit of the guide listens with its secret from a credential, and SIGHUP opens its log again', async () => {
  const home = temporaryFolder();
  const credentials = join(home, 'credentials');
  for (const folder of [credentials, join(home, 'log')]) mkdirSync(folder);
  for (const name of ['webhook-secret', 'invoice-key']) {
    writeFileSync(join(credentials, name), '0123456789abcdef0123456789abcdef\n');
  }
  const unit = blockWith(blocksOf('webhooks'), 'ExecReload=')
    .replaceAll('%d', credentials)
    .replaceAll('/var/lib/fiscal', home)
    .replaceAll('/var/log/fiscal', join(home, 'log'))
    .replace('8787', String(await freePort()));
  const given = [...unit.matchAll(/^Environment=([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
  const [program = '', ...words] = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.split(' ') ?? [];
  expect([program, /secret \S{16}|0123456789/.test(unit)]).toEqual(['/usr/local/bin/fiscal', false]);
  const env = { PATH: process.env['PATH'], HOME: home, ...(Object.fromEntries(given) as Record<string, string>) };
  const child = spawn(process.execPath, [builtProgram, ...words], { env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const log = join(home, 'log', 'webhooks.ndjson');
  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await until(() => existsSync(log) && readFileSync(log, 'utf8').includes('"ready"'));
  renameSync(log, `${log}.1`);
  child.kill('SIGHUP');
  await until(() => existsSync(log));
  child.kill('SIGTERM');
  const exitCode = await new Promise((resolve) => child.once('close', resolve));
  expect([exitCode, readFileSync(log, 'utf8')]).toEqual([0, expect.stringContaining('"type":"summary"')]);
});

test('the receiver of the guide drops copies of an event, even after a restart', async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'node_modules'));
  const modules = join(import.meta.dirname, '../../node_modules');
  for (const name of ['better-sqlite3', 'bindings', 'file-uri-to-path']) {
    symlinkSync(join(modules, name), join(cwd, 'node_modules', name));
  }
  writeFileSync(join(cwd, 'receiver.mjs'), blockWith(blocksOf('webhooks'), 'event_id TEXT PRIMARY KEY'));
  const port = String(await freePort());
  const written: string[] = [];
  const open = () => {
    const child = spawn(process.execPath, ['receiver.mjs'], { cwd, env: { ...process.env, PORT: port } });
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stdout.on('data', (chunk: Buffer) => written.push(...chunk.toString().trim().split('\n')));
    child.stderr.on('data', (chunk: Buffer) => written.push(chunk.toString()));
    return child;
  };
  const deliver = async (id: string): Promise<number> => {
    const headers = { 'x-fiscal-event-id': id, 'content-type': 'application/json' };
    for (;;) {
      const sent = fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: '{}' });
      const answer = await sent.catch(() => undefined);
      if (answer !== undefined) return answer.status;
      // It does not listen yet.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const first = open();
  expect([await deliver('e-1'), await deliver('e-1'), await deliver('e-2')]).toEqual([204, 204, 204]);
  first.kill('SIGKILL');
  await new Promise((resolve) => first.once('close', resolve));
  open();
  expect(await deliver('e-1')).toBe(204);
  expect(written).toEqual(['new', 'copy, dropped', 'new', 'copy, dropped']);
});
