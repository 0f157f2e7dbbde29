import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** `.ci/run` asks for a report that can be counted. */
const report = process.env['FISCAL_TEST_REPORT'];

export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: ['test/browser/*.browser.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
