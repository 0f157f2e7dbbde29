import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { S3ServerOptions } from '../../support/s3-server.js';
import { openWork, s3Storage, textOf } from '../storages.js';

const [one, other] = [Buffer.from('<nfeProc>1</nfeProc>'), Buffer.from('<nfeProc>2</nfeProc>')];
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const aside = (bytes: Buffer) => `set-aside/d/k.changed-${hashOf(bytes).slice(0, 12)}.xml`;

/** What servers differ in. `npm run test:s3` tries any server with the same tests. */
const servers: readonly S3ServerOptions[] = [
  {},
  { tags: 'bare', deletesAnything: true, withoutChecksums: true },
  { tags: 'quoted' },
];

describe.each(servers)('two runners on an archive in a s3 %j', (kind) => {
  test('bytes of another runner are never overwritten: they are set aside, and said', async () => {
    const storage = await s3Storage(kind);
    const works = [await openWork(storage, 'first', 1), await openWork(storage, 'second', 3)];
    await works[0]?.write('d/k.xml', one);
    await works[1]?.write('d/k.xml', other);
    expect(await textOf(storage, 'd/k.xml')).toBe(String(other));
    expect(await textOf(storage, aside(one))).toBe(String(one));
    expect(works.map((work) => work.displaced)).toEqual([[], [aside(one)]]);
  });

  test('what is replaced is what was expected; anything else is set aside', async () => {
    const storage = await s3Storage(kind);
    const work = await openWork(storage);
    await work.write('d/k.xml', one);
    await work.write('d/k.xml', other, hashOf(one));
    expect(work.displaced).toEqual([]);
    await work.write('d/k.xml', one, hashOf(one));
    expect(work.displaced).toEqual([aside(other)]);
  });

  test('different bytes that are written at the same time are all kept', async () => {
    const storage = await s3Storage(kind);
    const works = [await openWork(storage, 'first', 1), await openWork(storage, 'second', 3)];
    for (let round = 0; round < 5; round += 1) {
      const versions = works.map((_, index) => Buffer.from(`<nfeProc>${round} ${index}</nfeProc>`));
      await Promise.all(works.map((work, index) => work.write('d/k.xml', versions[index] ?? one)));
      const bodies: string[] = [];
      for await (const { path } of storage.files()) bodies.push(await textOf(storage, path));
      expect(bodies).toEqual(expect.arrayContaining(versions.map(String)));
    }
  });

  test('bytes that are kept under the name of their hash stay those', async () => {
    const storage = await s3Storage(kind);
    const work = await openWork(storage);
    await work.write('d/k.xml', one);
    await work.setAside('d/k.xml', aside(one));
    await work.write('d/k.xml', other);
    await work.setAside('d/k.xml', aside(one));
    expect(await textOf(storage, aside(one))).toBe(String(other));
    expect(await storage.exists('d/k.xml')).toBe(false);
    expect(work.displaced.length).toBe(1);
    expect(await textOf(storage, work.displaced[0] ?? '')).toBe(String(one));
  });
});
