import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** `.ci/run` and `npm run test:nodes` ask for a report that can be counted. */
const report = process.env['FISCAL_TEST_REPORT'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Most tests wait for a server or a process: two at a time are faster even where Vitest would take one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
