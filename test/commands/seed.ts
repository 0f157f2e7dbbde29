import { join } from 'node:path';
import type { Actor } from '../../src/domain/actor.js';
import { openStore } from '../../src/store/sqlite/open.js';
import { stateFile } from '../../src/store/state-file.js';
import type { Store } from '../../src/store/store.js';
import type { TestHost } from '../support/host.js';

/** Writes rows into the store that this host's runs will open. */
export async function seed(
  host: TestHost,
  write: (store: Store) => Promise<unknown>,
  actor: Actor = {},
): Promise<void> {
  const store = await openStore({ path: stateFile(join(host.root, 'state')), clock: host.clock, actor });
  await write(store);
  await store.close();
}

/** The records of an NDJSON text. */
export function records(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}
