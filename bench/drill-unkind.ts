import { drillImports } from './drill/unkind-imports.js';
import type { UnkindFindings } from './drill/unkind-findings.js';
import { unkindKinds } from './drill/unkind-kinds.js';

/**
 * `drill-unkind manifestations|products|nfe|nfse|invoices [items kills seed]`: two machines import in the unkind world. Ends 0 only if
 * nothing lives twice, nothing is lost, every item claims what is so, and what is called uncertain could not be known.
 */
async function run(): Promise<void> {
  const [name = '', ...sizes] = process.argv.slice(2);
  const [items = 200, kills = 26, seed = 1] = sizes.map(Number);
  const wanted = name === 'invoices' ? ['nfe', 'nfse'] : [name];
  const chosen = Object.entries(unkindKinds).filter(([known]) => wanted.includes(known));
  if (chosen.length === 0) throw new Error(`name one of ${Object.keys(unkindKinds).join(', ')}, invoices`);
  for (const [each, kind] of chosen) {
    const found = await drillImports(kind, { items, kills, seed });
    console.log(`${items} ${each}, ${found.kills} kills in ${found.lives} lives on two machines`);
    report(found);
    if (!isRight(found) || found.kills < kills) process.exitCode = 1;
  }
}

function report(found: UnkindFindings): void {
  const { states, things, endedBadly, doubled, lost, falselyDone, falselyFailed, knowable, guessed } = found;
  const { hidden, killed, unsent } = found.unknowable;
  console.log(
    Object.entries(states)
      .map(([state, count]) => `${state} ${count}`)
      .join(', '),
  );
  console.log(`at the service ${things}, of which ${endedBadly} ended badly; doubled ${doubled}, lost ${lost}`);
  console.log(`falsely done ${falselyDone}, falsely failed ${falselyFailed}, without an end ${found.unfinished}`);
  console.log(
    `uncertain ${states['uncertain'] ?? 0}, truly unknowable ${hidden + killed + unsent}: answer kept back ${hidden}, killed before it was read ${killed}, killed before the request left ${unsent}`,
  );
  console.log(`uncertain but knowable ${knowable.length}, claimed without knowledge ${guessed.length}`);
}

function isRight({
  doubled,
  lost,
  falselyDone,
  falselyFailed,
  unfinished,
  knowable,
  guessed,
}: UnkindFindings): boolean {
  return doubled + lost + falselyDone + falselyFailed + unfinished + knowable.length + guessed.length === 0;
}

await run();
