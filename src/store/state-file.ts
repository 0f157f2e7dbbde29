import { join } from 'node:path';

/** The path of the store in the state folder. */
export function stateFile(stateFolder: string): string {
  return join(stateFolder, 'state.db');
}
