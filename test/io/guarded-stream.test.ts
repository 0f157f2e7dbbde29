import { expect, test } from 'vitest';
import { guardedHost, guardedText } from '../../src/io/streams.js';
import { testHost } from '../support/host.js';

test.each([
  ['::add-mask::x', ': :add-mask::x'],
  ['first\n  ::stop-commands::t\n', 'first\n  : :stop-commands::t\n'],
  ['\u0085\r ::error::t', '\u0085\r : :error::t'],
  ['said ##vso[task]', 'said ## vso[task]'],
  ['said ##[add-matcher]/tmp/x', 'said ## [add-matcher]/tmp/x'],
  ['see §4: that is all :: here', 'see §4: that is all :: here'],
])('%j contains no workflow command', (text, expected) => {
  expect(guardedText(text)).toBe(expected);
});

test('a guarded host differs only in its output', async () => {
  const host = testHost();
  const guarded = guardedHost(host);
  await guarded.stderr.write('::warning::x\n');
  await guarded.stdout.write('::data\n');
  expect(host.written()).toEqual({ stdout: ': :data\n', stderr: ': :warning::x\n' });
  expect([guarded.cwd, guarded.homeDir, guarded.env, guarded.stderr.columns, guarded.stderr.closed]).toEqual([
    host.cwd,
    host.homeDir,
    host.env,
    80,
    false,
  ]);
});
