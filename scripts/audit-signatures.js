// @ts-check
import { spawnSync } from 'node:child_process';

/**
 * Checks that every installed package carries the signature of the registry (`npm audit signatures`). Without a registry that
 * answers, it says so and exits 0: a build without network is not a broken build. A wrong or missing signature exits 1.
 */
const reachMs = 5_000;
const auditMs = 300_000;

const registry = run(['config', 'get', 'registry'], reachMs).stdout.trim() || 'https://registry.npmjs.org/';
if (!(await answersWithKeys(registry))) notChecked(`${registry} gives no keys from here`);
else {
  const { status, signal, stdout, stderr } = run(['audit', 'signatures'], auditMs);
  const text = `${stdout}\n${stderr}`;
  if (status === 0) console.log(stdout.trim());
  else if (signal !== null || /ENOTFOUND|ECONNRESET|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|network/i.test(text))
    notChecked('the registry stopped answering');
  else {
    console.error(text.trim());
    process.exitCode = 1;
  }
}

/** @param {string} url */
async function answersWithKeys(url) {
  try {
    const answer = await fetch(new URL('-/npm/v1/keys', url), { signal: AbortSignal.timeout(reachMs) });
    const body = /** @type {{ keys?: unknown[] }} */ (await answer.json());
    return answer.ok && (body.keys?.length ?? 0) > 0;
  } catch {
    return false;
  }
}

/** @param {string} reason */
function notChecked(reason) {
  console.log(`signatures of the packages: not checked, ${reason}`);
}

/**
 * @param {readonly string[]} words
 * @param {number} timeout
 */
function run(words, timeout) {
  return spawnSync('npm', words, { encoding: 'utf8', timeout, shell: process.platform === 'win32' });
}
