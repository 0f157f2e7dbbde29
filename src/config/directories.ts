import { posix, win32 } from 'node:path';
import type { Environment } from '../domain/world.js';

/** Where the program keeps its files (XDG or the platform's equivalent). Created on first write, 0700. */
export interface Directories {
  readonly config: string;
  /** Jobs, history and request rate. */
  readonly state: string;
  /** Sandbox and archive. */
  readonly data: string;
  /** The last sends of each store: where backups of the others do not reach. */
  readonly cache: string;
}

export interface DirectorySources {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly homeDir: string;
}

const NAME = 'fiscal';

type Kind = keyof Directories;

const VARIABLES: Readonly<Record<Kind, { readonly own: string; readonly xdg: string }>> = {
  config: { own: 'FISCAL_CONFIG_DIR', xdg: 'XDG_CONFIG_HOME' },
  state: { own: 'FISCAL_STATE_DIR', xdg: 'XDG_STATE_HOME' },
  data: { own: 'FISCAL_DATA_DIR', xdg: 'XDG_DATA_HOME' },
  cache: { own: 'FISCAL_CACHE_DIR', xdg: 'XDG_CACHE_HOME' },
};

/** FISCAL_*_DIR, else XDG (which its standard requires to be absolute), else the platform's default. */
export function resolveDirectories(sources: DirectorySources): Directories {
  return {
    config: resolveOne('config', sources),
    state: resolveOne('state', sources),
    data: resolveOne('data', sources),
    cache: resolveOne('cache', sources),
  };
}

function resolveOne(kind: Kind, { env, platform, homeDir }: DirectorySources): string {
  const path = platform === 'win32' ? win32 : posix;
  const { own, xdg } = VARIABLES[kind];
  const chosen = env[own];
  if (chosen !== undefined && chosen !== '') return path.resolve(chosen);
  const base = env[xdg];
  if (base !== undefined && path.isAbsolute(base)) return path.join(base, NAME);
  if (platform === 'win32') return windowsDirectory(kind, env, homeDir);
  if (platform === 'darwin') return path.join(homeDir, 'Library', ...darwinBase(kind));
  return path.join(homeDir, ...unixBase(kind), NAME);
}

function darwinBase(kind: Kind): readonly string[] {
  return kind === 'cache' ? ['Caches', NAME] : ['Application Support', NAME, kind];
}

function unixBase(kind: Kind): readonly string[] {
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

/** Settings may roam with the user; state stays on the machine. */
function windowsDirectory(kind: Kind, env: Environment, homeDir: string): string {
  const roaming = env['APPDATA'] ?? win32.join(homeDir, 'AppData', 'Roaming');
  const local = env['LOCALAPPDATA'] ?? win32.join(homeDir, 'AppData', 'Local');
  return win32.join(kind === 'config' ? roaming : local, NAME, kind);
}
