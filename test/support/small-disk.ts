import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../src/domain/system-code.js';
import { temporaryFolder } from './temporary-folder.js';

/** A disk of a few megabytes, which a test can fill. Only root may mount it. */
export interface SmallDisk {
  /** A new, empty folder on it, which belongs to this user. */
  folderOf(user: string): string;
  /** Leaves no byte free. */
  fill(): void;
  free(): void;
  unmount(): void;
}

export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const disk = join(folder, 'disk');
  const ballast = join(disk, 'ballast');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', disk]);
  return {
    folderOf(user) {
      const own = join(disk, `of-${user}`);
      mkdirSync(own);
      execFileSync('chown', [user, own]);
      return own;
    },
    fill() {
      const file = openSync(ballast, 'a');
      for (const bytes of [1 << 20, 1 << 12]) while (hasRoom(file, Buffer.alloc(bytes)));
      closeSync(file);
    },
    free: () => rmSync(ballast, { force: true }),
    // Also while a process that is about to end has files open.
    unmount: () => void execFileSync('umount', ['--lazy', disk]),
  };
}

function hasRoom(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) > 0;
  } catch (error) {
    if (systemCode(error) === 'ENOSPC') return false;
    throw error;
  }
}
