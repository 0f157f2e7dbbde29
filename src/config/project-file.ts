import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FiscalError } from '../errors/fiscal-error.js';
import { fields, isFieldName } from './fields.js';
import { readObject, type ProfileRecord } from './profile-store.js';

export interface ProjectFile {
  readonly path: string;
  readonly values: ProfileRecord;
}

const NAME = '.fiscalrc.json';

/** The nearest project file from `cwd` upward. Names that may not stand there are refused, not passed over. */
export async function findProjectFile(cwd: string): Promise<ProjectFile | undefined> {
  const path = await nearest(cwd);
  if (path === undefined) return undefined;
  const values = await readObject(path);
  for (const name of Object.keys(values)) assertAllowed(name, path);
  return { path, values };
}

async function nearest(directory: string): Promise<string | undefined> {
  const path = join(directory, NAME);
  if (await exists(path)) return path;
  const parent = dirname(directory);
  return parent === directory ? undefined : await nearest(parent);
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

function assertAllowed(name: string, path: string): void {
  if (name === 'profile' || (isFieldName(name) && fields[name].inProject)) return;
  throw new FiscalError('config.not_in_project', { path, name }, { sent: 'no' });
}
