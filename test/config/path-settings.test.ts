import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scene } from './support.js';

const paths = ['archive', 'budget', 'caCert'] as const;

test.each(paths)('%s is stored as an absolute path, from the folder where it was set', async (name) => {
  const { config, root, path } = scene({ file: { profiles: { acme: {} } } });
  await config.set('acme', name, '../file');
  const absolute = join(root, 'work', 'file');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ profiles: { acme: { [name]: absolute } } });
  expect(await config.get('acme', name)).toBe(absolute);
  await config.storeAnswers('acme', { hosts: {}, keys: {}, settings: { [name]: 'other' } });
  expect(await config.get('acme', name)).toBe(join(root, 'work', 'deep', 'other'));
});

test.each(paths)('%s that a person wrote relative is found from the folder of the file', async (name) => {
  const { config, root } = scene({ file: { profiles: { acme: { [name]: '../file' } } } });
  expect((await config.settings({ profile: 'acme' }))[name]).toBe(join(root, 'file'));
  const shown = await config.show({ profile: 'acme' });
  expect(shown.find((setting) => setting.name === name)?.value).toBe(join(root, 'file'));
});

test.each(paths)('%s of a flag or a variable stays as it was typed', async (name) => {
  const file = { profiles: { acme: { [name]: '/absolute' } } };
  const variable = { archive: 'FISCAL_ARCHIVE', budget: 'FISCAL_BUDGET', caCert: 'FISCAL_CA_CERT' }[name];
  const { config } = scene({ file, env: { [variable]: '../named' } });
  expect((await config.settings({ profile: 'acme' }))[name]).toBe('../named');
  expect((await config.settings({ profile: 'acme', [name]: '../typed' }))[name]).toBe('../typed');
});

test('a bucket is no path', async () => {
  const { config } = scene({ file: { profiles: { acme: { archive: 's3://notas/2026' } } } });
  expect((await config.settings({ profile: 'acme' })).archive).toBe('s3://notas/2026');
  await config.set('acme', 'archive', 'S3://notas');
  expect(await config.get('acme', 'archive')).toBe('S3://notas');
});

test('the certificates in the address of a store are a path, and nothing else of it is', async () => {
  const address = 'postgres://ana@db/fiscal?sslmode=verify-ca';
  const { config, root } = scene({ file: { profiles: { acme: { storeUrl: `${address}&sslrootcert=ca.pem` } } } });
  const certificates = async () =>
    new URL((await config.settings({ profile: 'acme' })).storeUrl ?? '').searchParams.get('sslrootcert');
  expect(await certificates()).toBe(join(root, 'config', 'ca.pem'));
  await config.set('acme', 'storeUrl', `${address}&sslrootcert=ca.pem`);
  expect(await certificates()).toBe(join(root, 'work', 'deep', 'ca.pem'));
  for (const text of [address, `${address}&sslrootcert=system`, `${address}&sslrootcert=/etc/ca.pem`]) {
    await config.set('acme', 'storeUrl', text);
    expect(await config.get('acme', 'storeUrl')).toBe(text);
  }
});

test.each(paths)('%s is refused in a project file, whose folder may be that of a stranger', async (name) => {
  const { config } = scene({ file: { profiles: { acme: {} } }, project: { [name]: 'file' } });
  await expect(config.settings({ profile: 'acme' })).rejects.toMatchObject({ code: 'config.not_in_project' });
});
