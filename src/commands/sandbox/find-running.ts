import type { Directories } from '../../config/directories.js';
import { sandboxProfile } from '../../config/sandbox-profile.js';
import { askSandbox, type Fields } from './ask.js';
import { readRunningFile, type RunningFile } from './running-file.js';

export interface FoundSandbox extends RunningFile {
  readonly status: Fields;
}

const healthTimeoutMs = 2_000;

/** The sandbox that serves the account of the built-in profile on this machine, if one answers. */
export async function findRunning(directories: Pick<Directories, 'data'>): Promise<FoundSandbox | undefined> {
  const file = await readRunningFile(directories);
  if (file === undefined) return undefined;
  const status = await health(file.url);
  // The port of a dead sandbox may have become that of another program, or of another sandbox.
  const isOurs =
    status?.['service'] === 'fiscal-sandbox' && status['tenantId'] === sandboxProfile.account.tenantId;
  return isOurs ? { ...file, status } : undefined;
}

async function health(url: string): Promise<Fields | undefined> {
  try {
    return await askSandbox({ url, method: 'GET', path: 'status', timeoutMs: healthTimeoutMs });
  } catch {
    // Whatever the reason, it cannot be used: the embedded one takes its place.
    return undefined;
  }
}
