import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { expect, test } from 'vitest';
import { createAgents } from '../../../src/client/agents.js';
import type { Environment } from '../../../src/domain/world.js';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import { runFiscal, testHost } from '../../support/host.js';
import { listening, tunnel } from '../../support/tunnel.js';
import { BUCKET, s3Keys } from '../../support/s3-server.js';
import { bucketStorage, openWork, s3Server, textOf } from '../storages.js';

// For service.test and loopback; its key opens nothing else.
const fixtures = join(import.meta.dirname, '../../client/fixtures');
const caCert = join(fixtures, 'tls-test.crt');
const identity = { cert: readFileSync(caCert), key: readFileSync(join(fixtures, 'tls-test.key')) };

/** An object store behind TLS, and everything that reached it. */
async function tlsStore() {
  const server = await s3Server();
  const heard: string[] = [];
  const front = createServer(identity, (socket) => {
    const far = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('data', (bytes: Buffer) => heard.push(bytes.toString('latin1')));
    socket.pipe(far).pipe(socket);
    for (const end of [far, socket]) end.on('error', () => far.destroy());
  });
  return { server, heard, port: await listening(front) };
}

type Store = Awaited<ReturnType<typeof tlsStore>>;

interface Way {
  readonly host?: string;
  readonly caCert?: string;
  readonly proxy?: string;
  readonly env?: Environment;
}

async function opened({ server, port }: Store, { host = 'service.test', env = {}, ...way }: Way) {
  const connections = () => createAgents({ caCert: undefined, proxy: undefined, ...way }, env);
  const place = { ...server.env, AWS_ENDPOINT_URL: `https://${host}${host === 'localhost' ? `:${port}` : ''}` };
  return await bucketStorage(server, { env: place, connections });
}

async function failureOf(work: Promise<unknown>): Promise<FiscalError> {
  const error: unknown = await work.catch((failure: unknown) => failure);
  if (error instanceof FiscalError) return error;
  throw new Error('it did not fail with a sentence', { cause: error });
}

test('an archive is written and read through a proxy, which sees no key and no byte of it', async () => {
  const store = await tlsStore();
  const proxy = await tunnel(store.port);
  const storage = await opened(store, { caCert, proxy: `http://me:pw@127.0.0.1:${proxy.port}` });
  const work = await openWork(storage);
  await work.write('p/a.xml', Buffer.from('<a/>'));
  expect(await textOf(storage, 'p/a.xml')).toBe('<a/>');
  expect(proxy.asked.length).toBeGreaterThan(0);
  expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set(['service.test:443']));
  expect(JSON.stringify(proxy.asked)).not.toContain(s3Keys.AWS_ACCESS_KEY_ID);
});

test('HTTPS_PROXY applies, and NO_PROXY and loopback go past it', async () => {
  const store = await tlsStore();
  store.server.put('a/p/a.xml', Buffer.from('<a/>'));
  const proxy = await tunnel(store.port);
  const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
  expect(await textOf(await opened(store, { caCert, env }), 'p/a.xml')).toBe('<a/>');
  expect(proxy.asked).toHaveLength(1);
  const local = await opened(store, { host: 'localhost', caCert, proxy: 'http://127.0.0.1:1' });
  expect(await textOf(local, 'p/a.xml')).toBe('<a/>');
  // No name of the domain "test" exists.
  const past = await opened(store, { caCert, env: { ...env, NO_PROXY: '.test' } });
  expect((await failureOf(past.exists('p/a.xml'))).code).toBe('archive.unreachable');
  expect(proxy.asked).toHaveLength(1);
});

test('a certificate of an unknown authority is one sentence that names --ca-cert, and nothing is sent', async () => {
  const store = await tlsStore();
  const storage = await opened(store, { host: 'localhost' });
  const failure = await failureOf(storage.exists('p/a.xml'));
  expect([failure.code, failure.facts.sent, failure.facts.hint?.en]).toEqual([
    'archive.unusable',
    'no',
    expect.stringContaining('--ca-cert'),
  ]);
  expect([store.heard, store.server.requests]).toEqual([[], []]);
});

test('a proxy that refuses is named with its status', async () => {
  const store = await tlsStore();
  const proxy = await tunnel(store.port, 407);
  const storage = await opened(store, { caCert, proxy: `127.0.0.1:${proxy.port}` });
  const failure = await failureOf(storage.exists('p/a.xml'));
  expect([failure.code, failure.text.en]).toEqual(['archive.unreachable', expect.stringContaining('proxy: HTTP 407')]);
  expect(store.heard).toEqual([]);
});

test('a command gives its --proxy and --ca-cert to the object store, and not the key of the service', async () => {
  const store = await tlsStore();
  const proxy = await tunnel(store.port);
  const host = testHost();
  const key = 'canary-key-of-the-service';
  const env = { ...host.env, ...s3Keys, AWS_ENDPOINT_URL: 'https://service.test', FISCAL_API_KEY: key };
  const words = ['inbound', 'verify', '--archive', `s3://${BUCKET}/a`];
  const way = ['--ca-cert', caCert, '--proxy', `http://127.0.0.1:${proxy.port}`];
  const { stderr } = await runFiscal([...words, ...way], { ...host, env });
  expect([stderr, proxy.asked.map(({ target }) => target)]).toEqual([expect.any(String), ['service.test:443']]);
  expect(store.server.requests.length).toBeGreaterThan(0);
  expect(store.heard.join('')).not.toContain(key);
});
