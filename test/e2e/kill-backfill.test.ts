import { expect, it } from 'vitest';
import { drillBackfill } from '../../bench/drill/backfill.js';

it('kill -9 of the client and of the sandbox in the middle of a release: it settles, and sync collects exactly what it uncovered', async () => {
  const sizes = { documents: 300, companies: 3, kills: 4, restarts: 1, seed: 7 };
  const { right } = await drillBackfill(sizes);
  expect(right).toEqual({
    kills: 4,
    restarts: 1,
    exitCode: 0,
    hiddenBefore: 300,
    released: 3,
    jobs: ['done'],
    settledItems: 3,
    syncedBefore: 0,
    syncExitCode: 0,
    added: 300,
    known: 300,
    files: 300,
    wrong: 0,
  });
}, 180_000);
