// @ts-check
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * `npm run fuzz -- KIND [--runs N] [--seed S] [--path P]`: random cases of one kind against the program, each of them checked
 * by the rules in `test/fuzz/rules.ts`. A failing case is made small, and is printed with the line that repeats it.
 */
const kinds = ['argv', 'files', 'answers', 'webhook', 'store', 'filter', 'published'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '10000' }, seed: { type: 'string' }, path: { type: 'string' } },
});
const [kind = ''] = positionals;
if (!kinds.includes(kind)) {
  console.error(`npm run fuzz -- ${kinds.join('|')} [--runs N] [--seed S] [--path P]`);
  process.exit(2);
}
const { status } = spawnSync(
  process.execPath,
  [
    fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url)),
    ...['run', `test/fuzz/${kind}.test.ts`, '--testTimeout', '0'],
  ],
  {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
    env: {
      ...process.env,
      FISCAL_FUZZ_RUNS: values.runs,
      ...(values.seed === undefined ? {} : { FISCAL_FUZZ_SEED: values.seed }),
      ...(values.path === undefined ? {} : { FISCAL_FUZZ_PATH: values.path }),
    },
  },
);
process.exitCode = status ?? 1;
