import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/store/sqlite/open.js';
import { storeContract } from './contract.js';
import { realClock } from '../support/clock.js';

storeContract('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-store-'));
  return {
    open: () => openStore({ path: join(folder, 'store.db'), clock: realClock }),
    remove: () => rm(folder, { recursive: true }),
  };
});
