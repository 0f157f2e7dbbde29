import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolderWriter } from '../../../src/archive/folder/write.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const bytes = Buffer.from('<nfeProc/>');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const writerFor = (archive: string) => createFolderWriter({ archive, workerId: 'worker-1' });

test('bytes are written under their name with their hash, and nothing else is left', async () => {
  const archive = join(temporaryFolder(), 'archive');
  const writer = writerFor(archive);
  const written = await Promise.all(Array.from({ length: 40 }, (_, i) => writer.write(`a/${i % 4}/${i}.xml`, bytes)));
  expect(written[5]).toEqual({ path: 'a/1/5.xml', sha256, bytes: 10 });
  expect(readFileSync(join(archive, 'a/1/5.xml'))).toEqual(bytes);
  expect(statSync(join(archive, 'a/1/5.xml')).mode & 0o777).toBe(0o600);
  const files = readdirSync(archive, { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => name.endsWith('.xml')).length).toBe(40);
  expect(readdirSync(join(archive, '.fiscal', 'worker-1'))).toEqual([]);
});

test('a file is replaced as a whole', async () => {
  const archive = temporaryFolder();
  const writer = writerFor(archive);
  await writer.write('k.xml', Buffer.from('an older and longer text'));
  expect(await writer.write('k.xml', bytes)).toEqual({ path: 'k.xml', sha256, bytes: 10 });
  expect(readFileSync(join(archive, 'k.xml'))).toEqual(bytes);
});

test('a restarted draft holds only later bytes, and a discarded one leaves nothing', async () => {
  const archive = temporaryFolder();
  const writer = writerFor(archive);
  const draft = writer.draft();
  await draft.restart();
  await draft.write(Buffer.from('half of an ans'));
  await draft.restart();
  await draft.write(bytes.subarray(0, 4));
  await draft.write(bytes.subarray(4));
  expect(await draft.commit('k.pdf')).toEqual({ path: 'k.pdf', sha256, bytes: 10 });
  const other = writer.draft();
  await other.restart();
  await other.write(bytes);
  await other.discard();
  await draft.discard();
  expect(readdirSync(join(archive, '.fiscal', 'worker-1'))).toEqual([]);
  expect(readdirSync(archive)).toEqual(['.fiscal', 'k.pdf']);
});

test('a folder that is removed is created again', async () => {
  const archive = temporaryFolder();
  const writer = writerFor(archive);
  await writer.write('a/k.xml', bytes);
  rmSync(join(archive, '.fiscal'), { recursive: true });
  rmSync(join(archive, 'a'), { recursive: true });
  expect(await writer.write('a/k.xml', bytes)).toEqual({ path: 'a/k.xml', sha256, bytes: 10 });
  expect(readFileSync(join(archive, 'a/k.xml'))).toEqual(bytes);
});

test('the error names a path that cannot be written', async () => {
  const archive = temporaryFolder();
  writeFileSync(join(archive, 'a'), '');
  const failure = writerFor(archive).write('a/k.xml', bytes);
  await expect(failure).rejects.toMatchObject({ code: 'store.unwritable' });
});
