import { drillSync } from './drill/sync.js';

/**
 * `drill-sync [documents companies kills seed]`: three machines, of which two share an archive, sync and close a month under
 * faults, with reads that lag and documents that arrive late; they are killed with SIGKILL at random moments, and each life has
 * another wall clock. Ends 0 only if every document stands in every archive once and right, nothing half written is left, and no run
 * called done or complete what was not.
 */
async function drill(): Promise<void> {
  const [documents = 1_500, companies = 4, kills = 40, seed = 1] = process.argv.slice(2).map(Number);
  const found = await drillSync({ documents, companies, kills, seed });
  const { right, ends, verdicts, listed, outstanding, missingThen, lives } = found;
  console.log(
    `${listed} documents of ${companies} companies, ${found.kills} kills in ${lives} lives on three machines`,
  );
  console.log(`exit codes of syncs ${countsOf(ends)}; verdicts of closes ${countsOf(verdicts)}`);
  console.log(`doubled ${right.doubled}, lost ${right.lost}, wrong ${right.wrong}, left over ${right.leftOver}`);
  console.log(`falsely done ${right.falselyDone}, falsely complete ${right.falselyComplete}`);
  console.log(`said to be outstanding ${outstanding}, not there then ${missingThen}`);
  console.log(`keys to another host ${right.keysElsewhere}; at the end ${right.exitCodes.join(', ')}`);
  const { exitCodes, ...sums } = right;
  const isRight = [...Object.values(sums), ...exitCodes].every((figure) => figure === 0);
  if (!isRight || found.kills < kills) process.exitCode = 1;
}

function countsOf(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name}: ${count}`).join(', ');
}

await drill();
