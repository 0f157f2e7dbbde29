import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/sqlite/open.js';
import { realClock } from '../../support/clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test('a resolved write survives a kill of the process', async () => {
  const folder = temporaryFolder();
  const program = join(folder, 'writer.cjs');
  const source = new URL('writer.ts', import.meta.url).pathname;
  await build({
    entryPoints: [source],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['better-sqlite3'],
    logLevel: 'error',
  });
  for (const linesBeforeDeath of [1, 40, 333]) {
    const path = join(folder, `${linesBeforeDeath}`, 'store.db');
    const written = await runAndKill(program, path, linesBeforeDeath);
    const store = await openStore({ path, clock: realClock });
    const kept = await Promise.all(written.map(async (id) => (await store.items.events(id)).at(-1)?.to));
    await store.close();
    expect(written.length).toBeGreaterThanOrEqual(linesBeforeDeath);
    expect(kept).toEqual(written.map(() => 'sending'));
  }
});

/** Runs the writer until it has told of so many writes, kills it, and returns all that it told. */
async function runAndKill(program: string, path: string, lines: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [program, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_PATH: new URL('../../../node_modules', import.meta.url).pathname },
  });
  const closed = once(child, 'close');
  const written: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    written.push(line);
    if (written.length === lines) child.kill('SIGKILL');
  }
  expect(await closed).toEqual([null, 'SIGKILL']);
  return written;
}
