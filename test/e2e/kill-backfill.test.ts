import { expect, it } from 'vitest';
import { drillBackfill } from '../../bench/drill/backfill.js';

it('kill -9 of two machines and of the sandbox during a release: it settles once, no claim is false, and sync fetches exactly the released documents', async () => {
  // `npm run drill -- backfill` is larger.
  const found = await drillBackfill({ documents: 150, companies: 6, kills: 4, restarts: 1, seed: 7 });
  expect(found.right).toEqual({
    ...{ restarts: 1, hiddenBefore: 150, released: 6, doubled: 0, lost: 0, falselyDone: 0, uncertain: 0 },
    ...{ exitCodes: [0, 0], openJobs: 0, openItems: 0 },
    ...{ syncedBefore: 0, syncExitCode: 0, added: 150, known: 150, files: 150, wrong: 0 },
  });
  expect(found.kills).toBeGreaterThanOrEqual(4);
});
