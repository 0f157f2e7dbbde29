import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openStore } from '../../src/store/sqlite/open.js';
import { virtualClock } from '../jobs/virtual-clock.js';
import type { TestHost } from './host.js';

/** Made once for all files of a worker: to create a store costs more than most runs of the program. */
const emptyStore = await createEmptyStore();

async function createEmptyStore(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-test-'));
  const path = join(folder, 'state.db');
  // Created at time 0, so that the clock of each host decides.
  const clock = virtualClock(0);
  await (await openStore({ path, clock })).close();
  clock.stop();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}

/** Gives a host a store with nothing in it. The stores of all hosts that have one of these are copies of one. */
export function giveEmptyStore(host: TestHost): void {
  const path = join(host.env['FISCAL_STATE_DIR'] ?? '', 'state.db');
  mkdirSync(dirname(path), { mode: 0o700 });
  writeFileSync(path, emptyStore, { mode: 0o600 });
}
