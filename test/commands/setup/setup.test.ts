import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { json, serve } from '../../client/support/server.js';
import { runFiscal, testHost, type TestHost, type TestHostOptions } from '../../support/host.js';
import { FakeTerminal } from '../../support/terminal.js';

const canary = 'canary-9b1c';
const down = '\u001b[B';

const account = () =>
  serve(
    json(200, {
      companies: [
        { id: 'c1', name: 'Padaria Sol Ltda', federalTaxNumber: 12345678000195 },
        { id: 'c2', name: 'Mercado Azul Ltda', federalTaxNumber: 11222333000181 },
      ],
      hasMore: false,
    }),
  );

function atTerminal(options: TestHostOptions = {}) {
  const terminal = new FakeTerminal();
  const host = testHost({
    ...options,
    isTerminal: true,
    terminal: () => ({ input: terminal.input, output: terminal.output }),
  });
  return { terminal, host };
}

function home(host: TestHost): TestHost {
  return { ...host, env: { ...host.env, HOME: host.root, SHELL: '/bin/bash' } };
}

function configOf(host: TestHost): unknown {
  const path = join(host.root, 'config', 'config.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

async function answer(terminal: FakeTerminal, steps: readonly (readonly [shows: string, keys: string])[]) {
  for (const [shows, keys] of steps) {
    await terminal.shows(shows);
    terminal.type(keys);
  }
}

test('a person is asked for everything, and everything is stored at the end', async () => {
  const server = await account();
  const { terminal, host: bare } = atTerminal();
  const host = home(bare);
  const setup = runFiscal(['setup'], host);
  await answer(terminal, [
    ['Which service?', `${down}\r`],
    ['product API', `${server.url}\r`],
    ['query API', '\r'],
    ['service API', '\r'],
    ['Invoice key', `${canary}\r`],
    ['Data key', '\r'],
    ['11.222.333/0001-81', `${down}\r`],
  ]);
  await terminal.shows('Folder of the archive');
  expect(configOf(host)).toBeUndefined();
  await answer(terminal, [
    ['Folder of the archive', `\u0015${join(host.root, 'notas')}\r`],
    ['Add it?', 'y\r'],
  ]);
  const { exitCode, stdout, stderr } = await setup;
  expect(stderr).toMatch(/this line at the end of\s+\S+\.bashrc:\n {2}eval "\$\(fiscal completion bash\)"\n/);
  expect([exitCode, configOf(host)]).toEqual([
    0,
    {
      current: 'default',
      profiles: {
        default: {
          hosts: { product: server.url },
          keys: { invoice: canary },
          company: 'c2',
          archive: join(host.root, 'notas'),
        },
      },
    },
  ]);
  expect(readFileSync(join(host.root, '.bashrc'), 'utf8')).toBe('eval "$(fiscal completion bash)"\n');
  expect(stdout).toContain('Mercado Azul Ltda  11.222.333/0001-81');
  expect(stdout).toContain('it answers and accepts the invoice key');
  expect(stripVTControlCharacters(stdout)).toMatch(
    /Next:\n {2}fiscal doctor --probe\n {2}fiscal inbound sync\n {2}fiscal status\n$/,
  );
  expect(stdout + terminal.drawn).not.toContain(canary);
  const folder = await runFiscal(['config', 'get', 'archive'], host);
  expect(folder.stdout.trim()).toContain('notas');
});

test('Ctrl-C at the last question leaves nothing behind', async () => {
  const server = await account();
  const { terminal, host: bare } = atTerminal();
  const host = home(bare);
  const setup = runFiscal(['setup', '--product-url', server.url, '--company', 'padaria', '--archive', 'n'], host);
  await answer(terminal, [
    ['Invoice key', `${canary}\r`],
    ['Data key', '\r'],
    ['Add it?', '\u0003'],
  ]);
  expect((await setup).exitCode).not.toBe(0);
  expect([configOf(host), existsSync(join(host.root, '.bashrc'))]).toEqual([undefined, false]);
});

test('without a terminal the options are the answers, and only they change at the next setup', async () => {
  const server = await account();
  const host = home(testHost());
  writeFileSync(join(host.cwd, 'keys.txt'), `invoice=${canary}\n`);
  writeFileSync(join(host.root, '.bashrc'), 'alias l=ls');
  const words = ['setup', '--profile', 'acme', '--product-url', server.url, '--keys-file', 'keys.txt'];
  const first = await runFiscal([...words, '--company', '12.345.678/0001-95', '-o', 'json'], host);
  expect(first.exitCode).toBe(0);
  expect(JSON.parse(first.stdout)).toMatchObject({
    profile: 'acme',
    current: true,
    keys: ['invoice'],
    company: { id: 'c1', name: 'Padaria Sol Ltda' },
    next: ['fiscal doctor --probe', 'fiscal inbound sync', 'fiscal status'],
  });
  for (const _again of [1, 2]) {
    const again = await runFiscal(['setup', '--archive', '/srv/notas', '--completion', 'bash'], host);
    expect(again.exitCode).toBe(0);
  }
  expect(configOf(host)).toEqual({
    current: 'acme',
    profiles: {
      acme: { hosts: { product: server.url }, keys: { invoice: canary }, company: 'c1', archive: '/srv/notas' },
    },
  });
  expect(readFileSync(join(host.root, '.bashrc'), 'utf8')).toBe('alias l=ls\neval "$(fiscal completion bash)"\n');
});

test('without a terminal every missing option is named at once, and nothing is sent', async () => {
  const host = testHost();
  const { exitCode, stderr } = await runFiscal(['setup', '--company', 'padaria'], host);
  expect([exitCode, configOf(host)]).toEqual([2, undefined]);
  expect(stderr).toContain('missing: --service, --keys-file');
});

test('a refused key and an unknown company store nothing', async () => {
  const refusing = await serve(json(401, { message: `bad ${canary}` }));
  const server = await account();
  for (const [url, company, code] of [
    [refusing.url, 'padaria', 4],
    [server.url, 'nobody', 9],
  ] as const) {
    const host = { ...testHost(), stdin: { isTerminal: false, read: () => once(canary) } };
    const words = ['setup', '--product-url', url, '--keys-file', '-', '--company', company];
    const { exitCode, stderr } = await runFiscal([...words, '--max-retry-wait', '1ms'], host);
    expect([exitCode, configOf(host)]).toEqual([code, undefined]);
    expect(stderr).not.toContain(canary);
  }
});

test('keys and address are kept when nobody could be reached, and need not be typed again', async () => {
  const host = { ...testHost(), stdin: { isTerminal: false, read: () => once(`invoice=${canary}\ndata=d-${canary}`) } };
  const product = 'http://127.0.0.1:1';
  const words = ['setup', '--product-url', product, '--keys-file', '-', '--max-retry-wait', '1ms'];
  const { exitCode, stdout, stderr } = await runFiscal(words, host);
  expect([exitCode, stdout, stderr]).toEqual([5, '', expect.stringContaining('are stored unchecked')]);
  expect(stderr).not.toContain(canary);
  expect(configOf(host)).toEqual({
    current: 'default',
    profiles: { default: { hosts: { product }, keys: { invoice: canary, data: `d-${canary}` } } },
  });
  const server = await account();
  const again = await runFiscal(['setup', '--product-url', server.url, '--company', 'padaria', '--dry-run'], host);
  expect(again.exitCode).toBe(0);
});

test('another address is kept beside the stored keys when nobody could be reached', async () => {
  const host = testHost();
  const keys = { invoice: canary };
  mkdirSync(join(host.root, 'config'));
  const before = { profiles: { default: { hosts: { product: 'http://127.0.0.1:1' }, keys } } };
  writeFileSync(join(host.root, 'config', 'config.json'), JSON.stringify(before));
  const product = 'http://127.0.0.1:2';
  const { exitCode, stderr } = await runFiscal(['setup', '--product-url', product, '--max-retry-wait', '1ms'], host);
  expect([exitCode, stderr]).toEqual([5, expect.stringContaining('address and keys are stored unchecked')]);
  expect(configOf(host)).toEqual({ current: 'default', profiles: { default: { hosts: { product }, keys } } });
});

async function* once(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield new TextEncoder().encode(text);
}

test('a known service that is named is not missing, and one answer is changed without a terminal', async () => {
  const named = await runFiscal(['setup', '--service', 'nfe.io', '--keys-file', 'none.txt'], testHost());
  expect(named.stderr).toContain('none.txt');
  expect(named.stderr).not.toContain('missing');
  const host = testHost();
  await runFiscal(['setup', '--service', 'sandbox'], host);
  const { exitCode } = await runFiscal(['setup', '--archive', '/srv/notas'], host);
  expect([exitCode, configOf(host)]).toEqual([
    0,
    { current: 'sandbox', profiles: { sandbox: { archive: '/srv/notas' } } },
  ]);
});

test('the sandbox needs no key', async () => {
  const host = testHost();
  const { exitCode, stdout } = await runFiscal(['setup', '--service', 'sandbox', '-o', 'json'], host);
  expect([exitCode, configOf(host)]).toEqual([0, { current: 'sandbox', profiles: { sandbox: {} } }]);
  const { checks, next } = JSON.parse(stdout) as { checks: { check: string; status: string }[]; next: string[] };
  expect(checks.find(({ check }) => check === 'service')?.status).toBe('ok');
  expect(next[0]).toBe('fiscal sandbox seed --documents 3');
});

test('a dry run stores nothing', async () => {
  const host = home(testHost());
  const words = ['setup', '--service', 'sandbox', '--archive', 'notas', '--completion', 'zsh', '--dry-run'];
  expect((await runFiscal(words, host)).exitCode).toBe(0);
  expect([configOf(host), existsSync(join(host.root, '.zshrc'))]).toEqual([undefined, false]);
});

test('the folder of the profile is the folder of the archive', async () => {
  const host = testHost({ env: { FISCAL_PROFILE: 'sandbox' } });
  await runFiscal(['setup', '--service', 'sandbox', '--archive', 'notas'], host);
  const sync = await runFiscal(['inbound', 'verify', '-o', 'json'], host);
  expect(sync.stdout + sync.stderr).toContain(join(host.cwd, 'notas'));
});

test('the first screen offers the setup to a person without a profile', async () => {
  const { terminal, host } = atTerminal();
  const first = runFiscal([], host);
  await terminal.shows('Set up a profile now?');
  terminal.type('y\r');
  await terminal.shows('Which service?');
  terminal.type('\u0003');
  expect((await first).stdout).toContain('Usage: fiscal');
  mkdirSync(join(host.root, 'config'), { recursive: true });
  writeFileSync(join(host.root, 'config', 'config.json'), '{"profiles":{"acme":{}}}');
  const later = await runFiscal([], host);
  expect([later.exitCode, later.stderr]).toEqual([0, '']);
});

test('the first screen asks nothing where a key is set', async () => {
  const { host } = atTerminal({ env: { FISCAL_INVOICE_KEY: 'k' } });
  expect((await runFiscal([], host)).exitCode).toBe(0);
});
