// @ts-check
import { spawnSync } from 'node:child_process';
import { argv, env, execPath, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

/** Runs the tests of the shared store on any server: `npm run test:postgres -- postgres://owner:password@host/postgres`. */
const [url] = argv.slice(2);
if (url === undefined) {
  console.error('which server? npm run test:postgres -- postgres://owner:password@host/postgres');
  exit(2);
}
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const { status } = spawnSync(execPath, [vitest, 'run', 'postgres'], {
  env: { ...env, FISCAL_TEST_POSTGRES: url },
  stdio: 'inherit',
});
exit(status ?? 1);
