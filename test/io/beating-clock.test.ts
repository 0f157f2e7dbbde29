import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/start.js';
import { seed } from '../commands/seed.js';
import { newItem, newJob, newWorker, noon, prepared } from '../store/samples.js';
import { FakeClock } from '../support/clock.js';
import { runFiscal, testHost } from '../support/host.js';
import { BUCKET, S3Server } from '../support/s3-server.js';

/** A service that asks for waits of two minutes, and a run without a terminal on a clock that jumps over them. */
async function limited(words: readonly string[]) {
  const sandbox = await startSandbox({ path: ':memory:' });
  onTestFinished(() => sandbox.close());
  await fetch(`${sandbox.url}/__sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: '429', retryAfter: 120, count: 1 }),
  });
  const clock = new FakeClock(Date.UTC(2026, 0, 15, 12));
  const env = { FISCAL_PRODUCT_URL: sandbox.url, FISCAL_INVOICE_KEY: sandbox.ready.invoiceKey };
  const { exitCode, stderr } = await runFiscal(words, testHost({ env, clock }));
  return {
    exitCode,
    lines: stderr.split('\n').filter((line) => line.startsWith('waiting')),
    url: new URL(sandbox.url),
  };
}

test('a wait is written to a log now and then, with what is waited for and until when', async () => {
  const { exitCode, lines, url } = await limited(['company', 'list']);
  expect(exitCode).toBe(0);
  const line = `waiting for the next attempt at ${url.host}, at 2026-01-15 09:02`;
  expect(lines).toEqual([line, line, line, line]);
});

test('a wait for an object store that is overloaded is written to a log', async () => {
  const server = await S3Server.start({ fault: () => ({ status: 503, code: 'SlowDown' }) });
  onTestFinished(() => server.stop());
  const host = testHost({ env: { ...server.env, FISCAL_PROFILE: 'sandbox' }, clock: new FakeClock() });
  const { exitCode, stderr } = await runFiscal(['inbound', 'verify', '--archive', `s3://${BUCKET}/a`], host);
  expect(exitCode).toBe(5);
  const line = `waiting for the object store of the archive s3://${BUCKET}/a, which does not answer or is overloaded`;
  // Five minutes, one line each 30 seconds.
  const lines = stderr.split('\n').filter((each) => each.startsWith('waiting'));
  expect([...new Set(lines)]).toEqual([line]);
  expect(lines.length).toBeGreaterThan(7);
  expect(lines.length).toBeLessThan(11);
});

test('with --quiet a wait is silent', async () => {
  expect(await limited(['company', 'list', '--quiet'])).toMatchObject({ exitCode: 0, lines: [] });
});

test('who waits for a runner that died on another machine reads until when', async () => {
  const clock = new FakeClock(noon + 10);
  const host = testHost({ clock, env: { FISCAL_INVOICE_KEY: 'k', FISCAL_PRODUCT_URL: 'http://127.0.0.1:9' } });
  await seed(host, async ({ jobs, workers, items }) => {
    await workers.register(newWorker({ expiresAt: noon + 180_000 }));
    await jobs.create(newJob({ profile: 'environment' }), []);
    await jobs.append('job-1', [newItem(1)], noon);
    await jobs.seal('job-1', noon);
    await items.claim(prepared);
  });
  const { stderr } = await runFiscal(['job', 'resume', 'job-1', '--lock-wait', '2m'], host);
  const awaited =
    'waiting for process 4711, which works on this job; unless it renews it, its lease ends at 2026-05-04 09:03';
  const lines = stderr.split('\n').filter((line) => line.startsWith('job job-1: '));
  expect(lines).toEqual(
    ['30 s', '1 min 00 s', '1 min 30 s', '2 min 00 s'].map((age) => `job job-1: 0/1 (0 %), ${awaited}, ${age}`),
  );
});
