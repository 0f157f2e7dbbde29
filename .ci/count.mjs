// Names what failed and adds up vitest's reports: `node .ci/count.mjs <folder> <status>`. A failure that no test shows still counts as one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, status] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const name of readdirSync(folder)) {
  try {
    const report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    passed += report.numPassedTests;
    const failures = report.testResults.flatMap(failuresOf);
    failed += failures.length;
    for (const line of failures) console.log(line);
  } catch (error) {
    console.log(`the report ${name} cannot be read: ${error.message}`);
    failed += 1;
  }
}
if (status !== '0' && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** A file that cannot be loaded has a message and no failed test. */
function failuresOf({ name, message, assertionResults }) {
  const failures = assertionResults.filter(({ status }) => status === 'failed');
  if (message !== '' && failures.length === 0) return [`FAILED ${name}\n${message}`];
  return failures.map(
    ({ fullName, failureMessages }) => `FAILED ${name}: ${fullName}\n${failureMessages.join('\n').slice(0, 3000)}`,
  );
}
