import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runFiscal, testHost } from '../../support/host.js';
import { BUCKET, type S3Fault, S3Server } from '../../support/s3-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

interface Refusal {
  readonly exitCode: number;
  readonly en: string;
  readonly pt: string;
  readonly fault?: S3Fault;
  readonly env?: Readonly<Record<string, string>>;
  readonly bucket?: string;
}

const region = { exitCode: 2, en: 'another region', pt: 'outra região' };
const login = { exitCode: 4, en: 'refuses the login', pt: 'recusa o acesso' };

const refusals: Readonly<Record<string, Refusal>> = {
  'a missing bucket': { exitCode: 9, en: 'there is no bucket', pt: 'não existe o bucket', bucket: 'not-there' },
  'a denied object': {
    ...{ exitCode: 7, en: 'too few rights', pt: 'poucos direitos' },
    fault: { status: 403, code: 'AccessDenied' },
  },
  'a clock that the server does not accept': {
    ...{ exitCode: 2, en: 'the clock of this machine', pt: 'o relógio desta máquina' },
    fault: { status: 403, code: 'RequestTimeTooSkewed' },
  },
  'a wrong region': { ...region, fault: { status: 400, code: 'AuthorizationHeaderMalformed' } },
  'the endpoint of another region': { ...region, fault: { status: 301, code: 'PermanentRedirect' } },
  'an unknown key': { ...login, env: { AWS_ACCESS_KEY_ID: 'other-key' } },
  'a wrong secret': { ...login, fault: { status: 403, code: 'SignatureDoesNotMatch' } },
  'an expired session token': { ...login, fault: { status: 400, code: 'ExpiredToken' } },
  'no credentials at all': {
    ...{ exitCode: 4, en: 'no credentials', pt: 'sem credenciais' },
    env: { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' },
  },
  'plain http to another machine': {
    ...{ exitCode: 2, en: 'is no https:// address', pt: 'não é https://' },
    env: { AWS_ENDPOINT_URL: 'http://objects.example.com' },
  },
};

test.each(Object.entries(refusals))('%s is one sentence, and nothing is written', async (_, refusal) => {
  // What the client of the object store finds beside the environment of the run.
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE']) vi.stubEnv(name, '');
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  vi.stubEnv('HOME', temporaryFolder());
  const { exitCode, fault, env, bucket = BUCKET } = refusal;
  const server = await S3Server.start({ fault: () => fault });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await server.stop();
  });
  const archive = temporaryFolder();
  mkdirSync(join(archive, 'c'));
  writeFileSync(join(archive, 'c/1.xml'), '<nfeProc/>');
  const patience = { FISCAL_MAX_RETRY_WAIT: '1s', FISCAL_PROFILE: 'sandbox' };
  const host = testHost({ env: { ...server.env, ...patience, ...env } });
  for (const language of ['en', 'pt'] as const) {
    const words = ['--from', archive, '--to', `s3://${bucket}/c`, '--lang', language];
    const copied = await runFiscal(['inbound', 'archive', 'copy', ...words, '--error-format', 'text'], host);
    expect([copied.exitCode, copied.stdout, copied.stderr]).toEqual([
      exitCode,
      '',
      expect.stringContaining(refusal[language]),
    ]);
    expect(copied.stderr).not.toMatch(/canary|\u001b| {4}at /);
  }
  expect([...server.objects.keys()]).toEqual([]);
});
