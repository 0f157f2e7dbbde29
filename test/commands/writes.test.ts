import { exampleLine } from '../../src/cli/command.js';
import { describe, expect, test } from 'vitest';
import { writes } from '../../src/commands/writes.js';
import { json, serve } from '../client/support/server.js';
import { FakeClock } from '../support/clock.js';
import { loadCommands } from '../support/commands.js';
import { runFiscal, testHost } from '../support/host.js';

const commands = await loadCommands();

test('every command that writes exists', () => {
  expect([...writes].filter((name) => !commands.has(name))).toEqual([]);
});

/** The words of each example of a command that writes, with the consent that it needs. */
const lines = [...writes].flatMap((name) =>
  (commands.get(name)?.examples ?? [])
    .map((example) => exampleLine(name, example))
    .filter((line) => !/[|<>'"]|--dry-run|--wait/.test(line))
    .map((line) => [name, line] as const),
);

function environmentOf(url: string) {
  const hosts = ['PRODUCT', 'QUERY', 'SERVICE', 'LEGAL_ENTITY', 'NATURAL_PERSON', 'ADDRESS'];
  return {
    FISCAL_INVOICE_KEY: 'i-key',
    FISCAL_DATA_KEY: 'd-key',
    FISCAL_TENANT: 't1',
    ...Object.fromEntries(hosts.map((host) => [`FISCAL_${host}_URL`, url])),
  };
}

/** Commands whose examples read before they write, without a file that the test would have to write. */
const readers = new Set<string>();

describe('a command that is stopped by what it reads before it writes', () => {
  test.each(lines)('%s: %s', { timeout: 30_000 }, async (name, line) => {
    const server = await serve(json(503, { error: { code: 'down', message: 'soon' } }));
    const env = environmentOf(server.url);
    const words = line.split(' ').slice(1);
    const yes = words.includes('--yes') ? [] : ['--yes'];
    const host = testHost({ env, clock: new FakeClock(Date.now()), companies: ['c1'] });
    const { exitCode, stderr } = await runFiscal([...words, ...yes, '--error-format', 'json'], host, {
      isServiceHostile: true,
    });
    const [first] = server.seen;
    if (first === undefined || server.seen.some(({ method }) => method !== 'GET')) return;
    readers.add(name);
    const last = stderr.trimEnd().split('\n').at(-1) ?? '';
    expect([exitCode, last.startsWith('{"type":"error"') ? last : '']).toEqual([
      expect.any(Number),
      expect.not.stringMatching(/"sent":"(?:yes|unknown)"/),
    ]);
  });

  test('is tried with many of them', () => {
    expect(readers.size).toBeGreaterThan(5);
  });
});

test('a job that is stopped by the reading before its send was not sent, and the same command sends it once', async () => {
  let isDown = true;
  const server = await serve((request, response) => {
    const answer = (status: number, data: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data));
    };
    if (isDown) answer(503, { error: { code: 'down', message: 'soon' } });
    else if (request.method === 'POST') answer(201, { id: 's1', companyId: 'c1', status: 'Active' });
    else answer(200, { stateTaxes: [], hasMore: false });
  });
  const env = environmentOf(server.url);
  const host = testHost({ env, companies: ['c1'] });
  const words =
    'company registration create --company c1 --state SP --tax-number 110042490114 --type NFe --environment Test --serie 1 --number 1 --max-retry-wait 0s --yes -o json';
  const stopped = await runFiscal(words.split(' '), host);
  const { error } = JSON.parse(stopped.stderr.trimEnd().split('\n').at(-1) ?? '');
  expect(error).toMatchObject({ sent: 'no', jobId: expect.any(String) });
  expect(new Set(server.seen.map(({ method }) => method))).toEqual(new Set(['GET']));
  const shown = await runFiscal(['job', 'items', error.jobId, '-o', 'json'], host);
  expect(JSON.parse(shown.stdout)).toMatchObject([{ state: 'prepared', attempts: 0 }]);
  isDown = false;
  await runFiscal(words.split(' '), host);
  expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
