import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/start.js';
import { runFiscal, testHost } from '../../support/host.js';
import { startPostgres } from '../../support/postgres.js';
import { BUCKET, S3Server } from '../../support/s3-server.js';
import { records } from '../seed.js';

interface Line {
  readonly check: string;
  readonly status: string;
  readonly found: { readonly en: string };
  readonly advice?: { readonly en: string };
}

/** `doctor --ci` on a machine with this environment, and an account with a company. */
async function examined(more: Readonly<Record<string, string>> = {}, roles?: readonly string[]) {
  const sandbox = await startSandbox({ path: ':memory:' });
  onTestFinished(() => sandbox.close());
  let key = sandbox.ready.invoiceKey;
  if (roles !== undefined) {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ roles });
    const answer = await fetch(`${sandbox.url}/__sandbox/keys`, { method: 'POST', headers, body });
    ({ key } = (await answer.json()) as { key: string });
  }
  const host = testHost({ env: { CI: 'true', FISCAL_PRODUCT_URL: sandbox.url, FISCAL_INVOICE_KEY: key, ...more } });
  const { exitCode, stdout, stderr } = await runFiscal(['doctor', '--ci', '-o', 'ndjson'], host);
  const lines = records(stdout) as unknown as readonly Line[];
  const of = (check: string): readonly Line[] => lines.filter((line) => line.check === check);
  return { exitCode, of, text: stdout + stderr, key };
}

test('a throw-away runner reads that its store and its documents go with it, and still exits 0', async () => {
  const { exitCode, of, text, key } = await examined();
  expect(exitCode).toBe(0);
  expect([of('shared store')[0]?.status, of('shared store')[0]?.advice?.en]).toEqual([
    'warn',
    'set FISCAL_STORE_URL or FISCAL_STORE_URL_FILE to a PostgreSQL server',
  ]);
  expect([of('archive')[0]?.status, of('archive')[0]?.advice?.en]).toEqual([
    'warn',
    'set FISCAL_ARCHIVE=s3://bucket/prefix',
  ]);
  expect(
    ['role Management', 'variables', 'step summary', 'service', 'clock'].map((name) => of(name)[0]?.status),
  ).toEqual([...['ok', 'ok', 'ok', 'ok', 'ok']]);
  expect(text).not.toContain(key);
});

test('with a shared store, a bucket and a summary all is well, and no password is shown', async () => {
  const [postgres, s3] = [await startPostgres(), await S3Server.start()];
  onTestFinished(async () => {
    await postgres.stop();
    await s3.stop();
  });
  const summary = join(testHost().root, 'summary.md');
  writeFileSync(summary, '');
  const { exitCode, of, text } = await examined({
    ...{ FISCAL_STORE_URL: await postgres.newDatabase(), FISCAL_ARCHIVE: `s3://${BUCKET}/ci` },
    ...{ ...s3.env, AWS_REGION: 'sa-east-1', GITHUB_STEP_SUMMARY: summary },
  });
  expect(exitCode).toBe(0);
  const names = ['shared store', 'archive', 'step summary', 'variables'];
  expect(names.map((name) => of(name)[0]?.status)).toEqual(['ok', 'ok', 'ok', 'ok']);
  for (const secret of Object.values(s3.env).filter((value) => value.startsWith('canary')))
    expect(text).not.toContain(secret);
});

test('a bucket that refuses the login, a summary that cannot be written and a misspelt variable each end with 13', async () => {
  const s3 = await S3Server.start();
  onTestFinished(async () => await s3.stop());
  const refused = {
    ...s3.env,
    AWS_REGION: 'sa-east-1',
    AWS_ACCESS_KEY_ID: 'another',
    FISCAL_ARCHIVE: `s3://${BUCKET}/ci`,
  };
  const bucket = await examined(refused);
  expect([bucket.exitCode, bucket.of('archive')[0]?.status]).toEqual([13, 'problem']);
  const summary = await examined({ GITHUB_STEP_SUMMARY: '/nowhere/summary.md' });
  expect([summary.exitCode, summary.of('step summary')[0]?.status]).toEqual([13, 'problem']);
  const { exitCode, of, text } = await examined({ FISCAL_ARCHVE: 'a-secret-value' });
  expect([exitCode, of('variables')]).toEqual([
    13,
    [
      expect.objectContaining({
        status: 'problem',
        found: expect.objectContaining({ en: 'FISCAL_ARCHVE is set and means nothing' }),
        advice: expect.objectContaining({ en: 'set FISCAL_ARCHIVE instead, or remove it' }),
      }),
    ],
  ]);
  expect(text).not.toContain('a-secret-value');
});

test('variables of which only one counts, and a key without the role, are notes', async () => {
  const { exitCode, of } = await examined({ FISCAL_INVOICE_KEY_FILE: '/run/secrets/key', FISCAL_STATS: '10s' }, [
    'NFSeDist',
  ]);
  expect([exitCode, of('variables').map(({ status, found }) => [status, found.en])]).toEqual([
    0,
    [['warn', 'FISCAL_INVOICE_KEY goes before FISCAL_INVOICE_KEY_FILE']],
  ]);
  expect(of('role Management')[0]).toMatchObject({ status: 'warn', found: { en: 'the key lacks it' } });
});
