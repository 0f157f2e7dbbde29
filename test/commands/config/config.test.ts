import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { json, serve } from '../../client/support/server.js';
import { runFiscal, testHost } from '../../support/host.js';

test('list shows the source of each value', async () => {
  const host = testHost({ env: { FISCAL_READ_TIMEOUT: '9s', FISCAL_PROXY: 'http://me:canary@proxy:1' } });
  writeFileSync(join(host.cwd, '.fiscalrc.json'), '{"company":"c1","utc":true}');
  const result = await runFiscal(
    ['config', 'list', '--show-origin', '--profile', 'sandbox', '-o', 'json', '--concurrency', '2'],
    host,
  );
  expect(result.exitCode).toBe(0);
  const rows: readonly { name: string; origin: string }[] = JSON.parse(result.stdout);
  const named = (name: string) => rows.find((row) => row.name === name);
  expect(['profile', 'company', 'utc', 'tenant', 'readTimeout', 'concurrency', 'color', 'proxy'].map(named)).toEqual([
    { name: 'profile', value: 'sandbox', origin: 'flag --profile' },
    { name: 'company', value: '5a0dbe11-7e57-4c0d-9a6e-000000c09a27', origin: 'profile sandbox' },
    { name: 'utc', value: true, origin: `project ${join(host.cwd, '.fiscalrc.json')}` },
    { name: 'tenant', value: '5a0dbe11-7e57-4c0d-9a6e-00000000c0de', origin: 'profile sandbox' },
    { name: 'readTimeout', value: 9_000, origin: 'environment FISCAL_READ_TIMEOUT' },
    { name: 'concurrency', value: 2, origin: 'flag --concurrency' },
    { name: 'color', value: 'auto', origin: 'default' },
    { name: 'proxy', value: 'http://***@proxy:1', origin: 'environment FISCAL_PROXY' },
  ]);
  expect(result.stderr).toBe(
    `${join(host.cwd, '.fiscalrc.json')} sets utc true for this run and cannot change company: it only fills a scope that is open, and tightens what protects; see: fiscal config list --show-origin --profile sandbox\n`,
  );
  expect(result.stdout).not.toContain('canary');
  expect(result.stdout).not.toContain('sbx_');
});

test.each([
  ['en', 'sets company c1, rps 2 for this run and cannot change quiet, settleTime:'],
  ['pt', 'define company c1, rps 2 nesta execução e não pode mudar quiet, settleTime:'],
])('the first write of a run says what the project file set, once: %s', async (lang, words) => {
  const server = await serve(json(201, { id: 'p1', sku: 'a', status: 'Active' }));
  const env = { FISCAL_LANG: lang, FISCAL_INVOICE_KEY: 'i-key', FISCAL_PRODUCT_URL: server.url, FISCAL_TENANT: 't1' };
  const host = testHost({ env });
  const project = { company: 'c1', rps: 2, quiet: true, settleTime: '0s' };
  writeFileSync(join(host.cwd, '.fiscalrc.json'), JSON.stringify(project));
  writeFileSync(join(host.cwd, 'product.json'), '{"sku":"a"}');
  const write = ['api', 'POST', '/t1/products', '--data-file', 'product.json', '--yes'];
  const written = await runFiscal(write, host);
  expect([written.exitCode, written.stderr.split(words).length]).toEqual([0, 2]);
  const read = await runFiscal(['api', 'GET', '/t1/products/p1'], host);
  expect([read.exitCode, read.stderr]).toEqual([0, '']);
});

test.each(['http://me:can@ary@proxy:1', 'http://me:1/can@ary@proxy:1', 'me:can@ary@proxy:1'])(
  'no part of the password of the proxy %s is shown, by no command of the settings',
  async (proxy) => {
    const host = testHost({ env: { FISCAL_PROFILE: 'acme' } });
    mkdirSync(join(host.root, 'config'));
    writeFileSync(join(host.root, 'config', 'config.json'), '{"profiles":{"acme":{}}}');
    await runFiscal(['config', 'set', 'proxy', proxy], host);
    writeFileSync(join(host.root, 'config', 'config.json'), JSON.stringify({ profiles: { acme: { proxy } } }));
    for (const words of [
      ['get', 'proxy'],
      ['list', '--show-origin', '-o', 'json'],
      ['list', '--proxy', proxy],
    ])
      await runFiscal(['config', ...words], host);
    await runFiscal(['company', 'list', '--proxy', proxy, '--debug-http', '-v'], host);
    await runFiscal(['doctor', '-o', 'json'], host);
    const { stdout, stderr } = host.written();
    expect(stdout + stderr).not.toMatch(/can@|ary@|me:/);
  },
);

