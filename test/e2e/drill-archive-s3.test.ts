import { expect, test } from 'vitest';
import { drillArchive } from '../../bench/drill/archive-s3.js';

test('kill -9 of runners that sync to a failing object store: each document one object, right and proven', async () => {
  // `npm run drill -- archive-s3` is larger.
  const found = await drillArchive({ documents: 80, runners: 3, kills: 4, seed: 3 });
  expect(found.right).toEqual({ doubled: 0, lost: 0, wrong: 0, unproven: 0, exitCodes: [0, 0, 0] });
  expect([found.kills >= 4, found.faults > 0]).toEqual([true, true]);
});
