import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ArchivedMonth, NFE } from '../commands/inbound/archived-month.js';

let month: ArchivedMonth;

beforeEach(async () => {
  month = await ArchivedMonth.open();
  await month.add('nfe', NFE[0]);
  await month.fiscal('company', 'list', '-o', 'json');
});

const archive = () => ['--archive', month.archive];

/** Commands that write one file, and the end of its name. */
const commands: readonly (readonly [name: string, end: string, words: (out: string) => readonly string[]])[] = [
  ['export table', '.csv', (out) => ['export', 'table', 'header', '2026-10', '--out', out, ...archive()]],
  ['manifestation plan', '.csv', (out) => ['manifestation', 'plan', '--rules', 'rules.json', '--out', out]],
  ['manifestation due', '.ics', (out) => ['manifestation', 'due', '--ics', out]],
  ['backfill plan', '.csv', (out) => ['backfill', 'plan', '--out', out]],
  ['backfill report', '.html', (out) => ['backfill', 'report', '--out', out]],
  ['company export', '.yaml', (out) => ['company', 'export', '--out', out]],
  ['status', '.prom', (out) => ['status', '--check', '--metrics-file', out]],
  ['a workbook', '.xlsx', (out) => ['company', 'list', '-o', 'xlsx', '--out', out]],
];

/** Those that need `--overwrite`. */
const mayNotReplace = new Set(['export table', 'export package']);

describe.each(commands)('%s', (name, end, words) => {
  beforeEach(() => void writeFileSync(join(month.host.cwd, 'rules.json'), '{"rules":[{"event":"awareness"}]}'));

  test('does not wait for a pipe that stands in the place of its file, nor replace it', async () => {
    const path = join(month.host.cwd, `planted${end}`);
    execFileSync('mkfifo', [path]);
    const { exitCode, stderr } = await month.fiscal(...words(path));
    expect([exitCode, lstatSync(path).isFIFO()]).toEqual([2, true]);
    expect(stderr).toMatch(/it is not a regular file/);
  });

  test.each(['a file', 'nothing', 'itself'])('writes nothing behind a link to %s', async (aim) => {
    const [path, behind] = [join(month.host.cwd, `planted${end}`), join(month.host.cwd, `behind${end}`)];
    if (aim === 'a file') writeFileSync(behind, 'of others');
    symlinkSync(aim === 'itself' ? path : behind, path);
    const { exitCode, stderr } = await month.fiscal(...words(path));
    const isKept = mayNotReplace.has(name);
    expect([exitCode === 2, lstatSync(path).isSymbolicLink()]).toEqual([isKept, isKept]);
    if (isKept) expect(stderr).toContain('exists');
    expect(existsSync(behind) && readFileSync(behind, 'utf8')).toBe(aim === 'a file' && 'of others');
  });

  test('writes a file whose name has 255 bytes', async () => {
    const long = `${'ç'.repeat((255 - end.length) >> 1)}${end.length % 2 === 0 ? 'x' : ''}${end}`;
    expect(Buffer.byteLength(long)).toBe(255);
    const { stderr } = await month.fiscal(...words(join(month.host.cwd, long)));
    expect([stderr.includes('ENAMETOOLONG'), readdirSync(month.host.cwd).includes(long)]).toEqual([false, true]);
  });
});

test.each([
  ['report month', () => ['report', 'month', '2026-10', '--out', 'out', ...archive()]],
  ['export package', () => ['export', 'package', '2026-10', '--out', 'out', ...archive()]],
])('%s does not wait for a pipe among its files', async (_name, words) => {
  mkdirSync(join(month.host.cwd, 'out'));
  await month.fiscal(...words());
  const names = readdirSync(join(month.host.cwd, 'out'));
  expect(names).not.toEqual([]);
  for (const name of names) {
    const path = join(month.host.cwd, 'out', name);
    rmSync(path);
    execFileSync('mkfifo', [path]);
  }
  const { exitCode, stderr } = await month.fiscal(...words());
  expect(exitCode).toBe(2);
  expect(stderr).toContain('it is not a regular file');
  expect(names.filter((name) => !statSync(join(month.host.cwd, 'out', name)).isFIFO())).toEqual([]);
});

test('neither a report nor a package replaces a link that leads nowhere', async () => {
  mkdirSync(join(month.host.cwd, 'out'));
  const commands = [
    ['report', 'month', '2026-10', '--out', 'out', ...archive()],
    ['export', 'package', '2026-10', '--out', 'out', ...archive()],
  ];
  for (const words of commands) await month.fiscal(...words);
  const names = readdirSync(join(month.host.cwd, 'out')).filter((name) => name !== 'index.html');
  for (const name of names) {
    const path = join(month.host.cwd, 'out', name);
    rmSync(path);
    symlinkSync('nowhere', path);
  }
  for (const words of commands) {
    const { exitCode, stderr } = await month.fiscal(...words);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('exists and is not')]);
  }
  expect(names.length).toBeGreaterThan(1);
  expect(names.filter((name) => !lstatSync(join(month.host.cwd, 'out', name)).isSymbolicLink())).toEqual([]);
});
