import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigFiles } from '../../src/config/files.js';
import { openConfig } from '../../src/config/open.js';
import type { Environment } from '../../src/domain/world.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { temporaryFolder } from '../support/temporary-folder.js';

export interface ConfigScene {
  readonly config: ConfigFiles;
  readonly root: string;
  readonly path: string;
  readonly projectPath: string;
}

export interface SceneParts {
  /** The file `config.json`: data, or text as it stands. */
  readonly file?: unknown;
  /** `.fiscalrc.json` in the folder above the working folder. */
  readonly project?: unknown;
  readonly env?: Environment;
}

export function scene({ file, project, env = {} }: SceneParts = {}): ConfigScene {
  const root = temporaryFolder();
  const cwd = join(root, 'work', 'deep');
  const configDir = join(root, 'config');
  mkdirSync(cwd, { recursive: true });
  mkdirSync(configDir, { mode: 0o700 });
  const path = join(configDir, 'config.json');
  const projectPath = join(root, 'work', '.fiscalrc.json');
  if (file !== undefined) writeFileSync(path, textOf(file));
  if (project !== undefined) writeFileSync(projectPath, textOf(project));
  const directories = {
    config: configDir,
    state: join(root, 'state'),
    data: join(root, 'data'),
    cache: join(root, 'cache'),
  };
  return { config: openConfig({ directories, env, cwd }), root, path, projectPath };
}

export async function errorOf(work: Promise<unknown>): Promise<FiscalError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof FiscalError) return error;
  throw new Error('expected a FiscalError', { cause: error });
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
