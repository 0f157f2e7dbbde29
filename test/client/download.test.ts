import { expect, test } from 'vitest';
import type { ByteSink } from '../../src/client/receive.js';
import { bench, failureOf, secret } from './support/client.js';
import { json, serve, serveSocket } from './support/server.js';

const accessKey = '35250530057049000141550010000280181030656857';
const input = { path: { companyId: 'c1', accessKey } } as const;
const xml = '<?xml version="1.0"?><nfeProc/>';

/** Keeps the bytes in memory and counts the beginnings. */
function memory() {
  const state = { text: '', restarts: 0 };
  const sink: ByteSink = {
    restart: async () => {
      state.text = '';
      state.restarts += 1;
      return Promise.resolve();
    },
    write: async (chunk) => {
      state.text += Buffer.from(chunk).toString();
      return Promise.resolve();
    },
  };
  return { state, sink };
}

test('bytes go to the sink as they arrive, with their count and content type', async () => {
  const server = await serve({ status: 200, headers: { 'content-type': 'application/xml' }, body: xml });
  const { client } = bench(server.url);
  const { state, sink } = memory();
  const done = await client.download('nfe.inbound.xml', input, { sink });
  expect(done).toEqual({ status: 200, bytes: xml.length, contentType: 'application/xml', attempts: 1 });
  expect(state).toEqual({ text: xml, restarts: 1 });
});

test.each(['url', 'uri', 'publicTemporaryUri'])(
  'a JSON answer with %s is followed to another host without the key',
  async (name) => {
    const other = await serve({ status: 200, body: xml });
    const server = await serve(json(200, { [name]: `${other.url}/f/1?sig=abc` }));
    const { client } = bench(server.url);
    const { state, sink } = memory();
    const done = await client.download('nfe.inbound.xml', input, { sink });
    expect([done.bytes, state.text]).toEqual([xml.length, xml]);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([secret]);
    expect(other.seen.map(({ path, headers }) => [path, headers.authorization])).toEqual([['/f/1?sig=abc', undefined]]);
  },
);

