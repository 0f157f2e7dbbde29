import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

describe.each(commands)('%s', (_name, end, words) => {
  beforeEach(() => void writeFileSync(join(month.host.cwd, 'rules.json'), '{"rules":[{"event":"awareness"}]}'));

  test('does not wait for a pipe that stands in the place of its file, nor replace it', async () => {
    const path = join(month.host.cwd, `planted${end}`);
    execFileSync('mkfifo', [path]);
    const { exitCode, stderr } = await month.fiscal(...words(path));
    expect([exitCode, lstatSync(path).isFIFO()]).toEqual([2, true]);
    expect(stderr).toMatch(/it is not a regular file/);
  });

  test('writes a file whose name has 255 bytes', async () => {
    const name = `${'ç'.repeat((255 - end.length) >> 1)}${end.length % 2 === 0 ? 'x' : ''}${end}`;
    expect(Buffer.byteLength(name)).toBe(255);
    const { stderr } = await month.fiscal(...words(join(month.host.cwd, name)));
    expect([stderr.includes('ENAMETOOLONG'), readdirSync(month.host.cwd).includes(name)]).toEqual([false, true]);
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
