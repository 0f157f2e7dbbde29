import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { json, serve } from '../../client/support/server.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';

const canary = 'canary-7f3e21ab';

function companies() {
  return serve(json(200, { companies: [], hasMore: false }));
}

function on(host: TestHost, stdin: string): TestHost {
  return { ...host, stdin: { isTerminal: false, read: () => once(stdin) } };
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield new TextEncoder().encode(text);
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('a login checks the invoice key, stores both keys for the owner only and selects the profile', async () => {
  const server = await companies();
  const host = on(testHost(), `invoice=${canary}\ndata=d-${canary}\n`);
  const result = await runFiscal(
    ['auth', 'login', '--profile', 'acme', '--product-url', server.url, '--stdin', '-o', 'json'],
    host,
  );
  const path = join(host.root, 'config', 'config.json');
  expect(result).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(result.stdout)).toEqual({
    profile: 'acme',
    stored: ['invoice', 'data'],
    checked: true,
    current: true,
    path,
  });
  expect(server.seen.map(({ path: asked, headers }) => [asked, headers.authorization])).toEqual([
    ['/v2/companies?limit=1', canary],
  ]);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    current: 'acme',
    profiles: { acme: { hosts: { product: server.url }, keys: { invoice: canary, data: `d-${canary}` } } },
  });
  expect([statSync(path).mode & 0o777, statSync(join(host.root, 'config')).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(result.stdout + result.stderr).not.toContain(canary);
});

test('a refused key stores nothing and exits 4 without showing it', async () => {
  const server = await serve(json(401, { error: { code: 'unauthorized', message: `bad key ${canary}` } }));
  const host = on(testHost(), canary);
  const result = await runFiscal(['auth', 'login', '--product-url', server.url, '--stdin'], host);
  expect(result.exitCode).toBe(4);
  expect(result.stdout).toBe('');
  expect(result.stderr).toContain('the service refused the invoice key');
  expect(result.stderr).toContain('nothing was stored');
  expect(result.stderr).not.toContain(canary);
  expect(filesBelow(host.root)).toEqual([]);
});

test('a login keeps the keys when nobody could be reached', async () => {
  const host = on(testHost(), canary);
  const words = ['auth', 'login', '--product-url', 'http://127.0.0.1:1', '--stdin', '--max-retry-wait', '1ms'];
  const { exitCode, stderr } = await runFiscal(words, host);
  expect([exitCode, stderr]).toEqual([5, expect.stringContaining('are stored unchecked')]);
  const stored = await runFiscal(['auth', 'status', '--all', '-o', 'json'], host);
  expect(JSON.parse(stored.stdout)[0]).toEqual({
    type: 'profile',
    profile: 'default',
    current: true,
    keys: ['invoice'],
  });
});

test('a login without a check sends no request, and says so', async () => {
  const host = on(testHost(), `jwt=${canary}`);
  const result = await runFiscal(['auth', 'login', '--preset', 'nfe.io', '--stdin', '--no-check', '-o', 'json'], host);
  expect(result.exitCode).toBe(0);
  expect(JSON.parse(result.stdout)).toMatchObject({ profile: 'default', stored: ['jwt'], checked: false });
  expect(result.stderr).toContain('nothing was checked');
});

test('a key as an argument is refused and not repeated', async () => {
  const result = await runFiscal(['auth', 'login', canary]);
  expect(result.exitCode).toBe(2);
  expect(result.stdout + result.stderr).not.toContain(canary);
});

test('a key as a setting is refused and not repeated', async () => {
  const result = await runFiscal(['config', 'set', 'keys.invoice', canary, '--profile', 'sandbox']);
  expect(result.exitCode).toBe(2);
  expect(result.stderr).toContain('not accepted on the command line');
  expect(result.stdout + result.stderr).not.toContain(canary);
});

test('a login without an address names the two ways to give one', async () => {
  const result = await runFiscal(['auth', 'login', '--stdin'], on(testHost(), canary));
  expect(result.exitCode).toBe(2);
  expect(result.stderr).toContain('--preset nfe.io');
});

test('a login to plain http on another machine is refused before anything is sent', async () => {
  const host = on(testHost(), canary);
  const words = ['auth', 'login', '--product-url', 'http://api.example.com', '--stdin'];
  const result = await runFiscal(words, host);
  expect(result.exitCode).toBe(2);
  expect(result.stderr).toContain('the host http://api.example.com must be https');
  expect(filesBelow(host.root)).toEqual([]);
});

test('a sandbox key is not sent to a service elsewhere', async () => {
  const host = on(testHost(), 'sbx_invoice_abc');
  const words = ['auth', 'login', '--product-url', 'https://api.example.com', '--stdin'];
  const result = await runFiscal(words, host);
  expect(result.exitCode).toBe(2);
  expect(result.stderr).toContain('may not be sent to api.example.com');
});

test('lines that are not keys are named by number and not repeated', async () => {
  const host = on(testHost(), `invoice=a\n${canary} x\n`);
  const result = await runFiscal(['auth', 'login', '--preset', 'nfe.io', '--stdin'], host);
  expect(result.exitCode).toBe(4);
  expect(result.stderr).toContain('line 2');
  expect(result.stderr).not.toContain(canary);
});

