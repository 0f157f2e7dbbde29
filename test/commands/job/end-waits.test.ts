import { expect, test } from 'vitest';
import { json, serve } from '../../client/support/server.js';
import { runFiscal, type TestHost } from '../../support/host.js';
import { records } from '../seed.js';
import { profileHost } from '../webhook/profile-host.js';

const canary = 'key-of-the-pace-test-0123456789';

const later = (retryAfter: string) =>
  json(429, { error: { code: 'busy', message: 'later' } }, { 'retry-after': retryAfter });

async function fiscal(host: TestHost, ...words: string[]) {
  const before = host.written().stderr.length;
  const { exitCode } = await runFiscal([...words, '--error-format', 'text'], host);
  return { exitCode, stderr: host.written().stderr.slice(before) };
}

async function jsonOf(host: TestHost, ...words: string[]): Promise<unknown> {
  const before = host.written().stdout.length;
  await runFiscal([...words, '-o', 'json'], host);
  return JSON.parse(host.written().stdout.slice(before));
}

const inFifteenMinutes = () => {
  const now = Date.now();
  return expect.toSatisfy((text: string) => Math.abs(Date.parse(text) - now - 900_000) < 300_000);
};

test.each([
  ['9999999999', '317 years', 9_999_999_999],
  ['99999999999999999999', '1000 years', 31_557_600_000],
  ['Tue, 01 Jan 2999 00:00:00 GMT', expect.stringMatching(/^97[0-9] years$/), expect.any(Number)],
])('a Retry-After of %s is believed for 15 minutes, shown, and ended by a reset', async (header, years, seconds) => {
  const server = await serve(later(header), json(200, { companies: [], hasMore: false }));
  const { host: address } = new URL(server.url);
  const host = profileHost(server.url, canary);
  const listed = await fiscal(host, 'company', 'list');
  const [, asked] = /asked for a wait of (.*?); requests wait 15 minutes/.exec(listed.stderr) ?? [];
  expect([listed.exitCode, asked]).toEqual([12, years]);
  expect(listed.stderr).toContain('requests to the service wait 900 s, longer than --max-retry-wait allows');
  expect(listed.stderr).toContain('to end the wait: fiscal job resume --end-waits\n');
  const held = await fiscal(host, 'company', 'list');
  expect([held.exitCode, server.seen.length]).toEqual([12, 1]);
  expect(held.stderr).toMatch(/requests to the service wait (?:900|8\d\d) s/);
  expect(held.stderr).toContain(`asked for a wait of ${asked ?? ''}`);
  const wait = { host: address, until: inFifteenMinutes(), askedSeconds: seconds };
  expect(await jsonOf(host, 'store', 'status')).toMatchObject({ waits: [wait] });
  const doctor = await runFiscal(['doctor', '-o', 'ndjson'], host);
  expect(records(doctor.stdout)).toContainEqual(expect.objectContaining({ check: `wait ${address}`, status: 'warn' }));
  expect(await jsonOf(host, 'job', 'resume', '--end-waits', '--dry-run')).toMatchObject({
    dryRun: true,
    ended: [wait],
  });
  expect(await jsonOf(host, 'job', 'resume', '--end-waits')).toEqual({ type: 'waits', profile: 'acme', ended: [wait] });
  expect(await jsonOf(host, 'store', 'status')).toMatchObject({ waits: [] });
  const again = await fiscal(host, 'company', 'list');
  expect([again.exitCode, server.seen.length]).toEqual([0, 2]);
});

test('--max-believed-wait says how much is believed; with 0 the service is asked again as without Retry-After', async () => {
  const server = await serve(later('600'), json(200, { companies: [], hasMore: false }));
  const host = profileHost(server.url, canary);
  const words = ['company', 'list', '--max-believed-wait'];
  const short = await fiscal(host, ...words, '20s', '--max-retry-wait', '10s');
  expect([short.exitCode, server.seen.length]).toEqual([12, 1]);
  expect(short.stderr).toContain('asked for a wait of 10 minutes; requests wait 20 seconds');
  expect(await jsonOf(host, 'job', 'resume', '--end-waits')).toMatchObject({ ended: [{ askedSeconds: 600 }] });
  const other = await serve(later('600'), json(200, { companies: [], hasMore: false }));
  const ignoring = profileHost(other.url, canary);
  expect((await fiscal(ignoring, ...words, '0')).exitCode).toBe(0);
  expect([other.seen.length, await jsonOf(ignoring, 'store', 'status')]).toMatchObject([2, { waits: [] }]);
});
