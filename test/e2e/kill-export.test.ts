import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { unzipped } from '../commands/export/unzipped.js';
import { control, ended, fiscal, newWorld, records, start, withSandbox, type World } from './program.js';

const DOCUMENTS = 400;

/** An archive, with the words that pack its last month. */
async function archived() {
  const { world, ready, stop } = await withSandbox(newWorld());
  onTestFinished(stop);
  await control(ready, 'seed', { documents: DOCUMENTS, family: 'nfe' });
  const archive = join(world.root, 'archive');
  expect((await fiscal(world, 'inbound', 'sync', '--type', 'nfe', '--archive', archive)).exitCode).toBe(0);
  const folders = readdirSync(archive, { recursive: true, encoding: 'utf8' });
  const month = folders.flatMap((path) => /(\d{4}-\d\d)\/nfe$/.exec(path)?.[1] ?? []).toSorted()[0] ?? '';
  const out = join(world.root, 'out');
  const words = ['export', 'package', month, '--archive', archive, '-o', 'ndjson', '--out'];
  const handovers = () => {
    const folder = join(archive, 'handovers', month, ready.companyId);
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  return { world, out, words, handovers };
}

const filesIn = (folder: string, end: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(end)) : [];

async function packed(world: World, words: readonly string[]): Promise<number> {
  const run = await fiscal(world, ...words);
  expect(run.exitCode).toBe(0);
  return Number(records(run)[0]?.['documents']);
}

test('kill -9 while a package is written leaves none, and the next run has everything', async () => {
  const { world, out, words, handovers } = await archived();
  const all = await packed(world, [...words, join(world.root, 'whole')]);
  const argv = [...words, out, '--since-last'];
  const child = start(world, argv);
  const end = ended(child);
  while (child.exitCode === null && filesIn(out, '.tmp').length === 0) await pause(1);
  child.kill('SIGKILL');
  expect((await end).signal).toBe('SIGKILL');
  expect([filesIn(out, '.zip'), handovers()]).toEqual([[], []]);
  expect(await packed(world, argv)).toBe(all);
  expect(await packed(world, argv)).toBe(0);
  const [zip = ''] = filesIn(out, '.zip');
  const names = [...(await unzipped(join(out, zip))).keys()];
  expect(names.filter((name) => name.endsWith('.xml'))).toHaveLength(all);
});

test('of two runs at once one hands the package over, and the other writes none', async () => {
  const { world, out, words, handovers } = await archived();
  const outs = [`${out}-1`, `${out}-2`];
  const runs = await Promise.all(outs.map((to) => fiscal(world, ...words, to, '--since-last')));
  expect(runs.map(({ exitCode }) => exitCode === 0 || exitCode === 11)).toEqual([true, true]);
  expect(outs.flatMap((to) => filesIn(to, '.zip'))).toHaveLength(1);
  expect(outs.flatMap((to) => filesIn(to, '.tmp'))).toEqual([]);
  expect(handovers()).toEqual(['1.jsonl']);
});

test.skipIf(process.platform === 'win32')('a disk that takes no more leaves the old package', async () => {
  const { world, out, words } = await archived();
  await packed(world, [...words, out]);
  const [zip = ''] = filesIn(out, '.zip');
  const before = readFileSync(join(out, zip));
  const small = Math.floor(before.length / 2048);
  const shell = ['-c', `ulimit -f ${small}; exec "$0" "$@"`, process.execPath];
  const program = join(import.meta.dirname, '../../bin/fiscal.js');
  const child = spawn('bash', [...shell, program, ...words, out], {
    cwd: join(world.root, 'work'),
    env: world.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { exitCode, stderr } = await ended(child);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('EFBIG')]);
  expect(readdirSync(out)).toEqual([zip]);
  expect(readFileSync(join(out, zip)).equals(before)).toBe(true);
});
