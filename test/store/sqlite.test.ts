import Sqlite from 'better-sqlite3';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withFileSnapshot } from '../../src/store/sqlite/check.js';
import { openStore } from '../../src/store/sqlite/open.js';
import { storeContract } from './contract.js';
import { realClock } from '../support/clock.js';

storeContract('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-store-'));
  const path = join(folder, 'store.db');
  return {
    open: (actor = {}) => openStore({ path, clock: realClock, actor }),
    damage: (table, column, value) => {
      new Sqlite(path).exec(`UPDATE ${table} SET ${column} = ${value}`).close();
      return Promise.resolve();
    },
    run: (sql) => {
      new Sqlite(path).exec(`PRAGMA ignore_check_constraints = ON; ${sql}`).close();
      return Promise.resolve();
    },
    snapshot: (look) => withFileSnapshot(path, look),
    remove: () => rm(folder, { recursive: true }),
  };
});
