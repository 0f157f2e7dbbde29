import { isDeepStrictEqual } from 'node:util';
import { drillBackfill, type Findings, type Sizes } from './drill/backfill.js';
import { drillPlan, type PlanFindings, type PlanSizes } from './drill/backfill-plan.js';

/**
 * `drill-backfill [documents companies kills restarts seed planCompanies planKills]`: two machines release the history of the same companies in the
 * unkind world while they are killed and the sandbox restarted; each life has another wall clock. Then a sync collects what was
 * uncovered. Ends 0 only if every company is released once with nothing hidden, no claim was false, the jobs are done, and
 * exactly the uncovered documents came. Then a plan of `planCompanies` is released by runners of a pipeline, without a shared
 * store and with one: as many as `planKills` are killed, cancelled and cut, and others are refused and limited. Each leaves whole
 * records, and the report of the plan is compared with the ledger.
 */
async function drill(): Promise<void> {
  const [documents = 20_000, companies = 30, kills = 40, restarts = 5, seed = 1, planCompanies = 200, planKills = 20] =
    process.argv.slice(2).map(Number);
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
  if (found.kills < kills || !isDeepStrictEqual(right, expected(sizes))) fail(right);
  for (const isShared of [false, true]) await plan({ companies: planCompanies, kills: planKills, seed, isShared });
}

async function plan(sizes: PlanSizes): Promise<void> {
  const { right, lives, killed, cancelled, cut, requests, named, seconds } = await drillPlan(sizes);
  console.log(
    `plan of ${sizes.companies} companies, ${sizes.isShared ? 'one store on PostgreSQL' : 'a new store for each life'}: ${lives} lives in ${seconds} s, ${killed} killed, ${cancelled} cancelled, ${cut} cut at a time limit; ${requests} requests`,
  );
  console.log(
    `edited plan ended ${right.edited.join(', sent ')}; refused ended ${right.refused[0]} with ${right.refused[1]} effects and ${right.refused[2]} refusals; limited for ten minutes ${right.limited}; wrong exit codes ${right.wrongCodes}, torn records ${right.torn}`,
  );
  console.log(
    `released ${right.released}, doubled ${right.doubled}, lost ${right.lost}; replayed ${right.replayed.join(', sent ')}, after a revoke ${right.afterRevoke}; report ${right.report}, rows unlike the ledger ${right.differences}, senders named ${named}`,
  );
  if (killed === 0 || !isDeepStrictEqual(right, expectedOfPlan(sizes))) fail(right);
}

function fail(right: unknown): void {
  console.log('not as expected', JSON.stringify(right));
  process.exitCode = 1;
}

function expectedOfPlan({ companies }: PlanSizes): PlanFindings {
  return {
    ...{ edited: [2, 0], refused: [7, 0, companies], limited: 12, wrongCodes: 0, torn: 0, ended: [0, 0] },
    ...{ released: companies, doubled: 0, lost: 0, replayed: [0, 0], afterRevoke: 2, report: 0, differences: 0 },
  };
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
