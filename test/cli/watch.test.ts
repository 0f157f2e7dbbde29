import { expect, test } from 'vitest';
import { newJob } from '../store/samples.js';
import { FakeClock } from '../support/clock.js';
import { runFiscal, testHost, type TestHost } from '../support/host.js';
import { seed } from '../commands/seed.js';

/** A terminal whose user presses Ctrl-C after so many readings. */
function watcher(readings: number, { rows = 24, ...env }: { rows?: number; [name: string]: string | number } = {}) {
  const stop = new AbortController();
  const clock = new FakeClock();
  const slept: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    slept.push(ms);
    await clock.sleep(ms);
    if (slept.length === readings) stop.abort(new Error('Ctrl-C'));
    stop.signal.throwIfAborted();
  };
  const own = { now: () => clock.now(), uptime: () => clock.uptime(), sleep };
  const variables = { NO_COLOR: '1', ...Object.fromEntries(Object.entries(env).map(([k, v]) => [k, String(v)])) };
  const plain = testHost({ clock: own, isTerminal: true, interruption: stop.signal, env: variables });
  const { stdout } = plain;
  const tall = { ...stdout, isTerminal: true, columns: 80, closed: false, rows };
  const host: TestHost = { ...plain, stdout: tall };
  return { host, slept };
}

const screensOf = (text: string) => text.split('\u001B[H').slice(1);

test('a list is read and drawn again until Ctrl-C, which ends it with 130 and without a word', async () => {
  const { host, slept } = watcher(2);
  const { exitCode, stdout, stderr } = await runFiscal(['job', 'list', '--watch', '--every', '5s'], host);
  expect({ exitCode, stderr, slept }).toEqual({ exitCode: 130, stderr: '', slept: [5_000, 5_000] });
  const screens = screensOf(stdout);
  expect(screens).toHaveLength(2);
  expect(screens[0]).toContain('read at 2026-01-15 09:00, again every 5s; Ctrl-C ends\u001B[K\n');
});

test('a first reading that fails leaves what stands on the screen', async () => {
  const { host } = watcher(1);
  const { exitCode, stdout } = await runFiscal(['status', '--watch', '--profile', 'nobody'], host);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
});

test('what arrives between two readings is on the second screen', async () => {
  const { host } = watcher(2);
  const { clock } = host;
  let count = 0;
  const sleep: typeof clock.sleep = async (ms, signal) => {
    count += 1;
    if (count === 1)
      await seed(host, (store) => store.jobs.create(newJob({ id: 'job-new', profile: 'environment' }), []));
    await clock.sleep(ms, signal);
  };
  const { stdout } = await runFiscal(['job', 'list', '--watch'], { ...host, clock: { ...clock, sleep } });
  expect(screensOf(stdout).map((screen) => screen.includes('job-new'))).toEqual([false, true]);
});

test('a table longer than the screen is cut to it, and says so', async () => {
  const { host } = watcher(1, { rows: 8 });
  await seed(host, async (store) => {
    for (let n = 0; n < 15; n += 1)
      await store.jobs.create(newJob({ id: `job-${n}`, inputDigest: `${n}`, profile: 'environment' }), []);
  });
  const { stdout } = await runFiscal(['job', 'list', '--watch', '--lang', 'pt-BR'], host);
  const [screen = ''] = screensOf(stdout);
  expect(screen.split('\n')).toHaveLength(8);
  expect(screen).toMatch(/\(mais \d+ linhas\)/);
});

test.each([
  [['status', '-o', 'ndjson'], {}, '--watch draws a table and does not go with -o ndjson'],
  [['usage'], { TERM: 'dumb' }, '--watch needs a terminal that can be drawn again'],
  [['inbound', 'list', '--type', 'nfe', '--every', '5s'], {}, 'at least 30s is expected'],
  [['manifestation', 'due', '--ics', 'a.ics'], {}, '--watch has no effect with --ics'],
])('%j --watch with %o is refused before anything is read', async (words, env, sentence) => {
  const { host, slept } = watcher(1, env);
  const { exitCode, stdout, stderr } = await runFiscal([...words, '--watch', '--error-format', 'text'], host);
  expect({ exitCode, stdout, slept }).toEqual({ exitCode: 2, stdout: '', slept: [] });
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(sentence);
});

test('--watch is refused in a pipe', async () => {
  const { exitCode, stderr } = await runFiscal(['sandbox', 'ledger', '--watch', '--error-format', 'text']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--watch needs a terminal');
});
