import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readStoreAddress } from '../../src/config/store-address.js';
import { withServerSnapshot } from '../../src/store/postgres/check.js';
import { inspectServer } from '../../src/store/postgres/inspect.js';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import { realClock } from '../support/clock.js';

/** The address of a server that answers what comes first and next of each connection with these, and ends it. */
async function serverThatSays(bytes: Buffer, next = Buffer.alloc(0)): Promise<URL> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      if (next.length === 0) return socket.end(bytes);
      socket.once('data', () => socket.end(next));
      return socket.write(bytes);
    });
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return new URL(`postgres://user:canary@127.0.0.1:${port}/database`);
}

const login = (kind: number) => Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, kind]);

function errorOf(state: string, sentence: string): Buffer {
  const fields = Buffer.from(`SERROR\0C${state}\0M${sentence}\0\0`);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from('E'), length, fields]);
}

/** The beginning of a message of 2 GB. */
const huge = (type: string) => Buffer.concat([Buffer.from(type), Buffer.from([0x7f, 0xff, 0xff, 0xff])]);

const tooMuch = ['store.unusable', 2];

const none = ['store.unreachable', 5];

test.each([
  ['a web server', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), none, none],
  ['MySQL', Buffer.from('4a0000000a382e302e3333', 'hex'), none, none],
  ['nothing', Buffer.alloc(0), none, none],
  ['zeros', Buffer.alloc(64), none, none],
  ['no TLS', Buffer.from('N'), none, ['store.tls_refused', 2]],
  ['TLS, and then nothing', Buffer.from('S'), none, none],
  ['a login by GSSAPI', login(7), ['store.login_refused', 4], none],
  ['a login that nobody knows', login(99), ['store.login_refused', 4], none],
  ['that its configuration is broken', errorOf('F0000', 'could not load pg_hba.conf'), none, none],
  ['an error of 2 GB', huge('E'), tooMuch, none],
  ['a row of 2 GB', Buffer.concat([login(0), huge('D')]), tooMuch, none],
  ['notices without end', Buffer.concat(Array.from({ length: 4 }, () => huge('N'))), tooMuch, none],
  ['an error without a meaning', errorOf('XX000', 'internal error'), none, none],
])('a server that answers with %s is named in one sentence', async (_what, bytes, plain, withTls) => {
  for (const [sslmode, expected] of [
    ['disable', plain],
    ['require', withTls],
  ] as const) {
    const at = await serverThatSays(bytes);
    at.searchParams.set('sslmode', sslmode);
    const address = await readStoreAddress({ secret: at.href, source: 'test' }, {});
    const [code, exitCode] = expected;
    await expect(openPostgresStore({ server: address, clock: realClock })).rejects.toMatchObject({
      ...{ code, exitCode },
      message: expect.not.stringContaining('canary'),
    });
  }
});

test('a server that answers a statement with small rows without end is left before they fill the memory', async () => {
  const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
  const row = Buffer.from([0x44, 0, 0, 0, 11, 0, 1, 0, 0, 0, 1, 0x78]);
  const column = Buffer.from([0x61, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0]);
  const described = Buffer.concat([Buffer.from([0x54, 0, 0, 0, 6 + column.length, 0, 1]), column]);
  // 36 MB on the way, and many times that as rows.
  const rows = Buffer.concat([described, Buffer.alloc(row.length * 3_000_000, row)]);
  const at = await serverThatSays(Buffer.concat([login(0), ready]), rows);
  at.searchParams.set('sslmode', 'disable');
  const address = await readStoreAddress({ secret: at.href, source: 'test' }, {});
  const [code, exitCode] = tooMuch;
  await expect(openPostgresStore({ server: address, clock: realClock })).rejects.toMatchObject({ code, exitCode });
});

/** A login, and for every message after it that something was done, with this before it. */
async function serverThatDoes(before: Buffer): Promise<URL> {
  const done = Buffer.concat([Buffer.from([0x43, 0, 0, 0, 13]), Buffer.from('SELECT 0\0')]);
  const [parsed, bound] = [Buffer.from([0x31, 0, 0, 0, 4]), Buffer.from([0x32, 0, 0, 0, 4])];
  const end = before[0] === 0x45 ? [before, ready] : [before, done, ready];
  const answer = Buffer.concat([parsed, bound, ...end]);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(Buffer.concat([login(0), ready]));
      socket.on('data', (asked) => {
        // A statement alone, or the end of one with values.
        if (asked[0] === 0x51) socket.write(Buffer.concat(end));
        else if (asked.subarray(-5).equals(Buffer.from([0x53, 0, 0, 0, 4]))) socket.write(answer);
      });
    });
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new URL(`postgres://user:canary@127.0.0.1:${port}/database?sslmode=disable`);
}

const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const noData = Buffer.from([0x6e, 0, 0, 0, 4]);
const rowOfNothing = Buffer.concat([Buffer.from([0x54, 0, 0, 0, 6, 0, 0]), Buffer.from([0x44, 0, 0, 0, 6, 0, 0])]);

test.each([
  ['no rows', noData],
  ['rows without columns', rowOfNothing],
  ['that it has no such function (42883)', errorOf('42883', 'that it has no such function')],
  ['its own defect (XX000)', errorOf('XX000', 'its own defect')],
])('a server that answers every question with %s is not the database of the store', async (what, before) => {
  const at = await serverThatDoes(before);
  const address = await readStoreAddress({ secret: at.href, source: 'test' }, {});
  const refusal = {
    ...{ code: 'store.unusable', exitCode: 2 },
    message: expect.stringContaining(what.includes('row') ? 'it gives no row where every PostgreSQL gives one' : what),
  };
  await expect(openPostgresStore({ server: address, clock: realClock })).rejects.toMatchObject(refusal);
  await expect(inspectServer(address, 'p')).rejects.toMatchObject(refusal);
  await expect(withServerSnapshot(address, () => Promise.resolve('seen'))).rejects.toMatchObject(refusal);
});
