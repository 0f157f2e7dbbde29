import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openWork, storages, textOf } from './storages.js';

const bytes = Buffer.from('<nfeProc/>');
const sha256 = hashOf(bytes);

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

describe.each(Object.entries(storages))('an archive in a %s', (_, open) => {
  test('a file that is written is there, with its hash, its size and its kind', async () => {
    const storage = await open();
    const work = await openWork(storage);
    expect(await storage.digest('a/k.xml')).toBeUndefined();
    expect(await storage.exists('a/k.xml')).toBe(false);
    expect(await work.write('a/k.xml', bytes)).toEqual({ path: 'a/k.xml', sha256, bytes: 10 });
    expect(await work.write('a/k.xml', bytes)).toEqual({ path: 'a/k.xml', sha256, bytes: 10 });
    expect(await storage.digest('a/k.xml')).toEqual({ sha256, bytes: 10, xmlKind: 'full' });
    expect(await storage.exists('a/k.xml')).toBe(true);
    expect(await textOf(storage, 'a/k.xml')).toBe('<nfeProc/>');
    await expect(textOf(storage, 'a/none.xml')).rejects.toMatchObject({ code: 'input.not_found' });
  });

  test('a file is replaced as a whole', async () => {
    const storage = await open();
    const work = await openWork(storage);
    const older = Buffer.from('an older and longer text');
    await work.write('k.xml', older);
    await work.write('k.xml', bytes, hashOf(older));
    expect(await textOf(storage, 'k.xml')).toBe('<nfeProc/>');
    expect(await storage.filesIn('set-aside')).toEqual([]);
    expect(work.displaced).toEqual([]);
  });

  test('a restarted draft holds only later bytes, and a discarded one is nowhere', async () => {
    const storage = await open();
    const work = await openWork(storage);
    const large = Buffer.alloc(300_000, 'x');
    const draft = work.draft();
    await draft.restart();
    await draft.write(Buffer.from('half of an ans'));
    await draft.restart();
    for (const at of [0, 100_000, 200_000]) await draft.write(large.subarray(at, at + 100_000));
    expect(await draft.commit('k.pdf')).toEqual({ path: 'k.pdf', sha256: hashOf(large), bytes: 300_000 });
    const other = work.draft();
    await other.restart();
    await other.write(bytes);
    await other.discard();
    await draft.discard();
    expect(await storage.filesIn('.')).toEqual(['k.pdf']);
    expect(await storage.digest('k.pdf')).toEqual({ sha256: hashOf(large), bytes: 300_000 });
  });

  test('files are listed by folder, and found by name below one', async () => {
    const storage = await open();
    const work = await openWork(storage);
    const paths = ['p/2026-10/b/m.jsonl', 'p/2026-10/a/m.jsonl', 'p/2026-10/a/x y+ç.json', 'p/m.jsonl', 'q/m.jsonl'];
    for (const path of paths) await work.write(path, bytes);
    expect(await storage.filesIn('p/2026-10/a')).toEqual(['m.jsonl', 'x y+ç.json']);
    expect(await storage.filesIn('p')).toEqual(['m.jsonl']);
    expect(await storage.filesIn('none')).toEqual([]);
    const found = ['p/2026-10/a/m.jsonl', 'p/2026-10/b/m.jsonl', 'p/m.jsonl'];
    expect(await storage.find('p', 'm.jsonl')).toEqual({ paths: found, links: [] });
    expect(await storage.find('none', 'm.jsonl')).toEqual({ paths: [], links: [] });
  });

  test('a file that is set aside has gone, and a second time nothing happens', async () => {
    const storage = await open();
    const work = await openWork(storage);
    await work.write('a/k.xml', bytes);
    await work.setAside('a/k.xml', 'set-aside/a/k.xml');
    await work.setAside('a/k.xml', 'set-aside/a/other.xml');
    expect(await storage.exists('a/k.xml')).toBe(false);
    expect(await textOf(storage, 'set-aside/a/k.xml')).toBe('<nfeProc/>');
    expect(await storage.filesIn('set-aside/a')).toEqual(['k.xml']);
  });

  test('a name that a living process holds is waited for no longer than the command allows', async () => {
    const storage = await open();
    const holder = await openWork(storage, 'first', 1);
    const other = await openWork(storage, 'second', 3, 50);
    const waiting = holder.exclusively('proof', () => other.exclusively('proof', () => Promise.resolve('both')));
    await expect(waiting).rejects.toMatchObject({ code: 'archive.locked', exitCode: 11 });
  });

  test('one process at a time holds a name, also after a failure of another', async () => {
    const storage = await open();
    const works = [await openWork(storage, 'first', 1), await openWork(storage, 'second', 3)];
    let inside = 0;
    const most: number[] = [];
    const use = async () => {
      inside += 1;
      most.push(inside);
      await pause(5);
      inside -= 1;
    };
    await Promise.all(works.flatMap((work) => [work.exclusively('proof', use), work.exclusively('proof', use)]));
    expect(most).toEqual([1, 1, 1, 1]);
    const failed = works[0]?.exclusively('proof', () => Promise.reject(new Error('full')));
    await expect(failed).rejects.toThrow('full');
    await works[1]?.exclusively('proof', use);
    expect(most.length).toBe(5);
  });
});
