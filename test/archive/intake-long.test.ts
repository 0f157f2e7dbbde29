import { expect, test } from 'vitest';
import type { Admission, Intake } from '../../src/archive/intake.js';
import { createLongIntake } from '../../src/archive/intake-long.js';

/** Tells where each came, and when it was closed. */
function place(name: string, told: string[]): Intake {
  return {
    admit: ({ path, bytes }): Promise<Admission> => {
      told.push(name);
      return Promise.resolve({
        signature: 'valid',
        xmlKind: 'full',
        file: { path, bytes: bytes.length, sha256: '' },
      });
    },
    close: () => {
      told.push(`${name} closed`);
      return Promise.resolve();
    },
  };
}

const candidate = (size: number) => ({ path: 'k.xml', bytes: new Uint8Array(size), expected: {} });

test('a short run starts no thread', async () => {
  const told: string[] = [];
  const intake = createLongIntake(place('here', told), () => place('thread', told));
  for (let at = 0; at < 200; at += 1) await intake.admit(candidate(1));
  await intake.close();
  expect(told).toEqual([...Array.from({ length: 200 }, () => 'here'), 'here closed']);
});

test('a long run has one thread, which large documents do not go to', async () => {
  const told: string[] = [];
  let started = 0;
  const intake = createLongIntake(place('here', told), () => {
    started += 1;
    return place('thread', told);
  });
  for (let at = 0; at < 200; at += 1) await intake.admit(candidate(1));
  told.length = 0;
  for (const size of [1, 512 * 1024, 512 * 1024 + 1, 1]) await intake.admit(candidate(size));
  await intake.close();
  expect([started, told]).toEqual([
    1,
    ['thread', 'thread', 'here', 'thread', 'thread closed', 'here closed'],
  ]);
});
