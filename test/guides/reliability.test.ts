import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCommands } from '../support/commands.js';

const folder = join(import.meta.dirname, '../../docs/guides');
const text = readFileSync(join(folder, 'reliability.md'), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split(/(?<!\\)\|/).slice(1, -1));

describe('each row of what holds', () => {
  test('is there', () => expect(rows.length).toBeGreaterThan(10));

  test.each(rows.map((row) => [String(row[0]).trim(), String(row.at(-1))]))(
    'names tests that exist: %s',
    (_what, proof) => {
      const paths = [...proof.matchAll(/\]\(([^)]+\.test\.ts)\)/g)].map(([, path = '']) => path);
      expect(paths.length).toBeGreaterThan(0);
      for (const path of paths) {
        const file = join(folder, path);
        expect([path, existsSync(file)]).toEqual([path, true]);
        expect(readFileSync(file, 'utf8')).toMatch(/\b(test|it)(\.\w+\([^)]*\))?\(/);
      }
    },
  );
});

test('the commands for an uncertain item are those of the program', async () => {
  const command = (await loadCommands()).get('job resolve');
  const block = /```sh\n(.*?)```/s.exec(text)?.[1] ?? '';
  const said = [...block.matchAll(/--as (\S+)/g)].map(([, verdict]) => verdict);
  expect(command?.options['as']).toMatchObject({ choices: expect.arrayContaining(said) });
  expect(said).toEqual(['succeeded', 'not-sent', 'failed']);
});