test('a URL in a JSON string is followed without the key', async () => {
  const other = await serve({ status: 200, body: xml });
  const server = await serve(json(200, `${other.url}/f/1?sig=abc`));
  const { state, sink } = memory();
  await bench(server.url).client.download('nfe.inbound.xml', input, { sink });
  expect(state.text).toBe(xml);
  expect(other.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

const pdf = `%PDF-1.7\n${'x'.repeat(100_000)}`;
test.each([
  ['xml', xml, xml],
  ['xml', `\uFEFF ${xml}\n`, xml],
  ['xml', Buffer.from(xml).toString('base64'), xml],
  ['pdf', Buffer.from(pdf).toString('base64'), pdf],
] as const)('a %s in a JSON string is unwrapped', async (form, text, document) => {
  const server = await serve(json(200, text));
  const { state, sink } = memory();
  const done = await bench(server.url).client.download(`nfe.inbound.${form}`, input, { sink });
  expect(done).toEqual({ status: 200, bytes: document.length, attempts: 1 });
  expect(state.text).toBe(document);
});

test.each([
  ['ISO-8859-1', 'ção', Buffer.from('ção', 'latin1')],
  ['windows-1252', 'ção – “50 €”', Buffer.from('ção \u0096 \u009350 \u0080\u0094', 'latin1')],
  ['utf-16', 'ção', undefined],
])('XML in a JSON string is written in the encoding that it declares, such as %s', async (name, text, written) => {
  const [before, after] = [`<?xml version="1.0" encoding="${name}"?><a>`, '</a>'];
  const server = await serve(json(200, before + text + after), json(200, `${before}√\u{1f600}${after}`));
  const pieces: Uint8Array[] = [];
  const sink: ByteSink = { restart: () => void pieces.splice(0), write: (chunk) => void pieces.push(chunk) };
  const { client } = bench(server.url);
  await client.download('nfe.inbound.xml', input, { sink });
  const utf16 = Buffer.from(`\uFEFF${before}${text}${after}`, 'utf16le');
  const expected = written && Buffer.concat([Buffer.from(before), written, Buffer.from(after)]);
  expect(Buffer.concat(pieces)).toEqual(expected ?? utf16);
  if (written === undefined) return;
  const failure = await failureOf(client.download('nfe.inbound.xml', input, { sink }));
  expect(failure.code).toBe('service.unreadable');
});

test.each(['utf16le', 'latin1'] as const)('the bytes of an XML in %s are passed on as they came', async (encoding) => {
  const body = Buffer.from(`\uFEFF${xml}`.slice(encoding === 'latin1' ? 1 : 0), encoding);
  const server = await serve({ status: 200, body });
  const pieces: Uint8Array[] = [];
  const sink: ByteSink = { restart: () => void pieces.splice(0), write: (chunk) => void pieces.push(chunk) };
  await bench(server.url).client.download('nfe.inbound.xml', input, { sink });
  expect(Buffer.concat(pieces)).toEqual(body);
});

test.each([
  ['xml', '"string"', 6, 1],
  ['xml', '""', 6, 1],
  ['xml', '"ftp://files.example/f/1"', 6, 1],
  ['xml', '"c3RyaW5n"', 6, 1],
  ['xml', JSON.stringify(Buffer.from('%PDF-1.7 and so on').toString('base64')), 6, 1],
  ['xml', '"<!DOCTYPE html><title>Login</title>"', 6, 1],
  ['pdf', JSON.stringify(xml), 6, 1],
  ['pdf', '"%PDF-1.7 and so on"', 6, 1],
  ['xml', '"<nfeProc', 5, 5],
  ['xml', Buffer.from('\uFEFF<html><body>Login</body></html>', 'utf16le'), 5, 5],
] as const)('as a %s, the answer %s is refused', async (form, body, exitCode, asked) => {
  const server = await serve({ status: 200, body });
  const { state, sink } = memory();
  const failure = bench(server.url).client.download(`nfe.inbound.${form}`, input, { sink });
  await expect(failure).rejects.toMatchObject({ code: 'service.unreadable', exitCode });
  expect([server.seen.length, state.text]).toEqual([asked, '']);
});

test('a redirect to another host is followed without the key', async () => {
  const other = await serve({ status: 200, body: xml });
  const server = await serve({ status: 302, headers: { location: `${other.url}/f/1` } });
  const { state, sink } = memory();
  await bench(server.url).client.download('nfe.inbound.xml', input, { sink });
  expect(state.text).toBe(xml);
  expect(other.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test('a pointer to a pointer or to nothing is not followed for ever', async () => {
  const server = await serve(json(200, { url: '/again' }), json(200, { url: '/again' }));
  const failure = await failureOf(bench(server.url).client.download('nfe.inbound.xml', input, memory()));
  expect([failure.code, server.seen.length]).toEqual(['service.unreadable', 2]);
  const empty = await serve(json(200, { link: 'x' }));
  const other = await failureOf(bench(empty.url).client.download('nfe.inbound.xml', input, memory()));
  expect([other.code, empty.seen.length]).toEqual(['service.unreadable', 1]);
});

test('a refusal by the download host is not reported as a refusal of the key', async () => {
  const other = await serve({ status: 401 });
  const server = await serve(json(200, { url: `${other.url}/f/1` }));
  const failure = await failureOf(bench(server.url).client.download('nfe.inbound.xml', input, memory()));
  expect(failure.code).toBe('service.unreadable');
});

test('a truncated body is read again from its beginning', async () => {
  let asked = 0;
  const url = await serveSocket((socket) => {
    socket.on('data', () => {
      asked += 1;
      const head = `HTTP/1.1 200 OK\r\ncontent-length: ${String(xml.length)}\r\nconnection: close\r\n\r\n`;
      socket.end(asked === 1 ? head + xml.slice(0, 9) : head + xml);
    });
  });
  const { state, sink } = memory();
  const done = await bench(url).client.download('nfe.inbound.xml', input, { sink });
  expect([done.attempts, done.bytes, state]).toEqual([2, xml.length, { text: xml, restarts: 2 }]);
});

test.each([
  ['text', 'hello', 5, 5],
  ['the page of a proxy', '<!DOCTYPE html><title>Login</title>', 5, 5],
  ['null', 'null', 6, 1],
  ['a list', '[]', 6, 1],
  ['a JSON string', '"ok"', 6, 1],
])('%s is not a document', async (_name, body, exitCode, asked) => {
  const server = await serve({ status: 200, body });
  const { client } = bench(server.url);
  const sink = memory();
  const failure = client.download('nfe.inbound.xml', input, sink);
  await expect(failure).rejects.toMatchObject({ code: 'service.unreadable', exitCode });
  expect(server.seen.length).toBe(asked);
});

test.each([
  ['pdf', '<!DOCTYPE html><title>DANFE</title>', 5],
  ['pdf', '<div>DANFE</div>', 6],
  ['pdf', '  \n', 5],
  ['pdf', xml, 6],
  ['xml', '%PDF-1.7 and so on', 6],
] as const)('a %s that begins with %j is not one', async (form, body, exitCode) => {
  const server = await serve({ status: 200, body });
  const failure = bench(server.url).client.download(`nfe.inbound.${form}`, input, memory());
  await expect(failure).rejects.toMatchObject({ code: 'service.unreadable', exitCode });
});

test('an endless body is refused at the limit, and not requested again', async () => {
  const server = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' });
    const pour = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 0x25)));
    };
    response.on('drain', pour);
    response.write('%PDF-1.7\n');
    pour();
  });
  const { client } = bench(server.url);
  const failure = await failureOf(client.download('nfe.inbound.pdf', input, { ...memory(), maxBytes: 1_000_000 }));
  expect([failure.code, failure.facts.retryable, server.seen.length]).toEqual(['service.unreadable', false, 1]);
});

