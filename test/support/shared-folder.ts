import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder that all workers share; it is removed after the last test. */
    readonly sharedFolder: string;
  }
}

export default function setup({ provide, config }: TestProject): () => void {
  const folder = mkdtempSync(join(config.env['TMPDIR'] ?? tmpdir(), 'fiscal-tests-'));
  // As root, a server of PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  provide('sharedFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
