import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/start.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

it.each([17, 2])(
  'a file of another version, with schema %i, is refused in one sentence and not changed',
  async (version) => {
    const path = join(temporaryFolder(), 'sandbox.db');
    const versionOf = (change?: number) => {
      const database = new Database(path);
      if (change !== undefined) database.pragma(`user_version = ${change}`);
      const found = database.pragma('user_version', { simple: true });
      const tables = database.prepare('SELECT count(*) FROM sqlite_master').pluck().get();
      database.close();
      return { found, tables };
    };
    versionOf(version);
    await expect(startSandbox({ path })).rejects.toThrow(
      `${path} was written by another version of the sandbox (schema ${version}, not 1)`,
    );
    expect(versionOf()).toEqual({ found: version, tables: 0 });
  },
);
