import { parseForeignJson } from '../domain/json-numbers.js';
import { join } from 'node:path';
import { isRecord } from '../domain/record.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Text } from '../contract/text.js';
import { fileFault, readWholeFileNow } from '../io/input-file.js';
import { exclusively, writable } from './exclusively.js';

/** A profile as stored: settings by name, and `hosts`, `paths`, `shapes` and `keys` as groups. */
export type ProfileRecord = Readonly<Record<string, unknown>>;

export interface ConfigContent {
  readonly current: string | undefined;
  readonly profiles: ReadonlyMap<string, ProfileRecord>;
}

export interface ProfileStore {
  readonly path: string;
  read(): ConfigContent;
  /** Writes what `edit` makes of the content. Changes of several processes come one after the other. */
  change(edit: (content: ConfigContent) => ConfigContent): Promise<void>;
}

const MAX_BYTES = 1024 * 1024;

/**
 * The file `config.json`, 0600 in a folder 0700. It is read at once, as plain JSON: `conf` includes a schema compiler that costs
 * more than the rest of the start-up, so it is loaded only for writing, which it does atomically. A damaged file is
 * reported and never replaced.
 */
export function createProfileStore(directory: string): ProfileStore {
  const path = join(directory, 'config.json');
  const read = (): ConfigContent => parseContent(readObject(path), path);
  return {
    path,
    read,
    async change(edit) {
      // What cannot be changed is refused before anything is written.
      edit(read());
      await exclusively(path, async () => {
        const content = edit(read());
        await writable(path, () => writeContent(directory, content));
      });
    },
  };
}

/** The object in a JSON file; empty when the file does not exist. */
export function readObject(path: string): Readonly<Record<string, unknown>> {
  const text = readLimited(path);
  if (text === undefined) return {};
  let data: unknown;
  try {
    data = parseForeignJson(text.replace(/^\uFEFF/, ''));
  } catch {
    throw invalid(path, { en: 'it is not JSON', pt: 'não é JSON' });
  }
  if (!isRecord(data)) throw invalid(path, { en: 'it is not a JSON object', pt: 'não é um objeto JSON' });
  return data;
}

function readLimited(path: string): string | undefined {
  try {
    return readWholeFileNow(path, { mostBytes: MAX_BYTES }).toString('utf8');
  } catch (error) {
    const fault = fileFault(error);
    // A path through something that is not a folder contains no configuration either.
    if (fault === 'ENOENT' || fault === 'ENOTDIR') return undefined;
    throw invalid(path, fault ?? 'EIO');
  }
}

function parseContent(data: Readonly<Record<string, unknown>>, path: string): ConfigContent {
  const { current, profiles } = data;
  if (current !== undefined && typeof current !== 'string') throw badField(path, 'current');
  if (profiles === undefined) return { current, profiles: new Map() };
  if (!isRecord(profiles)) throw badField(path, 'profiles');
  const entries = Object.entries(profiles).map(([name, profile]): [string, ProfileRecord] => {
    if (!isRecord(profile)) throw badField(path, `profiles.${name}`);
    return [name, profile];
  });
  return { current, profiles: new Map(entries) };
}

async function writeContent(directory: string, content: ConfigContent): Promise<void> {
  const { default: Conf } = await import('conf');
  const conf = new Conf<Record<string, unknown>>({
    cwd: directory,
    configName: 'config',
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    clearInvalidConfig: false,
  });
  conf.store = {
    ...(content.current === undefined ? {} : { current: content.current }),
    profiles: Object.fromEntries(content.profiles),
  };
}

function badField(path: string, name: string): FiscalError {
  return invalid(path, { en: `"${name}" has the wrong form`, pt: `"${name}" tem a forma errada` });
}

function invalid(path: string, reason: string | Text): FiscalError {
  return new FiscalError('config.invalid', { path, reason }, { sent: 'no' });
}
