import { posix, win32 } from 'node:path';
import type { Text } from '../contract/text.js';
import type { Environment } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';

/**
 * Where the program keeps its files (XDG or the platform's equivalent). Created on first write, 0700. Each is looked up when it is
 * read. Error: `config.no_folder` for one that neither a variable nor a home names.
 */
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
  /** Absent: the user has none, as in a container under a number without an entry in passwd. */
  readonly homeDir: string | undefined;
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
    get config() {
      return resolveOne('config', sources);
    },
    get state() {
      return resolveOne('state', sources);
    },
    get data() {
      return resolveOne('data', sources);
    },
    get cache() {
      return resolveOne('cache', sources);
    },
  };
}

function resolveOne(kind: Kind, { env, platform, homeDir }: DirectorySources): string {
  const path = platform === 'win32' ? win32 : posix;
  const { own, xdg } = VARIABLES[kind];
  const chosen = env[own];
  if (chosen !== undefined && chosen !== '') return path.resolve(chosen);
  const base = env[xdg];
  if (base !== undefined && path.isAbsolute(base)) return path.join(base, NAME);
  if (platform === 'win32') {
    // Settings may roam with the user; state stays on the machine.
    const given = env[kind === 'config' ? 'APPDATA' : 'LOCALAPPDATA'];
    const folder = kind === 'config' ? 'Roaming' : 'Local';
    return path.join(given ?? path.join(homeOf(homeDir, own), 'AppData', folder), NAME, kind);
  }
  if (platform === 'darwin') return path.join(homeOf(homeDir, own), 'Library', ...darwinBase(kind));
  return path.join(homeOf(homeDir, own), ...unixBase(kind), NAME);
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

function homeOf(homeDir: string | undefined, variable: string): string {
  if (homeDir !== undefined) return homeDir;
  throw new FiscalError('config.no_folder', { variable }, { sent: 'no', hint: whatToSet });
}

const all = Object.values(VARIABLES)
  .map(({ own }) => own)
  .join(', ');

const whatToSet: Text = {
  en: `set HOME to a folder of this user, or each of ${all}`,
  pt: `defina HOME com uma pasta deste usuário, ou cada uma de ${all}`,
};
