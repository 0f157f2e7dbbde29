import { writeSync } from 'node:fs';
import { openStore } from '../../../src/store/sqlite/open.js';
import { realClock } from '../../support/clock.js';
import { newItem, openJob, prepared, step } from '../samples.js';

/** Moves items from `prepared` to `sending`, sixteen at once, and tells each on stdout when it is written; for `kill.test.ts`. */
async function write(path: string): Promise<void> {
  const store = await openStore({ path, clock: realClock });
  await openJob(
    store,
    Array.from({ length: 20_000 }, (_, i) => newItem(i + 1)),
  );
  for (;;) {
    const items = await store.items.claim({ ...prepared, limit: 16 });
    const moves = items.map(async ({ id, epoch }) => {
      const mine = { id, workerId: 'worker-1', epoch };
      if (await store.items.transition(mine, step('sending'), { at: epoch, step: { is: 'read' } }))
        writeSync(1, `${id}\n`);
    });
    await Promise.all(moves);
  }
}

void write(process.argv[2] ?? '');
