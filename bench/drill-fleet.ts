import { drillFleet, type FleetFindings } from './drill/fleet.js';

/**
 * `drill-fleet [manifestations products invoices kills stops cuts runners seed]`: runners of several machines on one store. Ends 0
 * only if nothing lives twice, nothing is lost, every claim is true, and the share of a dead runner was taken over within one lease.
 */
async function run(): Promise<void> {
  const [manifestations = 20_000, products = 3_000, invoices = 1_000, ...rest] = process.argv.slice(2).map(Number);
  const [kills = 40, stops = 6, cuts = 20, runners = 4, seed = 1] = rest;
  const sizes = { manifestations, products, invoices, kills, stops, cuts, runners, seed };
  const found = await drillFleet(sizes);
  report(found, runners);
  const isDisturbed = found.kills >= kills && found.stops >= stops && found.cuts >= cuts;
  if (!isDisturbed || !isRight(found)) process.exitCode = 1;
}

/** A lease, and the time until the next look of the others. */
const TAKE_OVER_SECONDS = 65;

function report(found: FleetFindings, runners: number): void {
  const { lives, kills, stops, cuts, requests, seconds, takeOverSeconds } = found;
  console.log(
    `${runners} runners, ${kills} kills in ${lives} lives, ${stops} immediate stops of PostgreSQL, ${cuts} cuts of its connections`,
  );
  console.log(
    `${requests} requests in ${seconds.toFixed(0)} s; the share of a dead runner was taken over after ${takeOverSeconds.toFixed(1)} s`,
  );
  for (const { kind, states, things, ...counts } of found.claims) {
    const said = Object.entries(states).map(([state, count]) => `${state} ${count}`);
    console.log(`${kind}: ${said.join(', ')}; at the service ${things}`);
    console.log(`  ${JSON.stringify(counts)}`);
  }
}

function isRight({ claims, takeOverSeconds }: FleetFindings): boolean {
  const wrong = claims.reduce(
    (sum, { doubled, lost, miscounted, falselyDone, falselyFailed, unfinished }) =>
      sum + doubled + lost + miscounted + falselyDone + falselyFailed + unfinished,
    0,
  );
  return wrong === 0 && takeOverSeconds < TAKE_OVER_SECONDS;
}

await run();
