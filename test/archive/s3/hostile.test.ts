import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStorage } from '../../../src/archive/open-storage.js';
import type { S3Fault } from '../../support/s3-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { bucketStorage, openWork, optionsWith, s3Server } from '../storages.js';

const bytes = Buffer.from('<nfeProc>1</nfeProc>');

test.each([
  ['goes on without a token', (xml: string) => xml.replace(/<Next.*Token>/, '')],
  [
    'goes on with an empty token',
    (xml: string) => xml.replace(/(<NextContinuationToken>)[^<]*/, (_, tag: string) => tag),
  ],
  [
    'goes on with the same token',
    (xml: string) =>
      xml
        .replace('>false<', '>true<')
        .replace(/<Next.*Token>|(?<=<\/IsTruncated>)(?=<Con)/, '<NextContinuationToken>a</NextContinuationToken>'),
  ],
  ['does not say whether it goes on', () => '<html><body>Login</body></html>'],
  ['has a name that cannot be decoded', (xml: string) => xml.replace('<Key>', '<Key>%ZZ')],
])('a list that %s is an error, not a list', async (_, list) => {
  const server = await s3Server({ pageSize: 2, list });
  for (let at = 0; at < 5; at += 1) server.put(`a/p/${at}.xml`, bytes);
  const storage = await bucketStorage(server);
  await expect(storage.filesIn('p')).rejects.toMatchObject({ code: 'archive.bad_answer', exitCode: 6 });
  expect(server.requests.length).toBeLessThan(3);
});

/** Each page goes on with another token. */
const withMore = (xml: string) => {
  const token = `<NextContinuationToken>${randomUUID()}</NextContinuationToken>`;
  return xml
    .replace(/<Next.*Token>/, '')
    .replace('>false<', '>true<')
    .replace('</IsTruncated>', `</IsTruncated>${token}`);
};

const nameRow = () => `<Contents><Key>a/p/${randomUUID()}</Key></Contents>`;
const withRows = (xml: string, rows: string) => xml.replace(/<Contents>.*<\/Contents>/, rows);

test.each([
  ['the same names', (xml: string) => withMore(xml)],
  ['no names', (xml: string) => withMore(xml.replace(/<Contents>.*<\/Contents>/, ''))],
  ['one other name', (xml: string) => withMore(withRows(xml, nameRow()))],
  [
    'one other folder',
    (xml: string) => withMore(withRows(xml, `<CommonPrefixes><Prefix>a/p/${randomUUID()}/</Prefix></CommonPrefixes>`)),
  ],
])('a list without end, with %s on each page, is an error', async (_, list) => {
  const server = await s3Server({ list });
  for (let at = 0; at < 5; at += 1) server.put(`a/p/${at}.xml`, bytes);
  server.put('a/z/0.xml', bytes);
  const storage = await bucketStorage(server);
  await expect(storage.filesIn('p')).rejects.toThrow('an answer that cannot be right: a list of objects has no end');
  expect(server.requests.length).toBeLessThan(150);
});

test('an object without a length, and without an end, is not read', async () => {
  const server = await s3Server({ fault: ({ key }) => (key === 'a/k.xml' ? 'unsized' : undefined) });
  server.put('a/k.xml', bytes);
  const storage = await bucketStorage(server);
  await expect(storage.digest('k.xml')).rejects.toThrow('an answer that cannot be right: an object has no length');
});

test('an address without https in a shared file of AWS gets nothing', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'config');
  writeFileSync(file, '[default]\nregion = us-east-1\nendpoint_url = http://192.0.2.1\n');
  vi.stubEnv('AWS_CONFIG_FILE', file);
  onTestFinished(() => void vi.unstubAllEnvs());
  const login = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  const storage = await openStorage('s3://bucket/a', optionsWith(login));
  await expect(storage.exists('k.xml')).rejects.toMatchObject({ code: 'archive.unusable', exitCode: 2 });
});

const entity = '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>';