test('a slow sink gets one chunk at a time, and the read ends after the last', async () => {
  const large = Buffer.from(`<a>${Array.from({ length: 400_000 }, (_, index) => `${index}`).join(',')}</a>`);
  const server = await serve({ status: 200, body: large.toString() });
  const pieces: Uint8Array[] = [];
  let [atWork, most] = [0, 0];
  const sink: ByteSink = {
    restart: () => undefined,
    async write(chunk) {
      atWork += 1;
      most = Math.max(most, atWork);
      await new Promise((resolve) => setImmediate(resolve));
      pieces.push(chunk);
      atWork -= 1;
    },
  };
  const done = await bench(server.url).client.download('nfe.inbound.xml', input, { sink });
  expect({ bytes: done.bytes, most }).toEqual({ bytes: large.length, most: 1 });
  expect(Buffer.concat(pieces).equals(large)).toBe(true);
});

test('a sink that throws immediately ends the read with its error', async () => {
  const server = await serve({ status: 200, body: xml });
  const full = new Error('ENOSPC');
  const sink: ByteSink = {
    restart: () => undefined,
    write: () => {
      throw full;
    },
  };
  await expect(bench(server.url).client.download('nfe.inbound.xml', input, { sink })).rejects.toBe(full);
});

test('a sink that fails to write ends the read with its error', async () => {
  const server = await serve({ status: 200, body: xml });
  const full = new Error('ENOSPC');
  const sink: ByteSink = { restart: async () => Promise.resolve(), write: async () => Promise.reject(full) };
  await expect(bench(server.url).client.download('nfe.inbound.xml', input, { sink })).rejects.toBe(full);
  expect(server.seen).toHaveLength(1);
});

test('202 has the time to retry, 204 means that nothing exists, an empty 200 is not a document', async () => {
  const server = await serve({ status: 202, headers: { 'retry-after': '3' } }, { status: 204 }, { status: 200 });
  const { client } = bench(server.url);
  const { state, sink } = memory();
  const facts = { bytes: 0, attempts: 1 };
  expect(await client.download('nfe.inbound.pdf', input, { sink })).toEqual({
    status: 202,
    ...facts,
    retryAfterMs: 3_000,
  });
  expect(await client.download('nfe.inbound.pdf', input, { sink })).toEqual({ status: 204, ...facts });
  expect((await failureOf(client.download('nfe.inbound.pdf', input, { sink }))).code).toBe('service.unreadable');
  expect(state.text).toBe('');
});
