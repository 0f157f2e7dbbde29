import type { Directories } from '../../config/directories.js';
import { sandboxProfile } from '../../config/sandbox-profile.js';
import { findRunning } from './find-running.js';
import { launchSandbox } from './launch.js';
import { sandboxDatabase } from './running-file.js';

export interface AttachedSandbox {
  /** The base address for every host of the profile. */
  readonly url: string;
  /** Stops the embedded one; one that runs elsewhere goes on. */
  close(): Promise<void>;
}

/** Finds the sandbox that runs on this machine, or starts one inside this process on the same state. */
export async function attachSandbox(request: {
  readonly directories: Pick<Directories, 'data'>;
}): Promise<AttachedSandbox> {
  const running = await findRunning(request.directories);
  if (running !== undefined) return { url: running.url, close: async () => undefined };
  return await launchSandbox({
    path: sandboxDatabase(request.directories),
    account: sandboxProfile.account,
    keepsProcess: false,
  });
}
