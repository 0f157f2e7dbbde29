import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** `.ci/run` and `npm run test:nodes` ask for a report that can be counted. */
const report = process.env['FISCAL_TEST_REPORT'];

/** What takes longest, the longest first: begun last, it would leave the other workers with nothing to do. */
const longest = ['test/jobs/model.property.test.ts', 'test/claims/', 'test/e2e/drill-', 'test/e2e/'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const path = relative(import.meta.dirname, moduleId);
  const found = longest.findIndex((start) => path.startsWith(start));
  return found === -1 ? longest.length : found;
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Most tests wait for a server or a process: two at a time are faster even where Vitest would take one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Nothing in `src` keeps state in a module, which the architecture test holds: the files of a worker share what is loaded.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Ends a test that hangs, also on a machine that does much other work.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
