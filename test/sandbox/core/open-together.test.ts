import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** A program that opens each file it is told of, and answers how that went. */
function buildOpener(folder: string): string {
  mkdirSync(folder, { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const entry = join(folder, 'entry.ts');
  writeFileSync(
    entry,
    `import { openDatabase } from ${JSON.stringify(resolve('src/sandbox/core/database.js'))};
     process.on('message', (path) => {
       try {
         openDatabase(path).close();
         process.send('open');
       } catch (error) {
         process.send(String(error));
       }
     });`,
  );
  const outfile = join(folder, 'opener.mjs');
  const shape = { bundle: true, platform: 'node', format: 'esm', packages: 'external' } as const;
  buildSync({ entryPoints: [entry], outfile, ...shape });
  return outfile;
}

it('several processes create and open one file at the same moment', async () => {
  const folder = temporaryFolder();
  const opener = buildOpener(join(folder, 'opener'));
  const children = Array.from({ length: 4 }, () => fork(opener));
  const answers = new Set<unknown>();
  try {
    for (let round = 0; round < 50; round += 1) {
      const messages = children.map((child) => once(child, 'message'));
      for (const child of children) child.send(join(folder, `${round}.db`));
      for (const [answer] of await Promise.all(messages)) answers.add(answer);
    }
  } finally {
    for (const child of children) child.kill();
  }
  expect([...answers]).toEqual(['open']);
});
