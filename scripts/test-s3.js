// @ts-check
import { spawnSync } from 'node:child_process';
import { argv, env, execPath, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

/**
 * Runs the contract of the archive on any object store: `npm run test:s3 -- https://objects.example.com bucket`. The login comes
 * from the usual AWS variables; the objects go under a prefix of their own.
 */
const [url, bucket = 'archive'] = argv.slice(2);
if (url === undefined) {
  console.error('which server? npm run test:s3 -- https://objects.example.com bucket');
  exit(2);
}
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const { status } = spawnSync(
  execPath,
  [vitest, 'run', 'test/archive/storage.test.ts', 'test/archive/s3/two-runners.test.ts', '-t', 'archive in a s3'],
  { env: { ...env, TEST_S3_URL: url, TEST_S3_BUCKET: bucket }, stdio: 'inherit' },
);
exit(status ?? 1);
