import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { liveSecrets } from '../../../src/commands/webhook/signing-secrets.js';
import { FakeClock } from '../../support/clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const parts = (stored: Record<string, string>, env: Record<string, string> = {}) => {
  const clock = new FakeClock();
  const told: string[] = [];
  const folder = temporaryFolder();
  const context = {
    clock,
    env,
    cwd: folder,
    notice: (text: { en: string }) => Promise.resolve(void told.push(text.en)),
    settings: () => Promise.resolve({ profile: 'acme' }),
    config: () => Promise.resolve({ webhookSecrets: () => Promise.resolve({ ...stored }) }),
    // Only these parts of a context are used.
  } as unknown as Parameters<typeof liveSecrets>[0];
  return { context, clock, told, folder };
};

test('a secret that is stored later is used, and a replaced one is not', async () => {
  const stored: Record<string, string> = {};
  const { context, clock, told } = parts(stored);
  const live = await liveSecrets(context, undefined);
  expect([live.secrets, told.length]).toEqual([[], 1]);
  stored['w1'] = 'first';
  expect([await live.renew(), live.secrets]).toEqual([true, ['first']]);
  stored['w1'] = 'second';
  expect([await live.renew(), live.secrets]).toEqual([false, ['first']]);
  clock.advance(100);
  expect([await live.renew(), live.secrets]).toEqual([true, ['second']]);
  clock.advance(100);
  expect([await live.renew(), live.secrets]).toEqual([false, ['second']]);
});

test('a file is read again, and the known secret is kept if it is removed', async () => {
  const { context, clock, folder } = parts({});
  const path = join(folder, 's.txt');
  writeFileSync(path, 'first\n');
  const live = await liveSecrets(context, 's.txt');
  writeFileSync(path, 'second\nfirst\n');
  expect([await live.renew(), live.secrets]).toEqual([true, ['second', 'first']]);
  rmSync(path);
  clock.advance(100);
  expect([await live.renew(), live.secrets]).toEqual([false, ['second', 'first']]);
});

test('the secret of the environment does not change', async () => {
  const { context } = parts({ w1: 'stored' }, { FISCAL_WEBHOOK_SECRET: 'given' });
  const live = await liveSecrets(context, undefined);
  expect([live.secrets, await live.renew()]).toEqual([['given'], false]);
});
