import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { ended, newWorld } from '../e2e/program.js';

// util-linux: "script" gives a program a terminal of its own.
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;
const credentials = join(temporaryFolder(), 'credentials.mjs');

beforeAll(() => {
  const source = join(import.meta.dirname, '../../src/config/credentials.ts');
  buildSync({ entryPoints: [source], bundle: true, platform: 'node', format: 'esm', outfile: credentials });
});

/** Reads a key from the output of the command, on a terminal where the text is typed. */
async function onTerminal(
  command: string,
  { typed, limitMs }: { readonly typed: string; readonly limitMs: number },
): Promise<string> {
  const { env } = newWorld();
  const module = `import { secretFromEnvironment } from ${JSON.stringify(credentials)};
    const found = secretFromEnvironment('K', process.env, ${limitMs});
    console.log(await found.then(({ secret }) => 'key ' + secret, ({ text }) => text.en));`;
  const run = [process.execPath, '--input-type=module', '-e', '"$MODULE"'].join(' ');
  const child = spawn('script', ['-qec', run, '/dev/null'], { env: { ...env, MODULE: module, K_COMMAND: command } });
  child.stdin.write(typed);
  return (await ended(child)).stdout;
}

test.runIf(hasScript)('a command that gives a key may ask on the terminal', async () => {
  const ask = 'printf "Password: " >/dev/tty; read answer </dev/tty; echo "$answer"';
  const shown = await onTerminal(ask, { typed: 'secret-7\n', limitMs: 10_000 });
  expect(shown).toContain('Password: ');
  expect(shown).toContain('key secret-7');
});

test.runIf(hasScript)('one that does not end is ended with its children, on a terminal too', async () => {
  const file = join(temporaryFolder(), 'pids');
  const hang = `sh -c 'sleep 31 & echo $! $$ > ${file}; read answer </dev/tty; wait'`;
  const shown = await onTerminal(hang, { typed: '', limitMs: 500 });
  expect(shown).toContain('no answer within 0.5 s');
  const pids = readFileSync(file, 'utf8').trim().split(' ').map(Number);
  await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
});

/** A zombie, which nobody has waited for, has ended. */
function isAlive(pid: number): boolean {
  return /^\s*[^\sZ]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
}
