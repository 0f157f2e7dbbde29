import { posix, win32 } from 'node:path';
import type { Environment } from '../domain/world.js';

/** What a folder of the program is for: settings; jobs, history and request rate; sandbox and archive; what can be made again. */
export type FolderKind = 'config' | 'state' | 'data' | 'cache';

export interface FolderSources {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  /** Absent: the user has none, as in a container under a number without an entry in passwd. */
  readonly homeDir: string | undefined;
}

const NAME = 'fiscal';

export const folderVariables: Readonly<Record<FolderKind, { readonly own: string; readonly xdg: string }>> = {
  config: { own: 'FISCAL_CONFIG_DIR', xdg: 'XDG_CONFIG_HOME' },
  state: { own: 'FISCAL_STATE_DIR', xdg: 'XDG_STATE_HOME' },
  data: { own: 'FISCAL_DATA_DIR', xdg: 'XDG_DATA_HOME' },
  cache: { own: 'FISCAL_CACHE_DIR', xdg: 'XDG_CACHE_HOME' },
};

/**
 * FISCAL_*_DIR, else XDG (which its standard requires to be absolute), else the platform's default; `undefined` where neither a
 * variable nor a home names one.
 */
export function folderOf(kind: FolderKind, { env, platform, homeDir }: FolderSources): string | undefined {
  const path = platform === 'win32' ? win32 : posix;
  const { own, xdg } = folderVariables[kind];
  const chosen = env[own];
  if (chosen !== undefined && chosen !== '') return path.resolve(chosen);
  const base = env[xdg];
  if (base !== undefined && path.isAbsolute(base)) return path.join(base, NAME);
  if (platform === 'win32') {
    // Settings may roam with the user; state stays on the machine.
    const given = env[kind === 'config' ? 'APPDATA' : 'LOCALAPPDATA'];
    const folder = kind === 'config' ? 'Roaming' : 'Local';
    const root = given ?? (homeDir === undefined ? undefined : path.join(homeDir, 'AppData', folder));
    return root === undefined ? undefined : path.join(root, NAME, kind);
  }
  if (homeDir === undefined) return undefined;
  return path.join(homeDir, ...(platform === 'darwin' ? darwinFolder(kind) : [...unixBase(kind), NAME]));
}

function darwinFolder(kind: FolderKind): readonly string[] {
  return ['Library', ...(kind === 'cache' ? ['Caches', NAME] : ['Application Support', NAME, kind])];
}

function unixBase(kind: FolderKind): readonly string[] {
  switch (kind) {
    case 'config':
      return ['.config'];
    case 'state':
      return ['.local', 'state'];
    case 'data':
      return ['.local', 'share'];
    case 'cache':
      return ['.cache'];
  }
}
