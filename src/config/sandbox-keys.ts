import { link, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fieldOf } from '../domain/record.js';
import { readStateJson } from '../io/input-file.js';
import type { Directories } from './directories.js';
import { makeFolder } from '../io/make-folder.js';

/** The keys of the built-in sandbox. */
export interface SandboxKeys {
  readonly invoiceKey: string;
  readonly dataKey: string;
}

/** The keys that the documentation prints. A sandbox takes them only with `sandbox start --well-known-keys`. */
export const wellKnownKeys: SandboxKeys = {
  invoiceKey: 'sbx_invoice_embedded_account',
  dataKey: 'sbx_data_embedded_account',
};

type DataFolder = Pick<Directories, 'data'>;

/**
 * The keys of the sandbox of this data folder, from `sandbox/keys.json` (0600). Made at random when there are none, or when
 * the file is damaged. Of two processes that make them at once both get the same ones.
 */
export async function sandboxKeys(directories: DataFolder): Promise<SandboxKeys> {
  const path = keysPath(directories);
  const found = await readKeys(path);
  if (found !== undefined) return found;
  const made = randomKeys();
  const draft = await writeDraft(path, made);
  try {
    await link(draft, path);
    return made;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const first = await readKeys(path);
    if (first !== undefined) return first;
    await rename(draft, path);
    return made;
  } finally {
    await rm(draft, { force: true });
  }
}

/** For a sandbox that starts: the documented keys if they are wanted, else random ones, which stay until the state is removed. */
export async function keysToStartWith(
  directories: DataFolder,
  { wellKnown }: { readonly wellKnown: boolean },
): Promise<SandboxKeys> {
  const path = keysPath(directories);
  const found = await readKeys(path);
  if (wellKnown) {
    await rename(await writeDraft(path, wellKnownKeys), path);
    return wellKnownKeys;
  }
  if (found?.invoiceKey === wellKnownKeys.invoiceKey) await removeSandboxKeys(directories);
  return await sandboxKeys(directories);
}

export async function removeSandboxKeys(directories: DataFolder): Promise<void> {
  await rm(keysPath(directories), { force: true });
}

function keysPath({ data }: DataFolder): string {
  return join(data, 'sandbox', 'keys.json');
}

async function readKeys(path: string): Promise<SandboxKeys | undefined> {
  const read = await readStateJson(path);
  const [invoiceKey, dataKey] = [fieldOf(read, 'invoiceKey'), fieldOf(read, 'dataKey')];
  return isKey(invoiceKey) && isKey(dataKey) ? { invoiceKey, dataKey } : undefined;
}

/** The prefix keeps the client from sending the key anywhere but to a sandbox. */
function isKey(value: unknown): value is string {
  return typeof value === 'string' && /^sbx_\w{10,100}$/.test(value);
}

async function writeDraft(path: string, keys: SandboxKeys): Promise<string> {
  makeFolder(dirname(path));
  const draft = `${path}.${randomHex().slice(0, 16)}`;
  await writeFile(draft, `${JSON.stringify(keys)}\n`, { mode: 0o600, flag: 'wx' });
  return draft;
}

function randomKeys(): SandboxKeys {
  return { invoiceKey: `sbx_invoice_${randomHex()}`, dataKey: `sbx_data_${randomHex()}` };
}

function randomHex(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex');
}
