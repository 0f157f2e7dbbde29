import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createArchiveWriter } from '../../src/archive/write.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const bytes = Buffer.from('<nfeProc/>');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const writerFor = (archive: string) =>
  createArchiveWriter({ archive, storeTag: 'store', workerId: 'worker-1' });

test('bytes stand under their name with their hash, and nothing else is left', async () => {
  const archive = join(temporaryFolder(), 'archive');
  const writer = writerFor(archive);
  const written = await Promise.all(
    Array.from({ length: 40 }, (_, i) => writer.write(`a/${i % 4}/${i}.xml`, bytes)),
  );
  await writer.close();
  expect(written[5]).toEqual({ path: 'a/1/5.xml', sha256, bytes: 10 });
  expect(readFileSync(join(archive, 'a/1/5.xml'))).toEqual(bytes);
  expect(statSync(join(archive, 'a/1/5.xml')).mode & 0o777).toBe(0o600);
  const files = readdirSync(archive, { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => name.endsWith('.xml')).length).toBe(40);
  expect(readdirSync(archive)).toEqual(['a']);
});

test('a file is replaced as a whole', async () => {
  const archive = temporaryFolder();
  const writer = writerFor(archive);
  await writer.write('k.xml', Buffer.from('an older and longer text'));
  expect(await writer.write('k.xml', bytes)).toEqual({ path: 'k.xml', sha256, bytes: 10 });
  expect(readFileSync(join(archive, 'k.xml'))).toEqual(bytes);
});

test('a draft that starts over holds only what came since, and a discarded one leaves nothing', async () => {
  const archive = temporaryFolder();
  const writer = writerFor(archive);
  const draft = writer.draft();
  await draft.restart();
  await draft.write(Buffer.from('half of an ans'));
  await draft.restart();
  await draft.write(bytes.subarray(0, 4));
  await draft.write(bytes.subarray(4));
  expect(await draft.place('k.pdf')).toEqual({ path: 'k.pdf', sha256, bytes: 10 });
  const other = writer.draft();
  await other.restart();
  await other.write(bytes);
  await other.discard();
  await draft.discard();
  await writer.close();
  expect(readdirSync(archive)).toEqual(['k.pdf']);
});

test('only what the dead of this store left is swept away', async () => {
  const archive = temporaryFolder();
  mkdirSync(join(archive, '.fiscal'));
  for (const name of ['store.dead.1.part', 'store.worker-1.1.part', 'other.dead.1.part', 'note.txt']) {
    writeFileSync(join(archive, '.fiscal', name), 'half');
  }
  await writerFor(archive).sweep(new Set(['worker-1']));
  expect(readdirSync(join(archive, '.fiscal'))).toEqual([
    'note.txt',
    'other.dead.1.part',
    'store.worker-1.1.part',
  ]);
});

test('a place that cannot be written is told with its path', async () => {
  const archive = temporaryFolder();
  writeFileSync(join(archive, 'a'), '');
  const failure = writerFor(archive).write('a/k.xml', bytes);
  await expect(failure).rejects.toMatchObject({ code: 'store.unwritable' });
});
