import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Service } from '../../bench/sync/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import {
  type Ended,
  ended,
  fiscal,
  inProcess,
  newWorld,
  put,
  type ReadyLine,
  records,
  start,
  withSandbox,
  type World,
  worldAt,
} from './program.js';

/*
 * The ordinary overlap of cron jobs: real processes, at once, on one archive. `first` and `second` have a state folder each,
 * as two machines on one network disk have.
 */

/** More than 200, so that a long run has its second thread. */
const DOCUMENTS = 260;
let ready: ReadyLine;
let stop: () => void;
let keys: readonly string[];

beforeAll(async () => {
  ({ ready, stop } = await withSandbox(newWorld()));
  const service = new Service(ready.url, ready.invoiceKey);
  await service.control('seed', { documents: DOCUMENTS, family: 'nfe', seed: 8 });
  keys = (await service.keys(ready.companyId)).toSorted();
});
afterAll(() => stop());

const archiveFlags = (archive: string) => ['--type', 'nfe', '--archive', archive, '-o', 'ndjson'];
const sync = (archive: string, ...more: string[]) => ['inbound', 'sync', ...archiveFlags(archive), ...more];
const close = (archive: string) => ['inbound', 'close', '2026-11', ...archiveFlags(archive)];
const verify = (archive: string) => ['inbound', 'verify', '--archive', archive, '-o', 'ndjson'];

const keysIn = (archive: string) =>
  readdirSync(archive, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\d{44}\.xml$/.test(name) && !name.includes('.fiscal'))
    .map((name) => basename(name, '.xml'))
    .toSorted();

const summaryOf = (end: Ended) => records(end).at(-1) ?? {};

/** Nothing half written and nothing of a work folder is left; what the archive holds is what the service has. */
function expectWhole(archive: string): void {
  expect(keysIn(archive)).toEqual(keys);
  expect(existsSync(join(archive, '.fiscal'))).toBe(false);
  const names = readdirSync(archive, { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
}

async function together(runs: readonly (readonly [World, readonly string[]])[]): Promise<readonly Ended[]> {
  return await Promise.all(runs.map(async ([world, words]) => await ended(start(world, words))));
}

test('two syncs of two stores on one archive both succeed, repeatedly', async () => {
  const archive = join(temporaryFolder(), 'archive');
  const [first, second] = [worldAt(ready), worldAt(ready)];
  for (let round = 0; round < 3; round += 1) {
    const more = round === 0 ? [] : ['--repair'];
    const ends = await together([
      [first, sync(archive, ...more)],
      [second, sync(archive, ...more)],
    ]);
    for (const end of ends) {
      expect([end.exitCode, end.stderr]).toEqual([0, expect.not.stringMatching(/ENOENT|store\./)]);
      if (round === 0) expect(summaryOf(end)).toMatchObject({ archived: DOCUMENTS, failed: 0 });
    }
    expectWhole(archive);
  }
});

test('short runs do not remove the work folder of a long one', async () => {
  const archive = join(temporaryFolder(), 'archive');
  const [first, second] = [worldAt(ready), worldAt(ready)];
  const long = start(first, sync(archive, '--concurrency', '1'));
  const end = ended(long);
  const short: Ended[] = [];
  while (long.exitCode === null) {
    short.push(await inProcess(second, ...close(archive)));
    short.push(await inProcess(first, ...close(archive)));
    await pause(100);
  }
  expect([(await end).exitCode, (await end).stderr]).toEqual([0, expect.not.stringContaining('ENOENT')]);
  // A month that is not wholly archived is not complete: 3, and never a failure of the disk.
  expect(short.length).toBeGreaterThan(0);
  for (const { exitCode, stderr } of short) expect([exitCode, stderr]).toEqual([3, expect.any(String)]);
  expectWhole(archive);
});

test('files of a killed process of another store are removed, and the living one continues', async () => {
  const archive = join(temporaryFolder(), 'archive');
  const [first, second] = [worldAt(ready), worldAt(ready)];
  const killed = start(first, sync(archive));
  const survivor = start(second, sync(archive, '--concurrency', '2'));
  const [killedEnd, survivorEnd] = [ended(killed), ended(survivor)];
  while (killed.exitCode === null && (!existsSync(archive) || keysIn(archive).length < 100)) await pause(2);
  killed.kill('SIGKILL');
  expect((await killedEnd).signal).toBe('SIGKILL');
  expect(await survivorEnd).toMatchObject({ exitCode: 0, signal: null });
  const again = await together([
    [first, sync(archive)],
    [second, sync(archive, '--repair')],
    [second, verify(archive)],
  ]);
  expect(again.slice(0, 2).map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expectWhole(archive);
});

test('close and verify during syncs report the truth', async () => {
  const archive = join(temporaryFolder(), 'archive');
  const [first, second] = [worldAt(ready), worldAt(ready)];
  expect((await fiscal(first, ...sync(archive))).exitCode).toBe(0);
  const firstClose = await inProcess(first, ...close(archive));
  const verdict = summaryOf(firstClose);
  const ends = await together([
    [first, close(archive)],
    [second, sync(archive)],
    [first, sync(archive, '--repair')],
    [first, close(archive)],
    [first, verify(archive)],
  ]);
  const [closed, synced, repaired, closedToo, verified] = ends;
  expect([synced?.exitCode, repaired?.exitCode]).toEqual([0, 0]);
  for (const end of [closed, closedToo]) {
    expect([end?.exitCode, end?.stderr]).toEqual([firstClose.exitCode, expect.any(String)]);
    expect(summaryOf(end ?? firstClose)).toMatchObject({
      problems: verdict['problems'],
      archived: verdict['archived'],
      verdict: verdict['verdict'],
    });
  }
  expect([verified?.exitCode, records(verified ?? firstClose).filter(({ type }) => type === 'difference')]).toEqual([
    0,
    [],
  ]);
  expectWhole(archive);
});

test('overlapping runs of one store leave the company to the first, and its proof stays complete', async () => {
  const archive = join(temporaryFolder(), 'archive');
  const [first, second] = [worldAt(ready), worldAt(ready)];
  const syncs = await together([
    [first, sync(archive)],
    [first, sync(archive)],
  ]);
  // 11: another process is at work on it.
  for (const end of syncs) {
    expect([0, 11]).toContain(end.exitCode);
    expect(end.stderr).not.toContain('ENOENT');
  }
  expect(syncs.map(({ exitCode }) => exitCode)).toContain(0);
  expect((await fiscal(second, ...sync(archive))).exitCode).toBe(0);
  const erp = put(first, 'erp.csv', `key\n${keys.join('\n')}\n`);
  const reconcile = ['inbound', 'reconcile', '--erp', erp, '--month', '2026-11', '--type', 'nfe', '-o', 'ndjson'];
  const ends = await together([
    [first, close(archive)],
    [second, close(archive)],
    [first, reconcile],
    [second, verify(archive)],
  ]);
  for (const { stderr, exitCode } of ends) {
    expect([0, 2, 3]).toContain(exitCode);
    expect(stderr).not.toMatch(/ENOENT|defect|store\./);
  }
  const verified = await inProcess(second, ...verify(archive));
  expect([verified.exitCode, records(verified).filter(({ type }) => type === 'difference')]).toEqual([0, []]);
});
