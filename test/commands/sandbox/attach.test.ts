import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { sandboxKeys, wellKnownKeys } from '../../../src/config/sandbox-keys.js';
import { sandboxProfile } from '../../../src/config/sandbox-profile.js';
import type { RunningSandbox } from '../../../src/contract/sandbox.js';
import { startSandbox } from '../../../src/sandbox/start.js';
import { attachSandbox } from '../../../src/commands/sandbox/attach.js';
import { readRunningFile, removeRunningFile, writeRunningFile } from '../../../src/commands/sandbox/attach.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const places = () => ({ data: temporaryFolder() });
const account = { ...sandboxProfile.account, ...wellKnownKeys };

async function serve(options: { tenantId?: string } = {}): Promise<RunningSandbox> {
  const sandbox = await startSandbox({ path: ':memory:', account: { ...account, ...options } });
  open.push(sandbox);
  return sandbox;
}

async function attach(directories: { data: string }): Promise<string> {
  const attached = await attachSandbox({ directories });
  open.push(attached);
  return attached.url;
}

async function companies(url: string, key = account.invoiceKey): Promise<unknown> {
  const answer = await fetch(`${url}/v2/companies`, { headers: { Authorization: key } });
  return [answer.status, await answer.json()];
}

describe('attachSandbox', () => {
  it('starts one on the state of this machine if none runs, with the keys of its folder', async () => {
    const directories = places();
    const url = await attach(directories);
    expect(await companies(url)).toMatchObject([401, {}]);
    const { invoiceKey } = await sandboxKeys(directories);
    expect(await companies(url, invoiceKey)).toMatchObject([
      200,
      { companies: [{ id: account.companyId }], hasMore: false },
    ]);
    expect(existsSync(join(directories.data, 'sandbox', 'sandbox.db'))).toBe(true);
    expect(existsSync(join(directories.data, 'sandbox', 'running.json'))).toBe(false);
  });

  it('uses a running one, and leaves it running', async () => {
    const directories = places();
    const { url } = await serve();
    await writeRunningFile(directories, { url, pid: 1 });
    const attached = await attachSandbox({ directories });
    await attached.close();
    expect(attached.url).toBe(url);
    expect(await companies(url)).toMatchObject([200, { hasMore: false }]);
  });

  it('ignores the address of one that has died', async () => {
    const directories = places();
    const dead = await startSandbox({ path: ':memory:', account });
    await dead.close();
    await writeRunningFile(directories, { url: dead.url, pid: 1 });
    expect(await attach(directories)).not.toBe(dead.url);
  });

  it('ignores a sandbox of another account', async () => {
    const directories = places();
    const { url } = await serve({ tenantId: 'another' });
    await writeRunningFile(directories, { url, pid: 1 });
    expect(await attach(directories)).not.toBe(url);
  });

  it('ignores another program on the port', async () => {
    const directories = places();
    const other = createServer((_request, response) => response.end('{"service":"something"}'));
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    open.push(other);
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await writeRunningFile(directories, { url: `http://127.0.0.1:${port}`, pid: 1 });
    expect(await attach(directories)).not.toBe(`http://127.0.0.1:${port}`);
  });

  it.each(['{"url":"http://sandbox.example:80","pid":1}', '{"url":"http://127.0', '[]', ''])(
    'ignores a running file that contains %j',
    async (text) => {
      const directories = places();
      mkdirSync(join(directories.data, 'sandbox'), { recursive: true });
      writeFileSync(join(directories.data, 'sandbox', 'running.json'), text);
      expect(await attach(directories)).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    },
  );

  it('reports why the start fails', async () => {
    const directories = places();
    mkdirSync(join(directories.data, 'sandbox'), { recursive: true });
    writeFileSync(join(directories.data, 'sandbox', 'sandbox.db'), 'no database'.repeat(1000));
    await expect(attachSandbox({ directories })).rejects.toMatchObject({
      code: 'sandbox.cannot_start',
      text: { en: 'the sandbox cannot start: file is not a database' },
    });
  });
});

describe('the running file', () => {
  it('is private and contains no key', async () => {
    const directories = places();
    await writeRunningFile(directories, { url: 'http://127.0.0.1:1', pid: 7 });
    const path = join(directories.data, 'sandbox', 'running.json');
    expect([statSync(path).mode & 0o777, readFileSync(path, 'utf8')]).toEqual([
      0o600,
      '{"url":"http://127.0.0.1:1","pid":7}\n',
    ]);
  });

  it('is removed only by its own sandbox', async () => {
    const directories = places();
    await writeRunningFile(directories, { url: 'http://127.0.0.1:1', pid: 7 });
    await removeRunningFile(directories, { url: 'http://127.0.0.1:2', pid: 7 });
    expect(await readRunningFile(directories)).toEqual({ url: 'http://127.0.0.1:1', pid: 7 });
    await removeRunningFile(directories, { url: 'http://127.0.0.1:1', pid: 7 });
    expect(await readRunningFile(directories)).toBeUndefined();
  });
});
