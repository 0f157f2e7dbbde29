import fc from 'fast-check';
import { type Figures, play, schedules, withEmptyStore } from '../test/jobs/model/schedule.js';

/**
 * `npm run drill -- model [schedules seed]`: random schedules of two machines, kills, faults, jumping clocks and lost stores,
 * played by the real engine and store in virtual time. Ends 1 at the first that doubles something or claims something
 * false, with its seed, the smallest schedule that fails, and what happened in it.
 */
async function drill(): Promise<void> {
  const [numRuns = 50_000, seed = 1] = process.argv.slice(2).map(Number);
  const sums = { schedules: 0, items: 0, uncertain: 0, effects: 0 };
  const add = (figures: Figures): void => {
    sums.schedules += 1;
    for (const name of ['items', 'uncertain', 'effects'] as const) sums[name] += figures[name];
    if (sums.schedules % 100 === 0) console.log(`${sums.schedules} schedules`);
  };
  const report = await withEmptyStore(async (emptyStore) => {
    const property = fc.asyncProperty(schedules, async (schedule) => add(await play(schedule, emptyStore)));
    return await fc.check(property, { numRuns, seed });
  });
  console.log(
    `${sums.schedules} schedules, seed ${seed}: ${sums.items} items, ${sums.effects} effects, ${sums.uncertain} uncertain`,
  );
  if (!report.failed) return;
  console.log(fc.defaultReportMessage(report));
  console.log(report.errorInstance instanceof Error ? report.errorInstance.message : '');
  process.exitCode = 1;
}

await drill();
