import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../../src/domain/world.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';

/** §4 promises no id in a 409: what stands at the service has to be found, or said to be unknown. */
let host: TestHost;
let nfeKey: string;
let nfseKey: string;
beforeEach(async () => {
  host = testHost({ env: { FISCAL_PROFILE: 'sandbox' } });
  nfeKey = (await sandbox('seed', '--documents', '1', '-o', 'id')).trim();
  nfseKey = (await sandbox('seed', '--documents', '1', '--family', 'nfse', '-o', 'id')).trim();
});

const wait = ['--wait', '--interval', '200ms', '--settle-time', '4s'];

async function submit(from: TestHost, key: string, event: string) {
  const { exitCode, stdout, stderr } = await runFiscal(
    ['manifestation', 'submit', key, '--event', event, '--yes', ...wait],
    from,
  );
  return { exitCode, status: stdout === '' ? undefined : (JSON.parse(stdout).status as string), stderr };
}

function otherMachine(): TestHost {
  const env = { ...host.env, FISCAL_STATE_DIR: join(host.root, 'other-state') };
  return testHost({ env, cwd: host.cwd });
}

async function sandbox(...argv: string[]) {
  const { exitCode, stdout, stderr } = await runFiscal(['sandbox', ...argv], host);
  if (exitCode !== 0) throw new Error(stderr);
  return stdout;
}

test.each([
  ['NF-e', () => nfeKey, 'confirmation'],
  ['NFS-e', () => nfseKey, 'confirm'],
])('an event of an %s that another machine sent is found, and its outcome is reported', async (_name, keyOf, event) => {
  const key = keyOf();
  expect(await submit(host, key, event)).toMatchObject({ exitCode: 0, status: 'Accepted' });
  expect(await submit(otherMachine(), key, event)).toMatchObject({ exitCode: 0, status: 'Accepted' });
});

test('our own interrupted send that the authority rejects is never reported as done', async () => {
  await sandbox('fault', 'add', '--of', 'authority', '--outcome', 'reject', '--count', '1', '--delay', '2s');
  await sandbox('fault', 'add', '--kind', 'cut-after', '--operation', 'nfe.manifestation.submit', '--count', '1');
  const ended = await submit(host, nfeKey, 'confirmation');
  expect(ended).toMatchObject({ exitCode: 3, status: undefined });
  expect(ended.stderr).toContain('how it ended cannot be read');
});

test('our own interrupted send that the authority accepts is found and followed', async () => {
  await sandbox('fault', 'add', '--kind', 'cut-after', '--operation', 'nfe.manifestation.submit', '--count', '1');
  await sandbox('fault', 'add', '--of', 'authority', '--outcome', 'accept', '--delay', '2s');
  expect(await submit(host, nfeKey, 'confirmation')).toMatchObject({ exitCode: 0, status: 'Accepted' });
});

test('an event accepted without an id ends immediately without --wait, and the printed command finds it', async () => {
  await sandbox('fault', 'add', '--of', 'authority', '--outcome', 'accept', '--delay', '3s');
  const operation = ['--operation', 'nfe.manifestation.submit', '--count', '1'];
  await sandbox('fault', 'add', '--kind', 'empty-body', ...operation);
  const words = ['manifestation', 'submit', nfeKey, '--event', 'confirmation', '--yes'];
  const pauses: number[] = [];
  const sleep: Clock['sleep'] = async (ms, signal) => {
    await host.clock.sleep(ms, signal);
    pauses.push(ms);
  };
  const watched = { ...host, clock: { ...host.clock, sleep } };
  const { exitCode, stdout, stderr } = await runFiscal([...words, '--error-format', 'json'], watched);
  // The settle time is longer. A pause that is broken off does not count.
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(10_000);
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as {
    error: { code: string; sent: string; jobId: string; resume: string };
  };
  expect({ exitCode, stdout, ...error }).toMatchObject({
    exitCode: 8,
    stdout: '',
    code: 'outcome.still_pending',
    sent: 'unknown',
    resume: expect.stringMatching(`^fiscal job resume ${error.jobId} --wait`),
  });
  const resumed = await runFiscal(error.resume.split(' ').slice(1), host);
  expect(resumed.exitCode).toBe(0);
});
