import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openWorkFolder } from '../../../src/archive/folder/work-folder.js';
import type { WorkOwner } from '../../../src/archive/storage.js';
import { realClock } from '../../support/clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const HOUR_MS = 3_600_000;
/** Of this machine the odd numbers are alive; of others nothing is known. */
const livenessOf = ({ machine, pid }: WorkOwner) => {
  if (machine !== 'here') return 'unknown';
  return pid % 2 === 1 ? 'alive' : 'dead';
};

async function open(archive: string, workerId: string, pid = 1) {
  const owner = { machine: 'here', pid, processStart: '9' };
  const folder = await openWorkFolder({ archive, workerId, owner, livenessOf, lockWaitMs: 60_000, clock: realClock });
  onTestFinished(() => folder.end());
  return folder;
}

/** A folder as another process would have left it. */
function leave(archive: string, name: string, owner: WorkOwner | undefined, ageMs: number): void {
  const folder = join(archive, '.fiscal', name);
  mkdirSync(folder, { recursive: true });
  const at = new Date(Date.now() - ageMs);
  writeFileSync(join(folder, '1.part'), 'half');
  if (owner !== undefined) {
    writeFileSync(join(folder, 'alive.json'), JSON.stringify(owner));
    utimesSync(join(folder, 'alive.json'), at, at);
  }
  utimesSync(folder, at, at);
}

const here = (pid: number): WorkOwner => ({ machine: 'here', pid, processStart: '9' });
const elsewhere: WorkOwner = { machine: 'elsewhere', pid: 2, processStart: '9' };

test('a living process keeps its folder, a dead one loses it, and otherwise the age decides', async () => {
  const archive = temporaryFolder();
  leave(archive, 'alive-and-old', here(3), 24 * HOUR_MS);
  leave(archive, 'dead-and-new', here(4), 0);
  leave(archive, 'elsewhere-new', elsewhere, 10 * 60_000);
  leave(archive, 'elsewhere-old', elsewhere, HOUR_MS);
  leave(archive, 'without-marker-new', undefined, 0);
  leave(archive, 'without-marker-old', undefined, HOUR_MS);
  writeFileSync(join(archive, '.fiscal', 'tag.worker.1.part'), 'half');
  writeFileSync(join(archive, '.fiscal', 'tag.worker.2.part'), 'half');
  const old = new Date(Date.now() - HOUR_MS);
  utimesSync(join(archive, '.fiscal', 'tag.worker.2.part'), old, old);
  await open(archive, 'own');
  expect(readdirSync(join(archive, '.fiscal')).toSorted()).toEqual([
    ...['alive-and-old', 'elsewhere-new', 'own', 'tag.worker.1.part', 'without-marker-new'],
  ]);
});

test.skipIf(process.platform === 'win32')(
  'a named pipe as the marker of another process does not hold this one',
  async () => {
    const archive = temporaryFolder();
    leave(archive, 'planted', undefined, HOUR_MS);
    spawnSync('mkfifo', [join(archive, '.fiscal', 'planted', 'alive.json')]);
    await open(archive, 'own');
    expect(readdirSync(join(archive, '.fiscal'))).toContain('own');
  },
);

test('a work folder that is a link is refused: nothing behind it is removed', async () => {
  const [archive, outside] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(join(outside, 'of-somebody-else'), 'old');
  const old = new Date(Date.now() - HOUR_MS);
  utimesSync(join(outside, 'of-somebody-else'), old, old);
  symlinkSync(outside, join(archive, '.fiscal'));
  await expect(open(archive, 'own')).rejects.toMatchObject({ code: 'store.unwritable' });
  expect(readdirSync(outside)).toEqual(['of-somebody-else']);
});

test('the shared folder is removed with its last process', async () => {
  const archive = temporaryFolder();
  const [first, second] = [await open(archive, 'first', 1), await open(archive, 'second', 3)];
  await first.end();
  expect(readdirSync(join(archive, '.fiscal'))).toEqual(['second']);
  await second.end();
  expect(existsSync(join(archive, '.fiscal'))).toBe(false);
});

test('one process at a time holds a name, and the lock of a dead one is taken over', async () => {
  const archive = temporaryFolder();
  const folders = [await open(archive, 'first', 1), await open(archive, 'second', 3)];
  writeFileSync(join(archive, '.fiscal', 'proof.lock'), JSON.stringify(here(4)));
  let inside = 0;
  const most: number[] = [];
  const use = async () => {
    inside += 1;
    most.push(inside);
    await pause(5);
    inside -= 1;
  };
  await Promise.all([1, 2, 3].flatMap(() => folders.map((folder) => folder.exclusively('proof', use))));
  expect(most).toEqual([1, 1, 1, 1, 1, 1]);
  const failed = folders[0]?.exclusively('proof', () => Promise.reject(new Error('full')));
  await expect(failed).rejects.toThrow('full');
  await folders[1]?.exclusively('proof', use);
  expect(readdirSync(join(archive, '.fiscal')).toSorted()).toEqual(['first', 'second']);
});

test('a lock that another process took over, while this one found it stale, is left to that process', async () => {
  const archive = temporaryFolder();
  const lock = join(archive, '.fiscal', 'proof.lock');
  const folder = await openWorkFolder({
    archive,
    workerId: 'slow',
    owner: here(1),
    lockWaitMs: 60,
    clock: realClock,
    livenessOf: (owner) => {
      if (owner.pid === 4) writeFileSync(lock, JSON.stringify(here(3)));
      return livenessOf(owner);
    },
  });
  onTestFinished(() => folder.end());
  writeFileSync(lock, JSON.stringify(here(4)));
  await expect(folder.exclusively('proof', () => Promise.resolve('held twice'))).rejects.toMatchObject({
    code: 'archive.locked',
  });
  expect(JSON.parse(readFileSync(lock, 'utf8'))).toEqual(here(3));
});

test('a process that was suspended until it lost its lock leaves the lock of the next one', async () => {
  const archive = temporaryFolder();
  const [suspended, next] = [await open(archive, 'suspended', 1), await open(archive, 'next', 3)];
  const lock = join(archive, '.fiscal', 'proof.lock');
  let finish = (): void => undefined;
  let second = Promise.resolve();
  await suspended.exclusively('proof', async () => {
    const old = new Date(Date.now() - HOUR_MS);
    utimesSync(lock, old, old);
    await new Promise<void>((taken) => {
      second = next.exclusively('proof', () => {
        taken();
        return new Promise((resolve) => (finish = resolve));
      });
    });
  });
  expect(existsSync(lock)).toBe(true);
  finish();
  await second;
  expect(existsSync(lock)).toBe(false);
});
