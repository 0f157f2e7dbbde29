import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TestHost } from './host.js';

/** The SHA-256 of every file of a host, but those of its state. */
export function filesOf({ root }: TestHost): Readonly<Record<string, string>> {
  const found = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map(({ parentPath, name }) => relative(root, join(parentPath, name)));
  const outside = paths.filter((path) => !path.startsWith('state/')).toSorted();
  return Object.fromEntries(
    outside.map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex'),
    ]),
  );
}
