import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { BUCKET, type S3Fault, s3Keys } from '../../support/s3-server.js';
import { bucketStorage, openWork, s3Server, textOf } from '../storages.js';

const [one, other] = [Buffer.from('<nfeProc>1</nfeProc>'), Buffer.from('<nfeProc>2</nfeProc>')];
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const aside = (bytes: Buffer) => `set-aside/d/k.changed-${hashOf(bytes).slice(0, 12)}.xml`;

test('a run that writes begins with five requests, the first one of an archive with eight', async () => {
  const server = await s3Server();
  await openWork(await bucketStorage(server), 'first', 1);
  expect(server.requests.length).toBe(8);
  await openWork(await bucketStorage(server), 'second', 3);
  expect(server.requests.length).toBe(8 + 5);
});

test('a new file costs one request', async () => {
  const server = await s3Server();
  const work = await openWork(await bucketStorage(server));
  const before = server.requests.length;
  for (let at = 0; at < 20; at += 1) await work.write(`d/${at}.xml`, one);
  expect(server.requests.length - before).toBe(20);
});

test('an answer that never came and errors of the server leave one object with the right bytes', async () => {
  const faults: (S3Fault | undefined)[] = [];
  const server = await s3Server({ fault: ({ key }) => (key.endsWith('k.xml') ? faults.shift() : undefined) });
  const storage = await bucketStorage(server);
  const work = await openWork(storage);
  faults.push('cut', { status: 503, code: 'SlowDown' }, { status: 500, code: 'InternalError' }, 'cut');
  expect(await work.write('d/k.xml', one)).toEqual({ path: 'd/k.xml', sha256: hashOf(one), bytes: one.length });
  expect(work.displaced).toEqual([]);
  expect([...server.objects.keys()].filter((key) => !key.includes('/.fiscal/'))).toEqual(['a/d/k.xml']);
  faults.push('half', 'half');
  expect(await storage.digest('d/k.xml')).toMatchObject({ sha256: hashOf(one), bytes: one.length });
  expect(faults).toEqual([]);
});

test('a server that ignores conditions is refused before anything is written', async () => {
  const server = await s3Server({ ignoresConditions: true });
  const failure = openWork(await bucketStorage(server));
  await expect(failure).rejects.toMatchObject({
    code: 'archive.unusable',
    message: expect.stringContaining('If-None-Match'),
  });
  expect([...server.objects.keys()]).toEqual(['a/.fiscal/probe']);
});

test('a server that knows no SHA-256 verifies MD5, and the hash is read from the bytes', async () => {
  const server = await s3Server({ withoutChecksums: true });
  const storage = await bucketStorage(server);
  const work = await openWork(storage);
  await work.write('d/k.xml', one);
  await work.write('d/k.xml', one);
  const draft = work.draft();
  await draft.restart();
  await draft.write(other);
  await draft.commit('d/k.xml');
  expect(work.displaced).toEqual([aside(one)]);
  expect(await textOf(storage, 'd/k.xml')).toBe(String(other));
});

test.each([
  ['archive.login_refused', 4, { AWS_ACCESS_KEY_ID: 'other-key' }, {}],
  ['archive.no_bucket', 9, {}, { location: 's3://other' }],
  ['archive.forbidden', 7, {}, { fault: { status: 403, code: 'AccessDenied' } }],
  ['archive.unreachable', 5, {}, { fault: { status: 503, code: 'SlowDown' } }],
  ['store.full', 5, {}, { fault: { status: 507, code: 'XMinioStorageFull' } }],
  ['archive.unusable', 2, {}, { fault: { status: 501, code: 'NotImplemented' } }],
  ['archive.unusable', 2, { AWS_REGION: 'x y' }, {}],
  ['archive.bad_answer', 6, {}, { fault: 'garbage' }],
  ['archive.unusable', 2, { AWS_ENDPOINT_URL: 'http://objects.example.com' }, {}],
] as const)('%s ends with %d in one sentence without a secret', async (code, exitCode, env, how) => {
  const fault = 'fault' in how ? how.fault : undefined;
  const server = await s3Server({ fault: () => fault });
  const { openStorage } = await import('../../../src/archive/open-storage.js');
  const { optionsWith } = await import('../storages.js');
  const options = { ...optionsWith({ ...server.env, ...env }), patienceMs: 200 };
  const location = 'location' in how ? how.location : `s3://${BUCKET}/a`;
  const failure: unknown = await openStorage(location, options)
    .then(
      (storage) => openWork(storage),
      (error: unknown) => error,
    )
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code, exitCode });
  expect(String(failure)).not.toMatch(/canary|\u001b|\n/);
  expect(String(failure)).not.toContain(s3Keys.AWS_SECRET_ACCESS_KEY);
});

