import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, freemem } from 'node:os';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** `.ci/run` and `npm run test:nodes` ask for a report that can be counted. */
const report = process.env['FISCAL_TEST_REPORT'];

/** What takes longest, the longest first: begun last, it would leave the other workers with nothing to do. */
const longest = [
  ...['test/jobs/model.property.test.ts', 'test/claims/', 'test/e2e/drill-', 'test/e2e/postgres-', 'test/e2e/'],
  ...['test/store/postgres.test.ts', 'test/jobs/', 'test/program.test.ts', 'test/guides/', 'test/commands/invoice/'],
];

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

const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Where the tests keep their files: in memory where Linux has room for them. A test that opens a store waits for the disk
 * many times, and none of them cuts the power, which alone would tell the difference.
 */
function temporaryFolders(): Record<string, string> {
  const folder = '/dev/shm';
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === folder);
    // The packed program loads its addon from such a folder.
    const runsPrograms = mount !== undefined && !/\bnoexec\b/.test(mount);
    const hasRoom = Math.min(bavail * bsize, freemem()) > NEEDED_BYTES;
    return runsPrograms && hasRoom && process.env['TMPDIR'] === undefined ? { TMPDIR: folder } : {};
  } catch {
    return {};
  }
}

export default defineConfig({
  test: {
    env: temporaryFolders(),
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/shared-folder.ts'],
    setupFiles: ['test/support/after-each-file.ts'],
    // A file handle that only the garbage collector closes, and any other deprecated use, fails a test.
    // A larger young generation is collected less often, which takes a twentieth off the time of the tests.
    execArgv: [
      ...['--trace-warnings', '--throw-deprecation'],
      ...['--min-semi-space-size=16', '--max-semi-space-size=32'],
    ],
    // Most tests wait for a server, a process or a pause: two for each core keep the cores at work.
    maxWorkers: 2 * availableParallelism(),
    // Nothing in `src` keeps state in a module, which the architecture test holds: the files of a worker share what is loaded.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // A failed comparison is shown whole: `.ci/run` prints it, and nothing else remains of that machine.
    chaiConfig: { truncateThreshold: 0 },
    // Ends a test that hangs, also on a machine that does much other work.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
