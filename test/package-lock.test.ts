import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Entry {
  readonly link?: boolean;
  readonly integrity?: string;
}

test('each package that npm installs has a checksum', () => {
  const { packages }: { packages: Readonly<Record<string, Entry>> } = JSON.parse(
    readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
  );
  const bare = Object.entries(packages).filter(
    ([place, { link, integrity = '' }]) => place !== '' && link !== true && !integrity.startsWith('sha512-'),
  );
  expect(bare.map(([place]) => place)).toEqual([]);
});
