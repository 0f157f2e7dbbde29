import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openStore } from '../../src/store/sqlite/open.js';
import { virtualClock } from '../jobs/virtual-clock.js';
import { temporaryFolder } from './temporary-folder.js';
import type { TestHost } from './host.js';

/** Gives hosts a store with nothing in it, a copy of one: to create it costs more than most runs of the program. */
export async function emptyStores(): Promise<(host: TestHost) => void> {
  const path = join(temporaryFolder(), 'state.db');
  // Created at time 0, so that the clock of each host decides.
  const clock = virtualClock(0);
  await (await openStore({ path, clock })).close();
  clock.stop();
  return (host) => {
    const target = join(host.env['FISCAL_STATE_DIR'] ?? '', 'state.db');
    mkdirSync(dirname(target), { mode: 0o700 });
    copyFileSync(path, target);
  };
}
