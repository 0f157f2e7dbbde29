import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

const text = readFileSync(join(import.meta.dirname, '../bin/fiscal.js'), 'utf8').replace(/^#!.*/, '');

/** What the first file of the program does on this version of Node with this version of better-sqlite3. */
function startOn(
  node: string,
  sqlite: string,
): { readonly said: string; readonly exitCode?: number; readonly starts: boolean } {
  let [said, starts] = ['', false];
  const process = {
    versions: { node },
    exitCode: undefined,
    stderr: { write: (words: string) => void (said += words) },
  };
  const require = (name: string) =>
    name === 'better-sqlite3/package.json' ? { version: sqlite } : { start: () => void (starts = true) };
  runInNewContext(text, { process, require });
  return { said, starts, ...(process.exitCode === undefined ? {} : { exitCode: process.exitCode }) };
}

test.each([
  ['20.19.0', '12.9.0'],
  ['22.1.0', '12.9.0'],
  ['24.20.0', '13.2.0'],
  ['24.22.0', '12.9.0'],
  ['26.0.0', '13.2.0'],
])('the program starts on Node %s with better-sqlite3 %s', (node, sqlite) => {
  expect(startOn(node, sqlite)).toEqual({ said: '', starts: true });
});

test.each([
  ['18.20.4', '12.9.0', 'fiscal needs Node 20.19 or newer; this is Node 18.20.4\n'],
  ['20.18.3', '12.9.0', 'fiscal needs Node 20.19 or newer; this is Node 20.18.3\n'],
  [
    '24.21.0',
    '12.9.0',
    'better-sqlite3 12.9.0 crashes Node 24.21.0: use Node 24.22 or newer, or run npm install better-sqlite3@13\n',
  ],
])('it ends 2 on Node %s with better-sqlite3 %s, and says what to do', (node, sqlite, said) => {
  expect(startOn(node, sqlite)).toEqual({ said, starts: false, exitCode: 2 });
});
