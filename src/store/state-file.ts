import { join } from 'node:path';

/** Where the store of jobs, history and pace lies in the state folder. */
export function stateFile(stateFolder: string): string {
  return join(stateFolder, 'state.db');
}
