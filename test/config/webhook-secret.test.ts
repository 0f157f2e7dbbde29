import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openConfig } from '../../src/config/open.js';
import { findWebhookSecrets, storedWebhookSecrets, withWebhookSecret } from '../../src/config/credentials.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const secret = '0123456789abcdef0123456789abcdef';

test('secrets are stored by webhook, replaced and removed without changing the rest of the profile', () => {
  const first = withWebhookSecret({ tenant: 't-1' }, 'w-1', 'one');
  const second = withWebhookSecret(first, 'w-2', 'two');
  expect(withWebhookSecret(second, 'w-1', 'three')).toEqual({
    tenant: 't-1',
    webhookSecrets: { 'w-2': 'two', 'w-1': 'three' },
  });
  expect(withWebhookSecret(first, 'w-1', undefined)).toEqual({ tenant: 't-1' });
  expect(storedWebhookSecrets({ webhookSecrets: { a: 'x', b: 7 } })).toEqual({ a: 'x' });
  expect(storedWebhookSecrets({ webhookSecrets: 'no' })).toEqual({});
});

test('the environment takes precedence over the profile', async () => {
  const stored = { 'w-1': 'one', 'w-2': 'two' };
  expect(await findWebhookSecrets({}, stored)).toEqual([
    { secret: 'one', source: 'webhook w-1' },
    { secret: 'two', source: 'webhook w-2' },
  ]);
  expect(await findWebhookSecrets({ FISCAL_WEBHOOK_SECRET: secret }, stored)).toEqual([
    { secret, source: 'FISCAL_WEBHOOK_SECRET' },
  ]);
});

test('they are stored in the file of the keys, which only its owner can read', async () => {
  const root = temporaryFolder();
  const directories = {
    config: join(root, 'config'),
    ...{ state: join(root, 'state'), data: join(root, 'data'), cache: join(root, 'cache') },
  };
  const config = openConfig({ directories, env: {}, cwd: root });
  await config.storeWebhookSecret('sandbox', 'w-1', secret);
  expect(await config.webhookSecrets('sandbox')).toEqual({ 'w-1': secret });
  expect(await config.webhookSecrets('other')).toEqual({});
  expect(statSync(config.path).mode & 0o777).toBe(0o600);
  expect(readFileSync(config.path, 'utf8')).toContain(secret);
  expect(JSON.stringify(await config.show({ profile: 'sandbox' }))).not.toContain(secret);
});
