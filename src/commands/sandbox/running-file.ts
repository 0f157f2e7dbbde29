import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Directories } from '../../config/directories.js';

/** Where a sandbox of this machine serves, as `sandbox/running.json` says. Holds no key. */
export interface RunningFile {
  readonly url: string;
  readonly pid: number;
}

type Place = Pick<Directories, 'data'>;

export function sandboxFolder(directories: Place): string {
  return join(directories.data, 'sandbox');
}

/** The state of the built-in sandbox: what it stores survives the process that serves it. */
export function sandboxDatabase(directories: Place): string {
  return join(sandboxFolder(directories), 'sandbox.db');
}

/** `undefined` when there is none, and also when it is damaged: whether one runs is then found out by its absence. */
export async function readRunningFile(directories: Place): Promise<RunningFile | undefined> {
  try {
    return parse(JSON.parse(await readFile(path(directories), 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Atomic, so that a reader never sees half an address. */
export async function writeRunningFile(directories: Place, running: RunningFile): Promise<void> {
  const target = path(directories);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const draft = `${target}.${running.pid}`;
  await writeFile(draft, `${JSON.stringify(running)}\n`, { mode: 0o600 });
  await rename(draft, target);
}

/** Only its own: another sandbox may have taken the place. */
export async function removeRunningFile(directories: Place, running: RunningFile): Promise<void> {
  const found = await readRunningFile(directories);
  if (found?.url === running.url) await rm(path(directories), { force: true });
}

function path(directories: Place): string {
  return join(sandboxFolder(directories), 'running.json');
}

function parse(value: unknown): RunningFile | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('url' in value) || !('pid' in value)) return undefined;
  const { url, pid } = value;
  if (typeof url !== 'string' || typeof pid !== 'number' || !isLoopbackUrl(url)) return undefined;
  return { url, pid };
}

/** The sandbox is on this machine or nowhere. */
export function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' && /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/.test(hostname);
}