test.each([
  ['is cut in its middle', (xml: string) => xml.slice(0, xml.length / 2)],
  ['is cut in a tag', (xml: string) => xml.slice(0, -3)],
  ['is empty', () => ''],
  ['is no XML', () => '{"Contents":[]}'],
  ['has another root', (xml: string) => xml.replaceAll('ListBucketResult', 'ListAllMyBucketsResult')],
  ['has two roots', (xml: string) => xml + xml],
  ['declares entities', (xml: string) => `${entity}${xml.replace('<Key>', '<Key>&b;')}`],
  ['is as deep as it is long', (xml: string) => '<Contents>'.repeat(200_000) + xml],
  [
    'is deep within its root',
    (xml: string) => xml.replace('<Key>', `${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}<Key>`),
  ],
  ['is larger than a list can be', (xml: string) => xml.replace('<Key>', `${' '.repeat(40_000_000)}<Key>`)],
])('a list that %s is one sentence, and nothing of it is believed', async (_, list) => {
  const server = await s3Server({ list });
  for (let at = 0; at < 5; at += 1) server.put(`a/p/${at}.xml`, bytes);
  const storage = await bucketStorage(server);
  await expect(storage.filesIn('p')).rejects.toMatchObject({ code: 'archive.bad_answer', exitCode: 6 });
});

test('a server that does not encode names is read as it writes them', async () => {
  const server = await s3Server({
    list: (xml) => decodeURIComponent(xml).replace('<EncodingType>url</EncodingType>', ''),
  });
  server.put('a/p/100%+1.xml', bytes);
  expect(await (await bucketStorage(server)).filesIn('p')).toEqual(['100%+1.xml']);
});

test.each(['ignored', 'shifted'] as const)(
  'a stream that breaks does not go on with other bytes: range %s',
  async (ranges) => {
    const faults: S3Fault[] = ['half'];
    const server = await s3Server({ ranges, fault: () => faults.shift() });
    server.put('a/k.xml', bytes);
    const storage = await bucketStorage(server);
    await expect(storage.digest('k.xml')).rejects.toMatchObject({ code: 'archive.bad_answer' });
  },
);

test('a stream that goes on in an object of another length is an error', async () => {
  const faults: S3Fault[] = ['half'];
  let longer = 0;
  const server = await s3Server({
    body: (_, body) => Buffer.concat([body, Buffer.alloc(longer++)]),
    fault: () => faults.shift(),
  });
  server.put('a/k.xml', bytes);
  const storage = await bucketStorage(server);
  await expect(storage.digest('k.xml')).rejects.toMatchObject({ code: 'archive.bad_answer' });
});

test('a server that accepts requests and never answers is waited for no longer than the run allows', async () => {
  const server = await s3Server({ fault: () => 'silent' });
  const storage = await bucketStorage(server, { patienceMs: 400, readTimeoutMs: 150 });
  await expect(storage.exists('k.xml')).rejects.toMatchObject({ code: 'archive.unreachable', exitCode: 5 });
  expect(server.requests.length).toBeLessThan(4);
});

test('an object that stops in its middle is waited for no longer than the run allows', async () => {
  const server = await s3Server({ fault: ({ method }) => (method === 'GET' ? 'stalled' : undefined) });
  server.put('a/k.xml', Buffer.alloc(1_000));
  const storage = await bucketStorage(server, { patienceMs: 200, readTimeoutMs: 150 });
  await expect(storage.digest('k.xml')).rejects.toMatchObject({ code: 'archive.unreachable', exitCode: 5 });
  expect(server.requests.length).toBeLessThan(5);
});

test('an object that is there and cannot be read ends in an error, not in a loop', async () => {
  const server = await s3Server({
    withoutChecksums: true,
    fault: ({ method, key }) =>
      method === 'GET' && key === 'a/k.xml' ? { status: 404, code: 'NoSuchKey' } : undefined,
  });
  server.put('a/k.xml', bytes);
  const work = await openWork(await bucketStorage(server));
  const failure = work.write('k.xml', Buffer.from('other'));
  await expect(failure).rejects.toMatchObject({ code: 'archive.bad_answer' });
});
