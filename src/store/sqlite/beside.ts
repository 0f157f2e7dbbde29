import { realpathSync } from 'node:fs';

/** The path of a file that SQLite or this program keeps with a store: of a link, it is beside the file that the link refers to. */
export function beside(path: string, ending: '-wal' | '-shm' | '-journal' | '-open'): string {
  return `${realPath(path)}${ending}`;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Whoever opens it says why.
    return path;
  }
}
