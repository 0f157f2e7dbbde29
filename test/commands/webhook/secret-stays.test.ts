import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testService } from '../../conformance/service.js';
import { json, serve } from '../../client/support/server.js';
import { runFiscal } from '../../support/host.js';
import { profileHost } from './profile-host.js';

const service = testService();
const canary = 'canary-of-a-webhook-secret-4417-0123456789';

function filesWith(text: string, folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

test('a secret of the environment is in no output, no history and no file', async () => {
  const { url, invoiceKey } = service.ready();
  const host = profileHost(url, invoiceKey, { env: { FISCAL_WEBHOOK_SECRET: canary } });
  const receiver = await serve(json(200, {}));
  const create = ['webhook', 'create', receiver.url, '-o', 'json'];
  expect((await runFiscal([...create, '--debug-http', '--dry-run'], host)).exitCode).toBe(0);
  const made = await runFiscal([...create, '--debug-http'], host);
  const { id } = JSON.parse(made.stdout) as { id: string };
  const update = ['webhook', 'update', id, '--status', 'inactive', '--yes', '--debug-http'];
  expect([made.exitCode, (await runFiscal(update, host)).exitCode]).toEqual([0, 0]);
  for (const words of [['get', id], ['list'], ['ping', id], ['events']]) {
    await runFiscal(['webhook', ...words, '--debug-http', '-v'], host);
  }
  await runFiscal(['history', '-o', 'json'], host);
  await runFiscal(['config', 'list', '--show-origin', '-o', 'json'], host);
  const { stdout, stderr } = host.written();
  expect([stdout.includes(canary), stderr.includes(canary)]).toEqual([false, false]);
  expect(filesWith(canary, host.root)).toEqual([]);
});

test('a secret of a file is stored only with the keys, until the profile is logged out', async () => {
  const { url, invoiceKey } = service.ready();
  const host = profileHost(url, invoiceKey);
  const given = join(host.cwd, 'given.txt');
  writeFileSync(given, canary);
  const receiver = await serve(json(200, {}));
  const create = ['webhook', 'create', receiver.url, '--secret-file', 'given.txt', '--debug-http'];
  const made = await runFiscal(create, host);
  expect([made.exitCode, `${made.stdout}${made.stderr}`.includes(canary)]).toEqual([0, false]);
  rmSync(given);
  expect(filesWith(canary, host.root)).toEqual([join(host.root, 'config', 'config.json')]);
  expect((await runFiscal(['auth', 'logout'], host)).exitCode).toBe(0);
  expect(filesWith(canary, host.root)).toEqual([]);
});
