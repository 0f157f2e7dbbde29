// Adds up vitest's reports: `node .ci/count.mjs <folder> <status>`. A failure that no test shows still counts as one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, status] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const name of readdirSync(folder)) {
  try {
    const report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    passed += report.numPassedTests;
    failed += report.numFailedTests;
  } catch (error) {
    console.log(`the report ${name} cannot be read: ${error.message}`);
    failed += 1;
  }
}
if (status !== '0' && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
