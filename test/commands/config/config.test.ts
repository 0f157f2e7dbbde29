import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFiscal, testHost } from '../../support/host.js';

test('list shows the source of each value', async () => {
  const host = testHost({ env: { FISCAL_READ_TIMEOUT: '9s', FISCAL_PROXY: 'http://me:canary@proxy:1' } });
  writeFileSync(join(host.cwd, '.fiscalrc.json'), '{"company":"c1"}');
  const result = await runFiscal(
    ['config', 'list', '--show-origin', '--profile', 'sandbox', '-o', 'json', '--concurrency', '2'],
    host,
  );
  expect(result.exitCode).toBe(0);
  const rows: readonly { name: string; origin: string }[] = JSON.parse(result.stdout);
  const named = (name: string) => rows.find((row) => row.name === name);
  expect(['profile', 'company', 'tenant', 'readTimeout', 'concurrency', 'color', 'proxy'].map(named)).toEqual(
    [
      { name: 'profile', value: 'sandbox', origin: 'flag --profile' },
      { name: 'company', value: 'c1', origin: `project ${join(host.cwd, '.fiscalrc.json')}` },
      { name: 'tenant', value: '5a0dbe11-7e57-4c0d-9a6e-00000000c0de', origin: 'profile sandbox' },
      { name: 'readTimeout', value: 9_000, origin: 'environment FISCAL_READ_TIMEOUT' },
      { name: 'concurrency', value: 2, origin: 'flag --concurrency' },
      { name: 'color', value: 'auto', origin: 'default' },
      { name: 'proxy', value: 'http://***@proxy:1', origin: 'environment FISCAL_PROXY' },
    ],
  );
  expect(result.stdout).not.toContain('canary');
  expect(result.stdout).not.toContain('sbx_');
});

test.each(['http://me:can@ary@proxy:1', 'http://me:1/can@ary@proxy:1', 'me:can@ary@proxy:1'])(
  'no part of the password of the proxy %s is shown, by no command of the settings',
  async (proxy) => {
    const host = testHost({ env: { FISCAL_PROFILE: 'acme' } });
    mkdirSync(join(host.root, 'config'));
    writeFileSync(join(host.root, 'config', 'config.json'), '{"profiles":{"acme":{}}}');
    await runFiscal(['config', 'set', 'proxy', proxy], host);
    writeFileSync(
      join(host.root, 'config', 'config.json'),
      JSON.stringify({ profiles: { acme: { proxy } } }),
    );
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

test('path prints the files of this run', async () => {
  const host = testHost();
  const result = await runFiscal(['config', 'path', '-o', 'json'], host);
  expect(JSON.parse(result.stdout)).toEqual({
    config: join(host.root, 'config', 'config.json'),
    state: join(host.root, 'state'),
    data: join(host.root, 'data'),
  });
});
