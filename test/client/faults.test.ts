import { expect, test } from 'vitest';
import type { Pace } from '../../src/client/client.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { bench, failureOf } from './support/client.js';
import { closedPort, json, serve, serveSocket } from './support/server.js';

const read = { path: { tenantId: 't', productId: 'p' } } as const;
const write = { path: { tenantId: 't' }, body: { sku: 'a' } } as const;

test('after a refused connection even an unsafe write is retried: nothing was sent', async () => {
  const port = await closedPort();
  const { client, exchanges, sleeps } = bench(`http://127.0.0.1:${String(port)}`);
  expect(await failureOf(client.call('product.create', write, { billed: true }))).toEqual({
    code: 'network.unreachable',
    facts: { operation: 'product.create', sent: 'no', attempts: 5, retryable: true },
  });
  expect(sleeps).toEqual([125, 250, 500, 1_000]);
  expect(exchanges.map(({ attempt, sent, errorCode }) => [attempt, sent, errorCode])).toEqual([
    [1, 'no', 'unreachable'],
    [2, 'no', 'unreachable'],
    [3, 'no', 'unreachable'],
    [4, 'no', 'unreachable'],
    [5, 'no', 'unreachable'],
  ]);
});

test('a refused connection is said in words, with the code for a search', async () => {
  const { client } = bench(`http://127.0.0.1:${String(await closedPort())}`);
  const failure: unknown = await client.call('product.get', read, { attempts: 'once' }).catch((it: unknown) => it);
  expect(failure instanceof FiscalError ? failure.text : failure).toEqual({
    en: expect.stringMatching(/^cannot reach .*: nothing accepts connections there \(ECONNREFUSED\)$/),
    pt: expect.stringMatching(/: nada aceita conexões nesse endereço \(ECONNREFUSED\)$/),
  });
});

test('after a failed name resolution nothing was sent', async () => {
  const { client } = bench('https://no-such-host.invalid');
  const failure = await failureOf(client.call('product.get', read, { attempts: 'once' }));
  expect(failure).toEqual({
    code: 'network.unreachable',
    facts: { operation: 'product.get', sent: 'no', attempts: 1, retryable: true },
  });
});

test('a connection cut after the request leaves the outcome of an unsafe write unknown, without a retry', async () => {
  let connections = 0;
  const url = await serveSocket((socket) => {
    connections += 1;
    socket.once('data', () => socket.destroy());
  });
  const { client } = bench(url);
  expect(await failureOf(client.call('product.create', write))).toEqual({
    code: 'network.cut',
    facts: { operation: 'product.create', sent: 'unknown', attempts: 1, retryable: false },
  });
  expect(connections).toBe(1);
});

test('a read is retried after a cut connection', async () => {
  let connections = 0;
  const url = await serveSocket((socket) => {
    connections += 1;
    socket.once('data', () => {
      if (connections === 1) socket.destroy();
      else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 19\r\nConnection: close\r\n\r\n{"status":"Active"}');
    });
  });
  const { client } = bench(url);
  expect((await client.call('product.get', read)).attempts).toBe(2);
});

test('a truncated body is not an answer, even after a 201', async () => {
  const url = await serveSocket((socket) => {
    socket.once('data', () => {
      socket.end('HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{"id":');
    });
  });
  const { client } = bench(url);
  expect(await failureOf(client.call('product.create', write))).toEqual({
    code: 'network.cut',
    facts: { operation: 'product.create', sent: 'unknown', httpStatus: 201, attempts: 1, retryable: false },
  });
});

