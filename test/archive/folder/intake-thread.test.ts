import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Admission, Candidate, Intake } from '../../../src/archive/intake.js';
import {
  createIntakeThread,
  createLongIntake,
  packBatch,
  unpackBatch,
} from '../../../src/archive/folder/intake-thread.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { NFE_KEY, signedNfe } from '../signed-xml.js';

const built = pathToFileURL(join(import.meta.dirname, '../../../dist/intake-worker.js'));

function open(archive: string, program = built) {
  const intake = createIntakeThread({ archive, workerId: 'worker-1' }, program);
  onTestFinished(() => intake.close());
  return intake;
}

const expected: Candidate['expected'] = { family: 'nfe', part: 'document', accessKey: NFE_KEY };

test('the thread processes many candidates at once and returns the result of each', async () => {
  const archive = temporaryFolder();
  const intake = open(archive);
  const all = Array.from({ length: 100 }, (_, at) => ({
    place: `${at % 3}/${at}.xml`,
    bytes: Buffer.from(at % 10 === 0 ? `broken ${at}` : `${signedNfe()}${' '.repeat(at)}`),
    expected,
  }));
  const admissions = await Promise.all(all.map((candidate) => intake.admit(candidate)));
  const outcomes = admissions.map((each) =>
    'problem' in each ? each.problem.code : `${each.signature} ${each.file.path} ${each.file.bytes}`,
  );
  expect(outcomes).toEqual(
    all.map(({ place, bytes }, at) => (at % 10 === 0 ? 'malformed' : `valid ${place} ${bytes.length}`)),
  );
  const written = readdirSync(archive, { recursive: true, encoding: 'utf8' });
  const files = written.filter((name) => name.endsWith('.xml'));
  expect(files.toSorted()).toEqual(
    all
      .filter((_, at) => at % 10 !== 0)
      .map(({ place }) => place)
      .toSorted(),
  );
  for (const { place, bytes } of all.filter((_, at) => at % 10 !== 0))
    expect(readFileSync(join(archive, place))).toEqual(bytes);
});

test('a folder that cannot be written fails only its own document, and the error names it', async () => {
  const archive = temporaryFolder();
  writeFileSync(join(archive, 'taken'), 'a file');
  const intake = open(archive);
  const bytes = Buffer.from(signedNfe());
  const results = await Promise.allSettled(
    ['taken/1.xml', 'free/1.xml'].map((place) => intake.admit({ place, bytes, expected })),
  );
  expect(results.map((result) => (result.status === 'rejected' ? result.reason : 'written'))).toEqual([
    expect.objectContaining({ code: 'store.unwritable', message: expect.stringContaining(join(archive, 'taken')) }),
    'written',
  ]);
});

test('when the thread ends, its candidates and all later ones fail', async () => {
  const failing = new URL('data:text/javascript,setTimeout(() => { throw new Error("gone"); }, 50)');
  const intake = open(temporaryFolder(), failing);
  const candidate = { place: 'k.xml', bytes: Buffer.from('x'), expected };
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => intake.admit(candidate)));
  const reasons = results.map((result) => (result.status === 'rejected' ? String(result.reason) : 'admitted'));
  expect(new Set(reasons)).toEqual(new Set(['Error: gone']));
  await expect(intake.admit(candidate)).rejects.toThrow('gone');
});

test('a batch unpacks to the packed candidates, in a new or a reused buffer', () => {
  const arbitraryCandidate = fc.record({
    place: fc.string(),
    bytes: fc.uint8Array({ maxLength: 40 }),
    expected: fc.record({ accessKey: fc.string() }),
  });
  const plain = (given: readonly Candidate[]) => given.map((each) => ({ ...each, bytes: [...each.bytes] }));
  fc.assert(
    fc.property(fc.array(arbitraryCandidate), fc.option(fc.nat(400), { nil: undefined }), (all, spareSize) => {
      const spare = spareSize === undefined ? undefined : new Uint8Array(spareSize).fill(7);
      const batch = packBatch(3, all, spare);
      expect(plain(unpackBatch(batch))).toEqual(plain(all));
      const size = all.reduce((sum, { bytes }) => sum + bytes.length, 0);
      expect(batch.bytes === spare).toBe(spare !== undefined && spare.length >= size);
    }),
  );
});

/** An intake that records its name for each admission, and when it is closed. */
function recordingIntake(name: string, calls: string[]): Intake {
  return {
    admit: ({ place, bytes }): Promise<Admission> => {
      calls.push(name);
      const file = { path: String(place), bytes: bytes.length, sha256: '' };
      return Promise.resolve({ signature: 'valid', xmlKind: 'full', facts: undefined, event: undefined, file });
    },
    close: () => {
      calls.push(`${name} closed`);
      return Promise.resolve();
    },
  };
}

const candidateOf = (size: number) => ({ place: 'k.xml', bytes: new Uint8Array(size), expected: {} });

test('a short run starts no thread', async () => {
  const calls: string[] = [];
  const intake = createLongIntake(recordingIntake('local', calls), () => recordingIntake('thread', calls));
  for (let at = 0; at < 200; at += 1) await intake.admit(candidateOf(1));
  await intake.close();
  expect(calls).toEqual([...Array.from({ length: 200 }, () => 'local'), 'local closed']);
});

test('a long run starts one thread and keeps large documents on the main thread', async () => {
  const calls: string[] = [];
  let started = 0;
  const intake = createLongIntake(recordingIntake('local', calls), () => {
    started += 1;
    return recordingIntake('thread', calls);
  });
  for (let at = 0; at < 200; at += 1) await intake.admit(candidateOf(1));
  calls.length = 0;
  for (const size of [1, 512 * 1024, 512 * 1024 + 1, 1]) await intake.admit(candidateOf(size));
  await intake.close();
  expect([started, calls]).toEqual([1, ['thread', 'thread', 'local', 'thread', 'thread closed', 'local closed']]);
});
