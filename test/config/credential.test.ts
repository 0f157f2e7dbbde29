import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { secretFromEnvironment } from '../../src/config/credentials.js';
import type { Environment } from '../../src/domain/world.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { errorOf, scene } from './support.js';

const file = {
  current: 'acme',
  profiles: { acme: { keys: { invoice: 'stored-invoice', jwt: 'stored-jwt' } }, bare: {} },
};

async function credential(kind: 'invoice' | 'data', env: Environment, profile?: string) {
  const { config } = scene({ file, env });
  return await config.credential(kind, await config.settings(profile === undefined ? {} : { profile }));
}

function keyFile(text: string): string {
  const path = join(temporaryFolder(), 'key');
  writeFileSync(path, text);
  chmodSync(path, 0o600);
  return path;
}

test('the environment takes precedence over the profile, and a value over a file over a command', async () => {
  const env = {
    FISCAL_INVOICE_KEY: 'plain',
    FISCAL_INVOICE_KEY_FILE: keyFile('in-file\n'),
    FISCAL_INVOICE_KEY_COMMAND: 'echo from-command',
  };
  const { FISCAL_INVOICE_KEY: _plain, ...withoutPlain } = env;
  const { FISCAL_INVOICE_KEY_FILE: _file, ...onlyCommand } = withoutPlain;
  expect([
    await credential('invoice', env),
    await credential('invoice', withoutPlain),
    await credential('invoice', { ...onlyCommand, PATH: process.env['PATH'] }),
    await credential('invoice', { FISCAL_INVOICE_KEY: '' }),
  ]).toEqual([
    { kind: 'invoice', scheme: 'raw', secret: 'plain', source: 'FISCAL_INVOICE_KEY' },
    { kind: 'invoice', scheme: 'raw', secret: 'in-file', source: 'FISCAL_INVOICE_KEY_FILE' },
    { kind: 'invoice', scheme: 'raw', secret: 'from-command', source: 'FISCAL_INVOICE_KEY_COMMAND' },
    { kind: 'invoice', scheme: 'raw', secret: 'stored-invoice', source: 'profile acme' },
  ]);
});

test('a JWT is used for a kind without a key at the same level', async () => {
  expect([
    await credential('data', {}),
    await credential('invoice', { FISCAL_JWT: 'env-jwt' }),
    await credential('data', { FISCAL_JWT: 'env-jwt', FISCAL_DATA_KEY: 'd' }),
  ]).toEqual([
    { kind: 'data', scheme: 'bearer', secret: 'stored-jwt', source: 'profile acme' },
    { kind: 'invoice', scheme: 'bearer', secret: 'env-jwt', source: 'FISCAL_JWT' },
    { kind: 'data', scheme: 'raw', secret: 'd', source: 'FISCAL_DATA_KEY' },
  ]);
});

test('the built-in profile has the keys of the sandbox', async () => {
  const invoice = await credential('invoice', {}, 'sandbox');
  const data = await credential('data', {}, 'sandbox');
  expect([invoice.source, invoice.secret.slice(0, 4), data.secret.slice(0, 4)]).toEqual([
    'profile sandbox',
    'sbx_',
    'sbx_',
  ]);
});

test('a missing profile is distinguished from a profile without the key', async () => {
  const { config } = scene();
  const none = await errorOf(config.credential('invoice', await config.settings({})));
  expect([none.code, none.exitCode, none.facts.hint?.en]).toEqual([
    'auth.no_profile',
    4,
    'log in with: fiscal auth login   or try the built-in service with: --profile sandbox',
  ]);
  const bare = await errorOf(credential('data', {}, 'bare'));
  expect([bare.code, bare.exitCode, bare.facts.keyKind]).toEqual(['auth.no_credentials', 4, 'data']);
});

test.each([
  ['can ary', 'FISCAL_INVOICE_KEY'],
  ['can\nary', 'FISCAL_INVOICE_KEY'],
  ['can\u001bary', 'FISCAL_INVOICE_KEY'],
  ['canáry', 'FISCAL_INVOICE_KEY'],
  ['  ', 'FISCAL_INVOICE_KEY'],
  [`canary${'x'.repeat(9_000)}`, 'FISCAL_INVOICE_KEY'],
])('the text %j is not a key, and is not shown', async (text, source) => {
  const error = await errorOf(credential('invoice', { FISCAL_INVOICE_KEY: text }));
  expect([error.code, error.exitCode, error.facts.keySource]).toEqual(['auth.unusable_key', 4, source]);
  expect(error.text.en).not.toContain('can');
});

test('a key file that is missing or too large is reported by its variable', async () => {
  const missing = await errorOf(credential('invoice', { FISCAL_INVOICE_KEY_FILE: '/no/such/file' }));
  expect(missing.text.en).toBe('the content of FISCAL_INVOICE_KEY_FILE is not a key: it does not exist (ENOENT)');
  const large = await errorOf(credential('invoice', { FISCAL_INVOICE_KEY_FILE: keyFile('x'.repeat(20_000)) }));
  expect(large.text.en).toBe('the content of FISCAL_INVOICE_KEY_FILE is not a key: it is too long');
});

test.each([
  ['echo canary >&2; echo canary; exit 3', 'exit code 3'],
  ['head -c 100000 /dev/zero', 'its output is too long'],
])('a command that fails (%s) is reported without its output', async (command, reason) => {
  const env = { FISCAL_INVOICE_KEY_COMMAND: command, PATH: process.env['PATH'] };
  const error = await errorOf(credential('invoice', env));
  expect([error.code, error.exitCode, error.text.en]).toEqual([
    'auth.key_command_failed',
    4,
    `the command in FISCAL_INVOICE_KEY_COMMAND did not give a key: ${reason}`,
  ]);
});

test('a command that hangs is killed, and one that prompts gets no input', async () => {
  const env = { K_COMMAND: 'sleep 30', PATH: process.env['PATH'] };
  const error = await errorOf(secretFromEnvironment('K', env, 100));
  expect(error.text.en).toBe('the command in K_COMMAND did not give a key: no answer within 0.1 s');
  const file = join(temporaryFolder(), 'pid');
  const parent = { K_COMMAND: `sleep 30 & echo $! > ${file}; wait`, PATH: process.env['PATH'] };
  await expect(secretFromEnvironment('K', parent, 400)).rejects.toThrow('no answer within 0.4 s');
  const child = Number(readFileSync(file, 'utf8'));
  await expect.poll(() => isAlive(child)).toBe(false);
  const asking = { K_COMMAND: 'read answer; echo "got:$answer"', PATH: process.env['PATH'] };
  expect(await secretFromEnvironment('K', asking)).toEqual({ secret: 'got:', source: 'K_COMMAND' });
});

test('stored keys are listed by kind, and removed without the other settings', async () => {
  const { config } = scene({ file });
  await config.set('acme', 'tenant', 't');
  expect(await config.storedKeys('acme')).toEqual(['invoice', 'jwt']);
  await config.storeKeys('acme', { data: 'd' });
  expect(await config.storedKeys('acme')).toEqual(['invoice', 'data', 'jwt']);
  expect([await config.removeKeys('acme'), await config.removeKeys('acme')]).toEqual([true, false]);
  expect(await config.get('acme', 'tenant')).toBe('t');
});

/** A zombie, which nobody has waited for, has ended. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
