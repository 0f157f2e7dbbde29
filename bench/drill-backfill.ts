import { isDeepStrictEqual } from 'node:util';
import { drillBackfill, type Findings, type Sizes } from './drill/backfill.js';

/**
 * `drill-backfill [documents companies kills restarts seed]`: two machines release the history of the same companies in the
 * unkind world while they are killed and the sandbox restarted; each life has another wall clock. Then a sync collects what was
 * uncovered. Ends 0 only if every company is released once with nothing hidden, no claim was false, the jobs are done, and
 * exactly the uncovered documents came.
 */
async function drill(): Promise<void> {
  const [documents = 20_000, companies = 30, kills = 40, restarts = 5, seed = 1] = process.argv.slice(2).map(Number);
  const sizes = { documents, companies, kills, restarts, seed };
  const found = await drillBackfill(sizes);
  const { right, lives, requests, again, hiddenOutcomes, releaseSeconds, syncSeconds, compared } = found;
  console.log(
    `${companies} companies, ${right.hiddenBefore} hidden documents; ${found.kills} kills in ${lives} lives on two machines, ${right.restarts} restarts of the sandbox`,
  );
  console.log(
    `released ${right.released} companies in ${releaseSeconds} s with ${requests} requests; ${found.jobs} jobs, ${right.openJobs} of them and ${right.openItems} items not done`,
  );
  console.log(
    `doubled ${right.doubled}, lost ${right.lost}, falsely done ${right.falselyDone}, uncertain ${right.uncertain}`,
  );
  console.log(
    `requests whose outcome a fault hid: ${hiddenOutcomes}; asked again for what was released, which changes nothing: ${again}`,
  );
  console.log(
    `sync: ${right.syncedBefore} documents before, ${right.added} after, in ${syncSeconds} s (${Math.round(right.added / syncSeconds)} a second)`,
  );
  console.log(`known ${right.known}, files ${right.files}, wrong ${right.wrong} of ${compared} compared`);
  if (found.kills >= kills && isDeepStrictEqual(right, expected(sizes))) return;
  console.log('not as expected', JSON.stringify(right));
  process.exitCode = 1;
}

function expected({ documents, companies, restarts }: Sizes): Findings['right'] {
  return {
    ...{ restarts, hiddenBefore: documents, released: companies, doubled: 0, lost: 0 },
    ...{ falselyDone: 0, uncertain: 0, exitCodes: [0, 0], openJobs: 0, openItems: 0 },
    ...{ syncedBefore: 0, syncExitCode: 0 },
    ...{ added: documents, known: documents, files: documents, wrong: 0 },
  };
}

await drill();