test('set, get and unset affect one setting of the current profile', async () => {
  const host = testHost({ env: { FISCAL_PROFILE: 'sandbox' } });
  expect(await runFiscal(['config', 'set', 'read-timeout', '12s', '-o', 'json'], host)).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  expect((await runFiscal(['config', 'get', 'readTimeout'], host)).stdout).toBe('12s\n');
  const unset = await runFiscal(['config', 'unset', 'readTimeout', '-o', 'json'], host);
  expect(JSON.parse(unset.stdout)).toEqual({ profile: 'sandbox', name: 'readTimeout', removed: true });
  const gone = await runFiscal(['config', 'get', 'readTimeout', '--error-format', 'text'], host);
  expect([gone.exitCode, gone.stdout]).toEqual([2, '']);
  expect(gone.stderr).toContain('profile "sandbox" does not set "readTimeout"');
});

test('the shape of a list is set in a profile of your own, and only for an operation that answers with a list', async () => {
  const host = testHost({ env: { FISCAL_PROFILE: 'acme' } });
  mkdirSync(join(host.root, 'config'));
  writeFileSync(join(host.root, 'config', 'config.json'), '{"profiles":{"acme":{}}}');
  const shape = 'shapes.nfse.inbound.list';
  expect((await runFiscal(['config', 'set', shape, 'array'], host)).exitCode).toBe(0);
  expect((await runFiscal(['config', 'get', shape], host)).stdout).toBe('array\n');
  const listed = await runFiscal(['config', 'list', '--show-origin', '-o', 'json'], host);
  expect(JSON.parse(listed.stdout)).toContainEqual({ name: shape, value: 'array', origin: 'profile acme' });
  expect((await runFiscal(['config', 'unset', shape], host)).exitCode).toBe(0);
  const refused = await runFiscal(
    ['config', 'set', 'shapes.product.get', 'array', '--lang', 'pt-BR', '--error-format', 'text'],
    host,
  );
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('não existe a configuração "shapes.product.get"');
  expect(refused.stderr).toContain('company.list');
});

test('without a profile nothing can be set, and the program explains how to create one', async () => {
  const result = await runFiscal(['config', 'set', 'tenant', 't']);
  expect(result.exitCode).toBe(4);
  expect(result.stderr).toContain('fiscal auth login');
});

test('a damaged file is named, in both languages', async () => {
  const host = testHost();
  await runFiscal(['config', 'set', 'output', 'json', '--profile', 'sandbox'], host);
  const path = join(host.root, 'config', 'config.json');
  writeFileSync(path, '{');
  const english = await runFiscal(['config', 'list', '--error-format', 'text'], host);
  const portuguese = await runFiscal(['config', 'list', '--lang', 'pt-BR', '--error-format', 'text'], host);
  expect([english.exitCode, portuguese.exitCode]).toEqual([2, 2]);
  expect(english.stderr).toContain(`the configuration ${path} is not valid: it is not JSON`);
  expect(portuguese.stderr).toContain(`a configuração ${path} não é válida: não é JSON`);
});

test('list has the files of this run, and get one of them', async () => {
  const host = testHost();
  const result = await runFiscal(['config', 'list', '-o', 'json'], host);
  const rows = JSON.parse(result.stdout) as readonly { readonly name: string }[];
  expect(rows.filter(({ name }) => name.startsWith('files.'))).toEqual([
    { name: 'files.config', value: join(host.root, 'config', 'config.json') },
    { name: 'files.state', value: join(host.root, 'state') },
    { name: 'files.data', value: join(host.root, 'data') },
  ]);
  expect((await runFiscal(['config', 'get', 'files.state'], host)).stdout).toBe(`${join(host.root, 'state')}\n`);
});
