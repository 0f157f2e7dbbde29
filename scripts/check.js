// @ts-check
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** `npm run check`: each check runs whatever the others say, one for each core at a time. What takes longest begins first. */
const waiting = [
  ...['lint', 'types', 'spell', 'unused', 'docs:check'],
  ...['package:check', 'signatures', 'format:check'],
];
/** @type {string[]} */
const failed = [];

await Promise.all(Array.from({ length: availableParallelism() }, checkInTurn));
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}

async function checkInTurn() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const begun = Date.now();
    const { succeeded, output } = await runScript(name);
    if (!succeeded) failed.push(name);
    console.log(`--- ${name}: ${succeeded ? 'ok' : 'failed'}, ${Math.round((Date.now() - begun) / 1000)} s`);
    if (output !== '') console.log(output);
  }
}

/**
 * Its output is given at its end, so that those of two checks do not mix.
 * @param {string} name
 * @returns {Promise<{ succeeded: boolean, output: string }>}
 */
function runScript(name) {
  // Only a shell finds `npm.cmd` on Windows.
  const child = spawn('npm', ['run', '--silent', name], {
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ succeeded: code === 0, output: output.trim() }));
  });
}
