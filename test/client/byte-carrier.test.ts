import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { MemorySink } from '../../src/client/receive.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { bench, failureOf } from './support/client.js';
import { closedPort, serve, serveSocket } from './support/server.js';

const input = { path: { companyId: 'c1', accessKey: '35250530057049000141550010000280181030656857' } } as const;
const xml = `<?xml version="1.0"?><nfeProc>${'ção '.repeat(5_000)}</nfeProc>`;
const operation = 'nfe.inbound.xml';

test.each([
  ['gzip', gzipSync(xml)],
  ['deflate', deflateSync(xml)],
  ['BR', brotliCompressSync(xml)],
  ['identity', Buffer.from(xml)],
])('a body in %s is decompressed', async (encoding, body) => {
  const server = await serve({ status: 200, headers: { 'content-encoding': encoding }, body });
  const sink = new MemorySink();
  const done = await bench(server.url).client.download(operation, input, { sink });
  expect(Buffer.from(sink.bytes()).toString()).toBe(xml);
  expect(done.bytes).toBe(Buffer.byteLength(xml));
  expect(server.seen[0]?.headers['accept-encoding']).toBe('gzip, deflate, br');
});

test('a damaged compressed body is refused, whatever the status', async () => {
  const broken = { headers: { 'content-encoding': 'gzip' }, body: gzipSync(xml).fill(7, 20) };
  for (const status of [200, 404]) {
    const server = await serve({ status, ...broken });
    const how = { sink: new MemorySink(), attempts: 'once' } as const;
    const failure = await failureOf(bench(server.url).client.download(operation, input, how));
    expect([failure.code, failure.facts.httpStatus]).toEqual(['service.unreadable', status]);
  }
});

test('a compressed body that expands beyond the limit is refused', async () => {
  const body = gzipSync(Buffer.alloc(5_000_000, 0x3c));
  const server = await serve({ status: 200, headers: { 'content-encoding': 'gzip' }, body });
  const how = { sink: new MemorySink(), maxBytes: 100_000 };
  const failure = await failureOf(bench(server.url).client.download(operation, input, how));
  expect([failure.code, failure.facts.retryable, server.seen.length]).toEqual([...['service.unreadable', false, 1]]);
});

test.each(['', '<?xml'])('a body that stalls after %j times out', async (start) => {
  const url = await serveSocket((socket) => {
    socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n${start}`));
  });
  const { client } = bench(url, { settings: { readTimeoutMs: 150 } });
  const how = { sink: new MemorySink(), attempts: 'once' } as const;
  expect(await failureOf(client.download(operation, input, how))).toEqual({
    code: 'network.timeout',
    facts: { operation, sent: 'unknown', httpStatus: 200, attempts: 1, retryable: true },
  });
});

test('an interruption aborts a body in transfer', async () => {
  const stop = new AbortController();
  const server = await serve((_request, response) => {
    response.writeHead(200).write('<?xml', () => stop.abort(new FiscalError('job.interrupted')));
  });
  const { client } = bench(server.url, { signal: stop.signal });
  const failure = await failureOf(client.download(operation, input, { sink: new MemorySink() }));
  expect(failure.code).toBe('job.interrupted');
});

test('a reused connection that the server has closed is opened again', async () => {
  const server = await serve((_request, response) => {
    response.writeHead(200, { 'keep-alive': 'timeout=0' }).end(xml, () => response.socket?.destroy());
  });
  const { client } = bench(server.url);
  for (let count = 0; count < 3; count += 1) {
    const done = await client.download(operation, input, { sink: new MemorySink() });
    expect(done.bytes).toBe(Buffer.byteLength(xml));
  }
});

test('after a refused connection nothing was sent', async () => {
  const { client } = bench(`http://127.0.0.1:${String(await closedPort())}`);
  const how = { sink: new MemorySink(), attempts: 'once' } as const;
  const failure = await failureOf(client.download(operation, input, how));
  expect([failure.code, failure.facts.sent]).toEqual(['network.unreachable', 'no']);
});
