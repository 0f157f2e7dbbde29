import type { Text } from '../contract/text.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { type FolderKind, type FolderSources, folderOf, folderVariables } from './folders.js';

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
  /** The last sends of each store: where backups of the others do not reach. And the compiled code of the program. */
  readonly cache: string;
}

export function resolveDirectories(sources: FolderSources): Directories {
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

function resolveOne(kind: FolderKind, sources: FolderSources): string {
  const folder = folderOf(kind, sources);
  if (folder !== undefined) return folder;
  throw new FiscalError('config.no_folder', { variable: folderVariables[kind].own }, { sent: 'no', hint: whatToSet });
}

const all = Object.values(folderVariables)
  .map(({ own }) => own)
  .join(', ');

const whatToSet: Text = {
  en: `set HOME to a folder of this user, or each of ${all}`,
  pt: `defina HOME com uma pasta deste usuário, ou cada uma de ${all}`,
};
