import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { onTestFinished, expect, test } from 'vitest';
import { control, ended, newWorld, products, put, start, withEnv, withSandbox, type World } from './program.js';

/*
 * A thousand hostile answers at once, in the place of those of the sandbox: the memory of the program stays bounded, and what is
 * genuine among them is served.
 */

const HOSTILE = 1_000;
const GENUINE = 20;
/**
 * Of the whole program, in MB: Node 20 needs about 260 and Node 24, which gives memory back later, about 370; bodies of 32 MB
 * instead of 8 MB took 656 on Node 20.
 */
const MOST_MB = 500;

const chunk = Buffer.alloc(65_536, 0x20);
const bomb = gzipSync(Buffer.alloc(200_000_000, 0x20), { level: 1 });

/** What a hostile service answers: without an end, packed, false, cut, broken, or elsewhere again and again. */
const answers: readonly ((incoming: IncomingMessage, outgoing: ServerResponse) => void)[] = [
  (_incoming, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    const more = (): void => {
      while (!outgoing.destroyed && outgoing.write(chunk));
      if (!outgoing.destroyed) outgoing.once('drain', more);
    };
    outgoing.on('error', () => undefined);
    more();
  },
  (_incoming, outgoing) =>
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb),
  (_incoming, outgoing) => outgoing.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":{}}]'),
  (_incoming, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"id":');
    outgoing.destroy();
  },
  (_incoming, outgoing) => outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<html>\u001b[2J</html>'),
  ({ url }, outgoing) => outgoing.writeHead(302, { location: url ?? '/' }).end(),
];

/** Answers in a hostile way whatever `isHostile` says; the sandbox answers the rest. */
async function before(
  target: string,
  isHostile: (incoming: IncomingMessage, body: string) => boolean,
): Promise<string> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (part: Buffer) => chunks.push(part));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      if (isHostile(incoming, body.toString())) return answers[turn++ % answers.length]?.(incoming, outgoing);
      const { method, headers } = incoming;
      const onward = request(target + (incoming.url ?? ''), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      onward.end(body);
      return undefined;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs the program and reads the most memory that it had. */
async function measured(world: World, ...argv: string[]) {
  const peak = join(world.root, 'peak');
  const observer = put(world, 'observe.cjs', '');
  const write = `require('node:fs').writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS))`;
  writeFileSync(observer, `process.on('exit', () => ${write});\n`);
  const run = await ended(start(world, argv, { env: { NODE_OPTIONS: `--require ${observer}` } }));
  return { ...run, megabytes: Number(readFileSync(peak, 'utf8')) / 1_024 };
}

const patience = ['--read-timeout', '5s', '--max-retry-wait', '1s', '--concurrency', '16'];

async function sandbox(isHostile: (incoming: IncomingMessage, body: string) => boolean) {
  const { world, ready, stop } = await withSandbox(newWorld());
  onTestFinished(stop);
  const url = await before(ready.url, isHostile);
  const hosts = { FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url, FISCAL_SERVICE_URL: url };
  return { world: withEnv(world, hosts), ready };
}

test('a thousand hostile answers to an import: what is genuine succeeds, in bounded memory', async () => {
  const { world, ready } = await sandbox(({ method }, body) => method === 'POST' && body.includes('"sku":"BAD-'));
  await control(ready, 'clock', { advance: '1s' });
  const file = put(world, 'products.ndjson', products(HOSTILE, 'BAD') + products(GENUINE, 'GOOD'));
  const words = ['product', 'apply', '--create-only', file, '--yes', '--max-failures', '2000', '-o', 'ndjson'];
  const { exitCode, stdout, stderr, megabytes } = await measured(world, ...words, ...patience);
  const records = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const good = records.filter(({ label }) => String(label).startsWith('GOOD-'));
  expect({ exitCode, good: good.length, stderr: stderr.slice(0, 300) }).toMatchObject({ exitCode: 3, good: GENUINE });
  expect(new Set(good.map(({ state }) => state))).toEqual(new Set(['pending']));
  expect(records.filter(({ label, state }) => String(label).startsWith('BAD-') && state === 'succeeded')).toEqual([]);
  expect(megabytes).toBeLessThan(MOST_MB);
});

test('a thousand hostile answers to a sync: what is genuine is archived, in bounded memory', async () => {
  const hostile = new Set<string>();
  const { world, ready } = await sandbox(({ url = '' }) => hostile.has(/\/(\d{44})\/xml/.exec(url)?.[1] ?? ''));
  await control(ready, 'seed', { documents: HOSTILE + GENUINE, family: 'nfe' });
  const listed = await measured(world, 'inbound', 'list', '--type', 'nfe', '--all', '-o', 'id');
  for (const key of listed.stdout.trimEnd().split('\n').slice(0, HOSTILE)) hostile.add(key);
  expect(hostile.size).toBe(HOSTILE);
  const words = ['inbound', 'sync', '--type', 'nfe', '--archive', 'notas', '-o', 'json'];
  const { exitCode, stdout, stderr, megabytes } = await measured(world, ...words, ...patience);
  expect({ exitCode, stderr: stderr.slice(0, 600) }).toMatchObject({ exitCode: 3 });
  const [company] = [JSON.parse(stdout)].flat() as readonly object[];
  expect(company).toMatchObject({ archived: GENUINE, failed: HOSTILE, outstanding: HOSTILE });
  expect(megabytes).toBeLessThan(MOST_MB);
});
