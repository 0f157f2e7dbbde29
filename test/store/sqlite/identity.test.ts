import { cpSync, existsSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/sqlite/open.js';
import { realClock } from '../../support/clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const open = (path: string) => openStore({ path, clock: realClock });
const pathOf = () => `${temporaryFolder()}/store.db`;

test('a store is new until something is sent from it, and keeps its identity', async () => {
  const path = pathOf();
  const first = await open(path);
  expect([first.identity.isNew, first.identity.lostRows]).toEqual([true, false]);
  await first.identity.sentAt(first.clock.now());
  await first.close();
  const second = await open(path);
  expect([second.identity.isNew, second.identity.id]).toEqual([false, first.identity.id]);
  await second.close();
  expect(existsSync(`${path}-open`)).toBe(false);
});

test.each([
  ['removed', (path: string) => rmSync(path)],
  ['emptied', (path: string) => truncateSync(path)],
  [
    'replaced by a copy',
    (path: string) => {
      cpSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
  ],
])('a store whose file is %s while it is open fails before the next send', async (_name, harm) => {
  const path = pathOf();
  const store = await open(path);
  store.identity.requirePresent();
  harm(path);
  expect(() => store.identity.requirePresent()).toThrow(/was removed, emptied or replaced/);
});

test('a journal that was removed after a crash is noticed by the next process', async () => {
  const path = pathOf();
  const crashed = await open(path);
  await crashed.identity.sentAt(crashed.clock.now());
  // What a killed process leaves: the store, its journal and the marker. The journal is then lost.
  const left = pathOf();
  cpSync(path, left);
  cpSync(`${path}-open`, `${left}-open`);
  const next = await open(left);
  expect(next.identity.lostRows).toBe(true);
  await next.close();
  await crashed.close();
});

test('closing the store in one process causes no false alarm in another', async () => {
  const path = pathOf();
  const one = await open(path);
  const other = await open(path);
  await one.close();
  const third = await open(path);
  expect([other.identity.lostRows, third.identity.lostRows]).toEqual([false, false]);
  await other.close();
  await third.close();
});
