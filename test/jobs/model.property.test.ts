import fc from 'fast-check';
import { expect, test } from 'vitest';
import { play, schedules, withEmptyStore } from './model/schedule.js';

/** `npm run drill -- model` plays many more. */
const SCHEDULES = 2_000;

test('two machines, kills, jumping clocks and lost stores double nothing and claim nothing false', async () => {
  const report = await withEmptyStore(async (emptyStore) => {
    const property = fc.asyncProperty(schedules, async (schedule) => {
      await play(schedule, emptyStore);
    });
    return await fc.check(property, { numRuns: SCHEDULES });
  });
  const { errorInstance } = report;
  const trace = errorInstance instanceof Error ? errorInstance.message : '';
  expect(report.failed, `${fc.defaultReportMessage(report) ?? ''}\n${trace}`).toBe(false);
});
