import Sqlite from 'better-sqlite3';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { schemaVersion } from '../../../src/store/schema.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { seed } from '../seed.js';

const fileOf = (host: TestHost) => join(host.root, 'state', 'state.db');

async function migrate(host: TestHost, ...words: string[]) {
  const { exitCode, stdout } = await runFiscal(['store', 'migrate', '-o', 'json', ...words], host);
  return { exitCode, data: stdout === '' ? undefined : JSON.parse(stdout) };
}

test('a new store gets its tables, and then there is nothing to do', async () => {
  const host = testHost();
  const path = fileOf(host);
  const plan = { type: 'migration', path, from: 0, to: schemaVersion, dryRun: true };
  expect(await migrate(host, '--dry-run')).toEqual({ exitCode: 0, data: plan });
  // A dry run creates nothing.
  expect(await migrate(host, '--dry-run')).toEqual({ exitCode: 0, data: plan });
  const { dryRun: _dryRun, ...done } = plan;
  expect(await migrate(host)).toEqual({ exitCode: 0, data: done });
  expect(await migrate(host)).toEqual({ exitCode: 0, data: { ...done, from: schemaVersion } });
});

test.each([['--dry-run'], ['--quiet']])(
  'what is no store, or is older or newer, is left alone (%s): exit 2',
  async (word) => {
    const host = testHost();
    mkdirSync(join(host.root, 'state'));
    writeFileSync(fileOf(host), 'garbage '.repeat(2_000));
    const { exitCode, stderr } = await runFiscal(['store', 'migrate', word, '--error-format', 'json'], host);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('"code":"store.damaged"')]);
    for (const [version, code] of [
      [-1, 'store.older'],
      [999, 'store.newer'],
    ] as const) {
      const other = testHost();
      await seed(other, () => Promise.resolve());
      const database = new Sqlite(fileOf(other));
      database.pragma(`user_version = ${version}`);
      database.close();
      const ended = await runFiscal(['store', 'migrate', word, '--error-format', 'json'], other);
      expect([ended.exitCode, ended.stderr]).toEqual([2, expect.stringContaining(`"code":"${code}"`)]);
    }
  },
);
