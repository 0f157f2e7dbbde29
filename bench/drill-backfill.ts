import { isDeepStrictEqual } from 'node:util';
import { drillBackfill, type Findings, type Sizes } from './drill/backfill.js';

/**
 * `drill-backfill [documents companies kills restarts seed]`: a release of the history of all companies while the client is killed and the
 * sandbox restarted, and the sync that collects it. Ends 0 only if every company is released with nothing hidden, the
 * job is settled, and exactly the uncovered documents came.
 */
async function drill(): Promise<void> {
  const [documents = 200_000, companies = 30, kills = 20, restarts = 5, seed = 1] = process.argv
    .slice(2)
    .map(Number);
  const sizes = { documents, companies, kills, restarts, seed };
  const found = await drillBackfill(sizes);
  const { right, lives, requests, releaseSeconds, syncSeconds, compared } = found;
  console.log(
    `${companies} companies, ${right.hiddenBefore} hidden documents; ${right.kills} kills in ${lives} lives, ${right.restarts} restarts of the sandbox`,
  );
  console.log(
    `released ${right.released} companies in ${releaseSeconds} s with ${requests} requests; jobs ${right.jobs.join(', ')}, ${right.settledItems} items succeeded`,
  );
  console.log(
    `sync: ${right.syncedBefore} documents before, ${right.added} after, in ${syncSeconds} s (${Math.round(right.added / syncSeconds)} a second)`,
  );
  console.log(`known ${right.known}, files ${right.files}, wrong ${right.wrong} of ${compared} compared`);
  if (isDeepStrictEqual(right, expected(sizes))) return;
  console.log('not as expected');
  process.exitCode = 1;
}

function expected({ documents, companies, kills, restarts }: Sizes): Findings['right'] {
  return {
    ...{ kills, restarts, exitCode: 0, hiddenBefore: documents, released: companies },
    ...{ jobs: ['done'], settledItems: companies, syncedBefore: 0, syncExitCode: 0 },
    ...{ added: documents, known: documents, files: documents, wrong: 0 },
  };
}

await drill();
