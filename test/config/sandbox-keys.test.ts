import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keysToStartWith, sandboxKeys, wellKnownKeys } from '../../src/config/sandbox-keys.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const places = () => {
  const data = temporaryFolder();
  return { data, folder: join(data, 'sandbox'), path: join(data, 'sandbox', 'keys.json') };
};

test('are random, kept, and readable by their owner alone', async () => {
  const [one, other] = [places(), places()];
  const keys = await sandboxKeys(one);
  expect(keys).toEqual({
    invoiceKey: expect.stringMatching(/^sbx_invoice_[0-9a-f]{32}$/),
    dataKey: expect.stringMatching(/^sbx_data_[0-9a-f]{32}$/),
  });
  expect(await sandboxKeys(one)).toEqual(keys);
  expect((await sandboxKeys(other)).invoiceKey).not.toBe(keys.invoiceKey);
  expect(keys.dataKey.slice(-32)).not.toBe(keys.invoiceKey.slice(-32));
  expect(statSync(one.path).mode & 0o777).toBe(0o600);
  expect(readdirSync(one.folder)).toEqual(['keys.json']);
});

test('are the same for all who make them at once', async () => {
  const place = places();
  const made = await Promise.all(Array.from({ length: 20 }, () => sandboxKeys(place)));
  expect(new Set(made.map(({ invoiceKey }) => invoiceKey)).size).toBe(1);
  expect(JSON.parse(readFileSync(place.path, 'utf8'))).toEqual(made[0]);
});

test.each([
  '',
  '{"invoiceKey":"sbx_in',
  'null',
  '{}',
  '{"invoiceKey":7,"dataKey":{}}',
  '{"invoiceKey":"live_key_of_a_real_account","dataKey":"sbx_data_0123456789"}',
  '{"invoiceKey":"sbx_a\\r\\nx: 1","dataKey":"sbx_data_0123456789"}',
])('are made again where the file contains %j', async (text) => {
  const place = places();
  mkdirSync(place.folder);
  writeFileSync(place.path, text);
  const keys = await sandboxKeys(place);
  expect(keys.invoiceKey).toMatch(/^sbx_invoice_[0-9a-f]{32}$/);
  expect(await sandboxKeys(place)).toEqual(keys);
});

test.skipIf(process.platform === 'win32')('are made again where a named pipe is in their place', async () => {
  const place = places();
  mkdirSync(place.folder);
  spawnSync('mkfifo', [place.path]);
  const keys = await sandboxKeys(place);
  expect(await sandboxKeys(place)).toEqual(keys);
  expect(statSync(place.path).isFile()).toBe(true);
});

test('are the documented ones only while a sandbox is started with them', async () => {
  const place = places();
  const random = await keysToStartWith(place, { wellKnown: false });
  expect(random).toEqual(await sandboxKeys(place));
  expect(await keysToStartWith(place, { wellKnown: true })).toEqual(wellKnownKeys);
  expect(await sandboxKeys(place)).toEqual(wellKnownKeys);
  const after = await keysToStartWith(place, { wellKnown: false });
  expect([random.invoiceKey, wellKnownKeys.invoiceKey]).not.toContain(after.invoiceKey);
});
