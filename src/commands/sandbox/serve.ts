import { rm } from 'node:fs/promises';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { ByteMode, SandboxReady } from '../../contract/sandbox.js';
import type { Context } from '../../services/context.js';
import { sandboxProfile } from '../../config/sandbox-profile.js';
import { findRunning } from './find-running.js';
import { launchSandbox } from './launch.js';
import { modeOptions, type StartModes } from './modes.js';
import { removeRunningFile, sandboxDatabase, writeRunningFile } from './running-file.js';

export interface ServeInput extends StartModes {
  readonly port: number | undefined;
  readonly rate: number | undefined;
  readonly fresh: boolean;
  readonly alphanumericKeys: boolean;
  readonly bytes: ByteMode;
}

/** Serves the built-in sandbox until the run is interrupted. `onReady` is called once, when it answers. */
export async function serveSandbox(
  context: Context,
  input: ServeInput,
  onReady: (ready: SandboxReady) => Promise<void>,
): Promise<void> {
  await refuseSecond(context);
  if (input.fresh) await forgetState(context);
  const sandbox = await launchSandbox({
    path: sandboxDatabase(context.directories),
    account: sandboxProfile.account,
    alphanumericKeys: input.alphanumericKeys,
    bytes: input.bytes,
    ...modeOptions(input),
    ...(input.port === undefined ? {} : { port: input.port }),
    ...(input.rate === undefined ? {} : { rate: input.rate }),
  });
  const running = { url: sandbox.url, pid: context.program.pid };
  try {
    await writeRunningFile(context.directories, running);
    await onReady(sandbox.ready);
    await aborted(context.interruption);
  } finally {
    await removeRunningFile(context.directories, running);
    await sandbox.close();
  }
}

export async function refuseSecond(context: Context): Promise<void> {
  const running = await findRunning(context.directories);
  if (running === undefined) return;
  throw new FiscalError(
    'sandbox.already_running',
    { url: running.url, pid: running.pid },
    {
      hint: {
        en: 'use it with --profile sandbox, or end that process',
        pt: 'use-o com --profile sandbox, ou encerre esse processo',
      },
    },
  );
}

/** What this machine knows of the old service would be wrong about the new one. */
async function forgetState(context: Context): Promise<void> {
  const path = sandboxDatabase(context.directories);
  for (const suffix of ['', '-wal', '-shm']) await rm(`${path}${suffix}`, { force: true });
  await (await context.store()).forget('sandbox');
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
