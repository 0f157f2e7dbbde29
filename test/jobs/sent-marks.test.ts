import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSentMarks } from '../../src/jobs/sent-marks.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const send = (at: number) => ({ itemId: `0199e1c2-7f3a-7000-8000-${String(at).padStart(12, '0')}`, attempts: 1, at });
const sends = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => send(from + index));
const unexpected = (path: string, error: unknown): never => {
  throw new Error(path, { cause: error });
};

test('the last sends of a store are kept in their order, whoever adds them, and those of another store apart', () => {
  const folder = temporaryFolder();
  const [one, other] = [openSentMarks(folder, unexpected), openSentMarks(folder, unexpected)];
  one.add('store-1', send(1));
  other.add('store-1', { ...send(2), at: 1.5 });
  one.add('store-1', send(3));
  other.add('store-2', send(4));
  expect(one.of('store-1')).toEqual([send(1), { ...send(2), at: 2 }, send(3)]);
  expect(one.of('store-2')).toEqual([send(4)]);
  expect(one.of('store-3')).toEqual([]);
});

test('of many sends the last 1,024 are given, and two files of bounded size are kept', () => {
  const folder = temporaryFolder();
  const marks = openSentMarks(folder, unexpected);
  for (const each of sends(1, 9_000)) marks.add('store-1', each);
  expect(marks.of('store-1')).toEqual(sends(9_000 - 1_023, 9_000));
  expect(readdirSync(join(folder, 'sends'))).toHaveLength(2);
});

test('a line that is not whole is passed over', () => {
  const folder = temporaryFolder();
  const marks = openSentMarks(folder, unexpected);
  marks.add('store-1', send(1));
  const [name = ''] = readdirSync(join(folder, 'sends'));
  appendFileSync(join(folder, 'sends', name), '\n17 1\n12 1 cut-');
  expect(marks.of('store-1')).toEqual([send(1)]);
  marks.add('store-1', send(2));
  expect(marks.of('store-1')).toEqual([send(1), send(2)]);
});

test('where nothing can be written it is said once, and nothing fails', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'sends'), 'a file in its place');
  const said: string[] = [];
  const marks = openSentMarks(folder, (path) => void said.push(path));
  for (const each of sends(1, 3)) marks.add('store-1', each);
  expect([marks.of('store-1'), said.length]).toEqual([[], 1]);
});
