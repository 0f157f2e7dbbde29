import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Entry {
  readonly link?: boolean;
  readonly integrity?: string;
}

test('each row of what something planted can do names tests that exist', () => {
  const page = readFileSync(new URL('../SECURITY.md', import.meta.url), 'utf8');
  const [, table = ''] = page.split('## What something planted can do');
  const rows = table
    .split('\n## ', 1)
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);
  const named = rows.map((row) => [...row.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, file = '']) => file));
  expect(rows.length).toBeGreaterThan(10);
  expect(named.filter((files) => files.length === 0)).toEqual([]);
  expect(named.flat().filter((file) => !existsSync(new URL(file, import.meta.url)))).toEqual([]);
});

test('each package that npm installs has a checksum', () => {
  const { packages }: { packages: Readonly<Record<string, Entry>> } = JSON.parse(
    readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
  );
  const bare = Object.entries(packages).filter(
    ([place, { link, integrity = '' }]) => place !== '' && link !== true && !integrity.startsWith('sha512-'),
  );
  expect(bare.map(([place]) => place)).toEqual([]);
});
