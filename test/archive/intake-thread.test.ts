import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Candidate } from '../../src/archive/intake.js';
import { createIntakeThread } from '../../src/archive/intake-thread.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { NFE_KEY, signedNfe } from './signed-xml.js';

const built = pathToFileURL(join(import.meta.dirname, '../../dist/intake-worker.js'));

function open(archive: string, program = built) {
  const intake = createIntakeThread({ archive, workerId: 'worker-1' }, program);
  onTestFinished(() => intake.close());
  return intake;
}

const expected: Candidate['expected'] = { family: 'nfe', part: 'document', accessKey: NFE_KEY };

test('many at once come back each to its own, and stand in the archive', async () => {
  const archive = temporaryFolder();
  const intake = open(archive);
  const all = Array.from({ length: 100 }, (_, at) => ({
    path: `${at % 3}/${at}.xml`,
    bytes: Buffer.from(at % 10 === 0 ? `broken ${at}` : `${signedNfe()}${' '.repeat(at)}`),
    expected,
  }));
  const admissions = await Promise.all(all.map((candidate) => intake.admit(candidate)));
  const told = admissions.map((each) =>
    'problem' in each ? each.problem.code : `${each.signature} ${each.file.path} ${each.file.bytes}`,
  );
  expect(told).toEqual(
    all.map(({ path, bytes }, at) => (at % 10 === 0 ? 'malformed' : `valid ${path} ${bytes.length}`)),
  );
  const standing = readdirSync(archive, { recursive: true, encoding: 'utf8' });
  const files = standing.filter((name) => name.endsWith('.xml'));
  expect(files.toSorted()).toEqual(
    all
      .filter((_, at) => at % 10 !== 0)
      .map(({ path }) => path)
      .toSorted(),
  );
  for (const { path, bytes } of all.filter((_, at) => at % 10 !== 0))
    expect(readFileSync(join(archive, path))).toEqual(bytes);
});

test('a folder that takes no files fails the one whose file it was, with its name', async () => {
  const archive = temporaryFolder();
  writeFileSync(join(archive, 'taken'), 'a file');
  const intake = open(archive);
  const bytes = Buffer.from(signedNfe());
  const ends = await Promise.allSettled(
    ['taken/1.xml', 'free/1.xml'].map((path) => intake.admit({ path, bytes, expected })),
  );
  expect(ends.map((end) => (end.status === 'rejected' ? end.reason : 'stands'))).toEqual([
    expect.objectContaining({
      code: 'store.unwritable',
      message: expect.stringContaining(join(archive, 'taken')),
    }),
    'stands',
  ]);
});

test('the end of the thread fails what it had and all that comes later', async () => {
  const failing = new URL('data:text/javascript,setTimeout(() => { throw new Error("gone"); }, 50)');
  const intake = open(temporaryFolder(), failing);
  const candidate = { path: 'k.xml', bytes: Buffer.from('x'), expected };
  const ends = await Promise.allSettled(Array.from({ length: 40 }, () => intake.admit(candidate)));
  expect(new Set(ends.map((end) => (end.status === 'rejected' ? String(end.reason) : 'admitted')))).toEqual(
    new Set(['Error: gone']),
  );
  await expect(intake.admit(candidate)).rejects.toThrow('gone');
});