test('without a terminal and without --stdin the login explains how to enter keys', async () => {
  const result = await runFiscal(['auth', 'login', '--preset', 'nfe.io']);
  expect(result.exitCode).toBe(2);
  expect(result.stderr).toContain('--stdin');
});

test('list, use, status and logout describe profiles and keys without showing one', async () => {
  const server = await companies();
  const host = on(testHost(), canary);
  const login = ['auth', 'login', '--product-url', server.url, '--stdin', '--profile'];
  await runFiscal([...login, 'one'], host);
  await runFiscal([...login, 'two'], host);
  expect((await runFiscal(['auth', 'use', 'two'], host)).exitCode).toBe(0);
  const list = await runFiscal(['auth', 'status', '--all', '-o', 'json'], host);
  expect(JSON.parse(list.stdout)).toEqual([
    { type: 'profile', profile: 'one', current: false, keys: ['invoice'] },
    { type: 'profile', profile: 'two', current: true, keys: ['invoice'] },
    { type: 'profile', profile: 'sandbox', current: false, keys: ['invoice', 'data'] },
  ]);
  const status = await runFiscal(['auth', 'status', '-o', 'json'], host);
  expect(JSON.parse(status.stdout)).toEqual([
    { kind: 'invoice', present: true, scheme: 'raw', source: 'profile two' },
    { kind: 'data', present: false, problem: 'auth.no_credentials' },
  ]);
  const checked = await runFiscal(['auth', 'status', '--check', '-o', 'json'], host);
  expect(checked.exitCode).toBe(0);
  expect(JSON.parse(checked.stdout)[0]).toMatchObject({ checked: 'accepted' });
  const logout = await runFiscal(['auth', 'logout', '-o', 'json'], host);
  expect(JSON.parse(logout.stdout)).toEqual({ profile: 'two', removed: true });
  expect(await runFiscal(['auth', 'logout', '-o', 'json'], host)).toMatchObject({
    exitCode: 0,
    stderr: 'profile "two" has no stored keys\n',
  });
  const unknown = await runFiscal(['auth', 'use', 'three'], host);
  expect(unknown.exitCode).toBe(2);
  expect(unknown.stderr).toContain('known: one, two, sandbox');
});

test('a refused key is reported with its kind and source, and exits 4', async () => {
  const server = await serve(json(401, {}));
  const host = testHost({ env: { FISCAL_INVOICE_KEY: canary, FISCAL_PRODUCT_URL: server.url } });
  const result = await runFiscal(['api', 'GET', '/v2/companies', '--error-format', 'json'], host);
  expect(result.exitCode).toBe(4);
  expect(result.stdout).toBe('');
  expect(JSON.parse(result.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
    error: {
      code: 'auth.refused',
      message: 'the service refused the invoice key (from FISCAL_INVOICE_KEY)',
      keyKind: 'invoice',
      keySource: 'FISCAL_INVOICE_KEY',
      operation: 'company.list',
      httpStatus: 401,
      sent: 'yes',
      attempts: 1,
      exitCode: 4,
    },
  });
});

test('without profile and key the program explains how to log in', async () => {
  const result = await runFiscal(['api', 'GET', '/v2/companies']);
  expect(result.exitCode).toBe(4);
  expect(result.stderr).toContain('fiscal auth login');
  expect(result.stderr).toContain('--profile sandbox');
});

test('a key leaves no trace in any file of the state', async () => {
  const server = await serve(json(500, { error: { message: `echo ${canary}` } }), json(200, {}));
  const host = testHost({
    env: { FISCAL_INVOICE_KEY: canary, FISCAL_PRODUCT_URL: server.url, FISCAL_DEBUG_HTTP: '1' },
  });
  const first = await runFiscal(['api', 'GET', `/x?apikey=${canary}`], host);
  const second = await runFiscal(['api', 'GET', '/v2/companies'], host);
  expect([first.exitCode, second.exitCode]).toEqual([5, 0]);
  expect(first.stdout + first.stderr + second.stdout + second.stderr).not.toContain(canary);
  const files = filesBelow(host.root);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect(readFileSync(file).includes(canary), file).toBe(false);
});

test.each([
  [['--profile', 'sandbox'], {}, 'the profile "sandbox" is the sandbox of this machine and needs no login'],
  [
    [],
    { FISCAL_PROFILE: 'sandbox' },
    'the profile "sandbox", which FISCAL_PROFILE names, is the sandbox of this machine and needs no login',
  ],
])('a login to the sandbox (%j, %j) names the command that logs in elsewhere', async (words, env, sentence) => {
  const host = on(testHost({ env }), `invoice=${canary}\n`);
  const login = ['auth', 'login', ...words, '--stdin', '--preset', 'nfe.io', '--error-format', 'text'];
  const { exitCode, stderr } = await runFiscal(login, host);
  expect([exitCode, stderr]).toEqual([
    2,
    `fiscal: ${sentence}\n  hint: to store the keys of a service: fiscal auth login --profile <name>\n`,
  ]);
});
