import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/start.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';

/** A machine that knows its account only by the environment. */
async function machine(): Promise<TestHost & { readonly companyId: string }> {
  const sandbox = await startSandbox({ path: ':memory:' });
  onTestFinished(() => sandbox.close());
  const { invoiceKey, companyId } = sandbox.ready;
  const env = { FISCAL_PRODUCT_URL: sandbox.url, FISCAL_INVOICE_KEY: invoiceKey };
  return { ...testHost({ env }), companyId };
}

async function json(host: TestHost, ...words: string[]): Promise<unknown> {
  const { exitCode, stdout, stderr } = await runFiscal([...words, '-o', 'json'], host);
  return exitCode === 0 ? JSON.parse(stdout) : stderr;
}

test('keys in the environment are enough to store a setting and an alias, which later runs use', async () => {
  const host = await machine();
  const { companyId } = host;
  expect(await json(host, 'config', 'set', 'archive', 's3://documents/fiscal')).toEqual({
    ...{ profile: 'environment', name: 'archive', value: 's3://documents/fiscal' },
  });
  expect(await json(host, 'company', 'alias', 'acme', companyId)).toMatchObject({ profile: 'environment', companyId });
  expect(await json(host, 'backfill', 'show', '--company', 'acme')).toMatchObject({ companyId });
  const settings = await json(host, 'config', 'list', '--show-origin');
  expect(settings).toEqual(
    expect.arrayContaining([{ name: 'archive', value: 's3://documents/fiscal', origin: 'profile environment' }]),
  );
});

test('what such a run sends is known to the runs after a setting was stored', async () => {
  const host = await machine();
  const seeded = await json(host, 'webhook', 'create', 'http://127.0.0.1:1/', '--dry-run');
  expect(seeded).toBeTypeOf('object');
  await json(host, 'company', 'list', '--all');
  const before = await json(host, 'history', 'list');
  await json(host, 'config', 'set', 'quiet', 'false');
  const after = await json(host, 'history', 'list');
  expect(after).toEqual(before);
});

test('the profile that is in use goes before what runs without one have stored', async () => {
  const host = await machine();
  await json(host, 'config', 'set', 'archive', 's3://documents/fiscal');
  const { exitCode, stderr } = await runFiscal(
    ['config', 'get', 'archive', '-o', 'json', '--profile', 'sandbox'],
    host,
  );
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('config.not_set')]);
});

test('without a profile and a key nothing is stored', async () => {
  const host = testHost();
  expect(await json(host, 'config', 'set', 'archive', 's3://documents/fiscal')).toContain('auth.no_profile');
  expect(await json(host, 'company', 'alias', 'acme', 'c1')).toContain('auth.no_profile');
});
