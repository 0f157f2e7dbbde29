import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/free-port.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { blocksOf, blockWith } from './blocks.js';

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
