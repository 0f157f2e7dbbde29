import { join, resolve } from 'node:path';
import { safeName } from '../../archive/layout.js';
import type { Context } from '../../services/context.js';

/** The folder of the archive: as told, else where the last sync wrote, else the profile's own under the data folder. */
export async function archiveFolder(context: Context, told: string | undefined): Promise<string> {
  if (told !== undefined) return resolve(context.cwd, told);
  const { space } = await context.settings();
  const { documents } = await context.store();
  const [row] = await documents.list({ profile: space, states: ['archived'], limit: 1 });
  return row?.archive ?? join(context.directories.data, 'archive', safeName(space));
}
