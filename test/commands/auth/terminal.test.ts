import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { json, serve } from '../../client/support/server.js';
import { runFiscal, testHost, type TestHost, type TestHostOptions } from '../../support/host.js';
import { FakeTerminal } from '../../support/terminal.js';

const companies = () => serve(json(200, { companies: [], hasMore: false }));
const down = '\u001b[B';

function atTerminal(options: TestHostOptions = {}) {
  const terminal = new FakeTerminal();
  const host = testHost({
    ...options,
    isTerminal: true,
    terminal: () => ({ input: terminal.input, output: terminal.output }),
  });
  const config = (): unknown => JSON.parse(readFileSync(join(host.root, 'config', 'config.json'), 'utf8'));
  return { terminal, host, config };
}

function keepProfiles(host: TestHost, profiles: Readonly<Record<string, unknown>>): void {
  mkdirSync(join(host.root, 'config'));
  writeFileSync(join(host.root, 'config', 'config.json'), JSON.stringify({ profiles }));
}

test('a login asks for the service, then for the keys, and says which profile shadows it', async () => {
  const server = await companies();
  const { terminal, host, config } = atTerminal({ env: { FISCAL_PROFILE: 'sandbox' } });
  const login = runFiscal(['auth', 'login', '--profile', 'acme'], host);
  await terminal.shows('Another address');
  expect(terminal.drawn).toContain('nfe.io  (api.nfse.io, api.nfe.io, …)');
  expect(terminal.drawn).not.toContain('The sandbox of this machine');
  terminal.type(`${down}\r`);
  await terminal.shows('product API');
  terminal.type(`${server.url}\r`);
  await terminal.shows('query API');
  terminal.type('\r');
  await terminal.shows('service API');
  terminal.type('\r');
  await terminal.shows('Invoice key');
  terminal.type('canary-1\r');
  await terminal.shows('Data key');
  terminal.type('\r');
  const { exitCode, stderr } = await login;
  expect([exitCode, config()]).toEqual([
    0,
    { current: 'acme', profiles: { acme: { hosts: { product: server.url }, keys: { invoice: 'canary-1' } } } },
  ]);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    'commands use the profile "sandbox", which FISCAL_PROFILE names, not "acme"; for "acme", unset FISCAL_PROFILE or give --profile acme',
  );
  expect(terminal.drawn).not.toContain('canary-1');
});

test('a login chooses the sandbox without a key', async () => {
  const { terminal, host, config } = atTerminal();
  const login = runFiscal(['auth', 'login', '--lang', 'pt-BR'], host);
  await terminal.shows('O sandbox desta máquina');
  terminal.type(`${down}${down}\r`);
  expect((await login).exitCode).toBe(0);
  expect(config()).toEqual({ current: 'sandbox', profiles: {} });
});

test('a second login keeps the addresses that the profile has', async () => {
  const server = await companies();
  const { terminal, host, config } = atTerminal();
  keepProfiles(host, { default: { hosts: { product: server.url } } });
  const login = runFiscal(['auth', 'login'], host);
  await terminal.shows('Keep the addresses');
  terminal.type('\r');
  await terminal.shows('Invoice key');
  terminal.type('canary-2\r');
  await terminal.shows('Data key');
  terminal.type('\r');
  expect((await login).exitCode).toBe(0);
  expect(config()).toMatchObject({
    profiles: { default: { hosts: { product: server.url }, keys: { invoice: 'canary-2' } } },
  });
});

test('list and use say that FISCAL_PROFILE names another profile', async () => {
  const host = testHost({ env: { FISCAL_PROFILE: 'sandbox' } });
  keepProfiles(host, { acme: {} });
  const use = await runFiscal(['auth', 'use', 'acme'], host);
  expect(use.exitCode).toBe(0);
  const notice = 'commands use the profile "sandbox", which FISCAL_PROFILE names, not "acme"';
  expect(use.stderr).toContain(notice);
  expect((await runFiscal(['auth', 'status', '--all'], host)).stderr).toContain(notice);
  expect((await runFiscal(['auth', 'use', 'sandbox'], host)).stderr).toBe('');
});
