import { expect, test } from 'vitest';
import { drillSync } from '../../bench/drill/sync.js';

test('kill -9 of syncs on three machines with every fault: each document once in each archive, and no false claim', async () => {
  // `npm run drill -- sync` is larger.
  const found = await drillSync({ documents: 60, companies: 1, kills: 3, seed: 2 });
  expect(found.right).toEqual({
    ...{ doubled: 0, lost: 0, wrong: 0, leftOver: 0 },
    ...{ falselyDone: 0, falselyComplete: 0, keysElsewhere: 0 },
    exitCodes: [0, 0, 0, 0, 0, 0],
  });
  expect(found.kills).toBeGreaterThanOrEqual(3);
  expect(found.verdicts.get('complete')).toBeGreaterThanOrEqual(3);
});