test('the time of a request is refused once by a server whose clock differs, and then named at once', async () => {
  const server = await s3Server({ fault: () => ({ status: 403, code: 'RequestTimeTooSkewed' }) });
  const storage = await bucketStorage(server, { patienceMs: 600_000 });
  await expect(storage.filesIn('p')).rejects.toMatchObject({
    code: 'archive.unusable',
    message: expect.stringContaining('set the clock'),
  });
  expect(server.requests.length).toBe(2);
});

test('a server whose clock differs by hours is written to all the same', async () => {
  const server = await s3Server({ now: () => Date.now() + 3 * 3_600_000 });
  const storage = await bucketStorage(server);
  const work = await openWork(storage);
  await work.write('d/k.xml', one);
  expect(await textOf(storage, 'd/k.xml')).toBe(String(one));
});

test.each([{}, { deletesAnything: true }])(
  'the lock of a runner that was not renewed for a minute of the server is taken over, and not released by it: %j',
  async (kind) => {
    let later = 0;
    const server = await s3Server({ now: () => Date.now() + later, ...kind });
    const storage = await bucketStorage(server);
    const [stopped, next] = [await openWork(storage, 'stopped', 1), await openWork(storage, 'next', 3)];
    const lock = () => [...server.objects.keys()].includes('a/.fiscal/proof.lock');
    let finish = (): void => undefined;
    let second = Promise.resolve();
    await stopped.exclusively('proof', async () => {
      later = 61_000;
      await new Promise<void>((taken) => {
        second = next.exclusively('proof', () => {
          taken();
          return new Promise((resolve) => (finish = resolve));
        });
      });
    });
    expect(lock()).toBe(true);
    finish();
    await second;
    expect(lock()).toBe(false);
  },
);

test('the lock of a dead process of this machine is taken over at once', async () => {
  const server = await s3Server();
  server.put('a/.fiscal/proof.lock', Buffer.from('{"machine":"here","pid":4,"processStart":"9"}'));
  const work = await openWork(await bucketStorage(server));
  expect(await work.exclusively('proof', () => Promise.resolve('held'))).toBe('held');
});

test('a lock that is gone and seems to stand is not waited for without end', async () => {
  const gone = { status: 404, code: 'NoSuchKey' };
  const server = await s3Server({
    fault: ({ method, key }) => (method === 'GET' && key.endsWith('.lock') ? gone : undefined),
  });
  server.put('a/.fiscal/proof.lock', Buffer.from('{}'));
  const work = await openWork(await bucketStorage(server), 'worker', 1, 50);
  const waiting = work.exclusively('proof', () => Promise.resolve());
  await expect(waiting).rejects.toMatchObject({ code: 'archive.locked' });
});

test('without Date and Last-Modified, no lock is taken over and no retention is counted', async () => {
  const server = await s3Server({ withoutTimes: true });
  server.put('a/.fiscal/proof.lock', Buffer.from('{}'));
  const work = await openWork(await bucketStorage(server));
  const waiting = work.exclusively('proof', () => Promise.resolve());
  await expect(waiting).rejects.toMatchObject({ code: 'archive.bad_answer' });
  const objectLock = { mode: 'COMPLIANCE', until: (at: number) => new Date(at + 86_400_000) } as const;
  const locked = openWork(await bucketStorage(server, { objectLock }));
  await expect(locked).rejects.toMatchObject({ code: 'archive.bad_answer' });
});

test('documents are kept from change and deletion by the clock of the server; locks are not', async () => {
  const server = await s3Server({ now: () => Date.UTC(2026, 10, 23) });
  const objectLock = { mode: 'COMPLIANCE', until: (at: number) => new Date(at + 86_400_000) } as const;
  const storage = await bucketStorage(server, { objectLock });
  const work = await openWork(storage);
  await work.exclusively('proof', () => work.write('d/k.xml', one));
  const locks = Object.fromEntries([...server.objects].map(([key, { lock }]) => [key, lock]));
  expect(locks).toEqual({
    'a/.fiscal/probe': undefined,
    'a/d/k.xml': { mode: 'COMPLIANCE', until: '2026-11-24T00:00:00Z' },
  });
});

test('long lists come page by page, and keys that leave the archive are no manifests', async () => {
  const server = await s3Server({ pageSize: 3 });
  for (const key of ['a/p/../m.jsonl', 'a/p//m.jsonl', 'b/p/m.jsonl', 'a/p/']) server.put(key, one);
  for (let at = 0; at < 10; at += 1) server.put(`a/p/${at}/m.jsonl`, one);
  const storage = await bucketStorage(server);
  const { paths } = await storage.find('p', 'm.jsonl');
  expect(paths).toEqual(Array.from({ length: 10 }, (_, at) => `p/${at}/m.jsonl`));
  expect(server.requests.length).toBe(5);
});
