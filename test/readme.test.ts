import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ended, newWorld, start } from './e2e/program.js';
import { isBuilt } from './support/built-program.js';

const root = join(import.meta.dirname, '..');

describe.each(['README.md', 'README.pt-BR.md'])('%s', (name) => {
  const text = readFileSync(join(root, name), 'utf8');

  test('names only files and scripts that are there', () => {
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    expect(links.filter((target) => !existsSync(join(root, target)))).toEqual([]);
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const run = [...text.matchAll(/npm run ([a-z:]+)/g)].map(([, script = '']) => script);
    expect(run.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });

  test.runIf(isBuilt)('has first commands that end well in a clone, and leave the page', async () => {
    const world = newWorld();
    const lines = [...text.matchAll(/^node bin\/fiscal\.js (.+)$/gm)].map(([, words = '']) => words);
    const ends: unknown[] = [];
    for (const line of lines) {
      const child = start(world, line.split(' '), { env: { FISCAL_PROFILE: 'sandbox' } });
      ends.push([line, (await ended(child)).exitCode]);
    }
    expect(ends).toEqual(lines.map((line) => [line, 0]));
    expect(readdirSync(join(world.root, 'work', 'relatorios'))).toHaveLength(1);
  });
});
