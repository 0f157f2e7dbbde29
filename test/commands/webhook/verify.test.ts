import { createHash, createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../support/clock.js';
import { runFiscal, testHost } from '../../support/host.js';

const secret = 'canary-of-a-secret-0123456789-abcdefgh';
const body = '{"action":"product.active","payload":{"id":"p1","name":"Açaí"}}';
const signature = createHmac('sha1', secret).update(body).digest('hex');
const sha256 = createHash('sha256').update(body).digest('hex');

async function verify(stdin: string | Uint8Array, words: readonly string[], clock = new FakeClock()) {
  const host = testHost({ stdin, clock });
  writeFileSync(join(host.cwd, 's.txt'), `# the old one\nanother-secret-of-before\n${secret}\n`);
  const result = await runFiscal(['webhook', 'verify', ...words, '-o', 'json'], host);
  expect([result.stdout.includes(secret), result.stderr.includes(secret)]).toEqual([false, false]);
  return { ...result, data: result.stdout === '' ? undefined : (JSON.parse(result.stdout) as unknown) };
}

describe('webhook verify', () => {
  test.each([`sha1=${signature}`, `sha1=${signature.toUpperCase()}`])('accepts %s', async (header) => {
    const result = await verify(body, ['--secret-file', 's.txt', '--signature', header]);
    const data = { type: 'webhook-signature', scheme: 'hub-sha1', verdict: 'genuine', valid: true };
    const bytes = Buffer.byteLength(body);
    expect([result.exitCode, result.data]).toEqual([0, { ...data, bytes, sha256, secretSource: 's.txt' }]);
  });

  test.each([
    [`${body} `, `sha1=${signature}`],
    [body, `sha1=${signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))}`],
    [body, signature],
    ['', `sha1=${signature}`],
    [new Uint8Array([0xff, 0]), `sha1=${signature}`],
  ])('exits 2 for another body or signature (%#)', async (stdin, header) => {
    const result = await verify(stdin, ['--secret-file', 's.txt', '--signature', header]);
    expect([result.exitCode, result.data]).toMatchObject([2, { verdict: 'wrong', valid: false }]);
  });

  test('supports the scheme with a time, and refuses a delivery from another time', async () => {
    const clock = new FakeClock();
    const at = Math.floor(clock.now() / 1000);
    const signed = createHmac('sha256', secret).update(`m1.${at}.${body}`).digest('base64');
    const words = ['--scheme', 'standard-webhooks', '--secret-file', 's.txt', '--id', 'm1'];
    const all = [...words, '--timestamp', String(at), '--signature', `v1,${signed}`];
    expect((await verify(body, all, clock)).data).toMatchObject({ verdict: 'genuine', valid: true });
    await clock.sleep(6 * 60_000);
    const late = await verify(body, all, clock);
    expect([late.exitCode, late.data]).toMatchObject([2, { verdict: 'stale', valid: false }]);
    const missing = await verify(body, words);
    expect([missing.exitCode, missing.stderr.includes('--signature, --timestamp')]).toEqual([2, true]);
  });

  test('refuses a secret that is shorter than 16 characters, in a file of several and in the environment', async () => {
    const short = '0123456789abcde';
    const sign = (key: string) => `sha1=${createHmac('sha1', key).update(body).digest('hex')}`;
    const verifyWith = async (file: string, env: Record<string, string>, signature: string) => {
      const host = testHost({ stdin: body, env });
      writeFileSync(join(host.cwd, 's.txt'), file);
      const from = file === '' ? [] : ['--secret-file', 's.txt'];
      const words = ['webhook', 'verify', ...from, '--signature', signature, '-o', 'json'];
      const { exitCode, stdout, stderr } = await runFiscal(words, host);
      return { exitCode, stdout, isRefused: stderr.includes('webhook.unusable_secret') };
    };
    const refused = { exitCode: 2, stdout: '', isRefused: true };
    expect(await verifyWith(`${secret}\n${short}\n`, {}, sign(secret))).toEqual(refused);
    expect(await verifyWith('', { FISCAL_WEBHOOK_SECRET: short }, sign(short))).toEqual(refused);
    const least = `${short}f`;
    expect((await verifyWith(least, {}, sign(least))).exitCode).toBe(0);
  });

  test('reports what is missing before it reads', async () => {
    const none = await verify(body, ['--signature', `sha1=${signature}`]);
    expect([none.exitCode, none.stderr.includes('webhook.no_secret')]).toEqual([4, true]);
    const without = await verify(body, ['--secret-file', 's.txt']);
    expect([without.exitCode, without.stderr.includes('--signature')]).toEqual([2, true]);
    const stdin = await verify(body, ['--secret-file', '-', '--signature', 'sha1=0']);
    expect(stdin.exitCode).toBe(2);
    const mixed = await verify(body, ['--secret-file', 's.txt', '--signature', 'sha1=0', '--id', 'x']);
    expect(mixed.exitCode).toBe(2);
  });

  test('uses the secret of the environment', async () => {
    const host = testHost({ stdin: body, env: { FISCAL_WEBHOOK_SECRET: secret } });
    const argv = ['webhook', 'verify', '--signature', `sha1=${signature}`, '--query', 'secretSource'];
    expect(await runFiscal([...argv, '-o', 'json'], host)).toMatchObject({
      exitCode: 0,
      stdout: '"FISCAL_WEBHOOK_SECRET"\n',
    });
  });

  test('an endless body is not read to its end', async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield await Promise.resolve(new Uint8Array(1024 * 1024));
    }
    const host = testHost({ stdin: endless(), env: { FISCAL_WEBHOOK_SECRET: secret } });
    const result = await runFiscal(['webhook', 'verify', '--signature', `sha1=${signature}`], host);
    expect([result.exitCode, result.stderr.includes('16 MiB')]).toEqual([2, true]);
  });
});