test('the read timeout covers the body', async () => {
  const url = await serveSocket((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{'));
  });
  const { client } = bench(url, { settings: { readTimeoutMs: 150 } });
  const failure = await failureOf(client.call('product.get', read, { attempts: 'once' }));
  expect(failure).toEqual({
    code: 'network.timeout',
    facts: { operation: 'product.get', sent: 'unknown', httpStatus: 200, attempts: 1, retryable: true },
  });
});

test('an answer that is not HTTP counts as a cut connection', async () => {
  const url = await serveSocket((socket) => {
    socket.once('data', () => socket.end('\u0000\u0001 garbage\r\n\r\n'));
  });
  const { client } = bench(url);
  expect((await failureOf(client.call('product.get', read, { attempts: 'once' }))).code).toBe('network.cut');
});

test('an answer above 32 MiB is not read', async () => {
  const block = Buffer.alloc(1024 * 1024, 0x20);
  const server = await serve((_request, response) => {
    const pour = (): void => {
      while (!response.destroyed && response.write(block));
      response.once('drain', pour);
    };
    pour();
  });
  const { client } = bench(server.url, { settings: { readTimeoutMs: 60_000 } });
  expect(await failureOf(client.call('product.get', read))).toEqual({
    code: 'service.unreadable',
    facts: { operation: 'product.get', sent: 'yes', httpStatus: 200, attempts: 1, retryable: false },
  });
});

test('Retry-After is obeyed in seconds and as a date, and passed to the pace', async () => {
  const date = new Date(1_800_000_000_000 + 10_125).toUTCString();
  const server = await serve(
    { status: 429, headers: { 'retry-after': '3' } },
    { status: 503, headers: { 'retry-after': date } },
    json(200, { id: 'p', status: 'Active' }),
  );
  const { client, sleeps, observed } = bench(server.url);
  expect((await client.call('product.get', read)).attempts).toBe(3);
  expect(sleeps).toEqual([3_125, 7_125]);
  expect(observed.map(({ status, retryAfterMs }) => [status, retryAfterMs])).toEqual([
    [429, 3_000],
    [503, 6_875],
    [200, undefined],
  ]);
});

test.each(['0', 'Fri, 15 Jan 2016 08:00:00 GMT', new Date(1_800_000_000_000 - 60_000).toUTCString()])(
  'a Retry-After of %s lifts neither the pauses nor the limit of attempts',
  async (header) => {
    const server = await serve(...Array(80).fill({ status: 429, headers: { 'retry-after': header } }));
    const { client, sleeps } = bench(server.url);
    expect(await failureOf(client.call('company.list', { path: {} }))).toEqual({
      code: 'service.busy',
      facts: {
        operation: 'company.list',
        httpStatus: 429,
        sent: 'yes',
        attempts: 5,
        retryable: true,
        retryAfterSeconds: 0,
      },
    });
    expect([server.seen.length, sleeps]).toEqual([5, [125, 250, 500, 1_000]]);
  },
);

test.each([
  ['company.list', 429, 'yes'],
  ['company.list', 503, 'yes'],
  ['product.create', 429, 'yes'],
  ['product.create', 502, 'unknown'],
] as const)('an interruption between the attempts of %s on %i says that it was sent', async (id, status, sent) => {
  const stop = new AbortController();
  const server = await serve({ status });
  let entered = 0;
  const pace: Pace = {
    async enter() {
      entered += 1;
      if (entered === 2) stop.abort(new FiscalError('job.interrupted'));
      await Promise.resolve(stop.signal.throwIfAborted());
    },
    observe: () => Promise.resolve(),
  };
  const { client } = bench(server.url, { signal: stop.signal, pace });
  const how = { billed: true, retryBillable: true };
  const call = id === 'product.create' ? client.call(id, write, how) : client.call(id, { path: {} });
  const { code, facts } = await failureOf(call);
  expect([code, facts.sent, facts.attempts]).toEqual(['job.interrupted', sent, 1]);
});

test.each([
  [62_500, 'the clock of this machine is 62 seconds behind that of', 'está 62 segundos atrasado'],
  [-62_500, 'the clock of this machine is 62 seconds ahead of that of', 'está 62 segundos adiantado'],
  [-172_800_000, 'is 48 hours ahead of', 'está 48 horas adiantado'],
  [58_000, undefined, undefined],
  [-58_000, undefined, undefined],
])('a service whose clock is %i ms ahead is said once', async (aheadMs, en, pt) => {
  const date = new Date(1_800_000_000_000 + aheadMs).toUTCString();
  const page = json(200, { companies: [], hasMore: false }, { date });
  const server = await serve(page, page, page);
  const { client, warnings } = bench(server.url);
  for (let call = 0; call < 3; call += 1) await client.call('company.list', { path: {} });
  const said = en === undefined ? [] : [{ en: expect.stringContaining(en), pt: expect.stringContaining(pt) }];
  expect(warnings).toEqual(said);
});

test.each([{ age: '90' }, { date: 'soon' }])('an answer with %j says nothing about the clocks', async (headers) => {
  const date = new Date(1_800_000_090_000).toUTCString();
  const server = await serve(json(200, { companies: [], hasMore: false }, { date, ...headers }));
  const { client, warnings } = bench(server.url);
  await client.call('company.list', { path: {} });
  expect(warnings).toEqual([]);
});

test('a wait longer than allowed fails immediately and names the time', async () => {
  const server = await serve({ status: 429, headers: { 'retry-after': '600' } });
  const { client, sleeps } = bench(server.url);
  const failure = await failureOf(client.call('product.create', write));
  expect(failure).toEqual({
    code: 'service.rate_limited',
    facts: {
      operation: 'product.create',
      httpStatus: 429,
      sent: 'yes',
      attempts: 1,
      retryable: true,
      retryAfterSeconds: 600,
    },
  });
  expect(sleeps).toEqual([]);
});

test('a caller that decides for itself gets one attempt and the facts', async () => {
  const server = await serve({ status: 429, headers: { 'retry-after': '2' } });
  const { client } = bench(server.url);
  expect(await failureOf(client.call('product.create', write, { attempts: 'once' }))).toEqual({
    code: 'service.busy',
    facts: {
      operation: 'product.create',
      httpStatus: 429,
      sent: 'yes',
      attempts: 1,
      retryable: true,
      retryAfterSeconds: 2,
    },
  });
  expect(server.seen.length).toBe(1);
});

test('a 500 on an unsafe write leaves the outcome unknown; on a read it is an answer', async () => {
  const server = await serve(json(500, { error: { code: 'internal', message: 'boom', requestId: 'r9' } }));
  const { client } = bench(server.url);
  expect(await failureOf(client.call('product.create', write))).toEqual({
    code: 'service.unavailable',
    facts: {
      operation: 'product.create',
      httpStatus: 500,
      requestId: 'r9',
      said: 'internal: boom',
      sent: 'unknown',
      attempts: 1,
      retryable: false,
    },
  });
  expect((await failureOf(client.call('product.get', read))).facts.sent).toBe('yes');
});

test('a final refusal leaves the outcome of an earlier attempt unknown', async () => {
  const server = await serve({ status: 502 }, { status: 429, headers: { 'retry-after': '600' } });
  const { client } = bench(server.url);
  const how = { billed: true, retryBillable: true };
  const failure = await failureOf(client.call('product.create', write, how));
  expect([failure.code, failure.facts.sent, failure.facts.attempts]).toEqual(['service.rate_limited', 'unknown', 2]);
});

test('a redirect of a write is not followed', async () => {
  const server = await serve({ status: 307, headers: { location: '/elsewhere' } });
  const { client } = bench(server.url);
  expect((await failureOf(client.call('product.create', write))).code).toBe('service.unreadable');
  expect(server.seen.length).toBe(1);
});

test('an interruption aborts a read in progress', async () => {
  const stop = new AbortController();
  const reason = new FiscalError('job.interrupted');
  const server = await serve(() => stop.abort(reason));
  const { client } = bench(server.url, { signal: stop.signal });
  expect(await failureOf(client.call('product.get', read))).toEqual({
    code: 'job.interrupted',
    facts: { operation: 'product.get', sent: 'unknown', attempts: 1, retryable: false },
  });
});

test('an interruption lets a write in progress finish', async () => {
  const stop = new AbortController();
  const server = await serve((_request, response) => {
    stop.abort(new FiscalError('job.interrupted'));
    response.writeHead(201).end('{"id":"1"}');
  });
  const { client } = bench(server.url, { signal: stop.signal });
  expect((await client.call('product.create', write)).body).toEqual({ id: '1' });
});

test('an interruption before the first request sends nothing', async () => {
  const server = await serve(json(200, {}));
  const reason = new FiscalError('job.interrupted');
  const { client } = bench(server.url, { signal: AbortSignal.abort(reason) });
  const failure = await failureOf(client.call('product.create', write));
  expect([failure.code, failure.facts.sent]).toEqual(['job.interrupted', 'no']);
  expect(server.seen).toEqual([]);
});

test('the error of a fault contains nothing of the request', async () => {
  const port = await closedPort();
  const { client } = bench(`http://127.0.0.1:${String(port)}`);
  const error: unknown = await client.call('product.get', read, { attempts: 'once' }).catch((it: unknown) => it);
  expect(error).toBeInstanceOf(FiscalError);
  if (!(error instanceof FiscalError)) return;
  expect(error.cause).toBeUndefined();
  expect(JSON.stringify(error) + String(error.stack)).not.toContain('live-key');
});
