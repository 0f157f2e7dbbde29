import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import type { Given, OptionValues } from '../../cli/command.js';
import { isDatabaseInUse } from '../../config/database-in-use.js';
import { exclusively } from '../../config/exclusively.js';
import { keysToStartWith, removeSandboxKeys } from '../../config/sandbox-keys.js';
import { sandboxProfile } from '../../config/sandbox-profile.js';
import type { SandboxOptions } from '../../contract/sandbox.js';
import { allowedEnvironment } from '../../domain/child-environment.js';
import { formatDuration, parseDuration } from '../../domain/dates.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Io } from '../../io/io.js';
import type { Context } from '../../services/context.js';
import {
  type ControlAnswer,
  findRunning,
  launchSandbox,
  removeRunningFile,
  sandboxDatabase,
  runningPath,
  writeRunningFile,
} from './attach.js';
import type { sandboxOptions, start } from './commands.js';
import { forgetSandbox } from './state.js';

type StartGiven = Given<typeof start>;

/** Serves the built-in sandbox until the run is interrupted. Prints its ready line when it answers. */
export async function serveSandbox(context: Context, given: StartGiven, io: Io): Promise<Outcome> {
  const { directories } = context;
  const { output } = await context.settings();
  const forPeople = output === 'table' || (output === undefined && io.stdout.isTerminal);
  const { sandbox, running } = await exclusively(runningPath(directories), () => launch(context, given));
  try {
    const [{ readyText }, { requireOutput }] = await Promise.all([
      import('../../presenters/sandbox.js'),
      import('../../cli/lost-output.js'),
    ]);
    const { ready } = sandbox;
    await io.stdout.write(forPeople ? readyText(ready, io.language) : `${JSON.stringify(ready)}\n`);
    await requireOutput(io);
    await aborted(context.interruption);
  } finally {
    await removeRunningFile(directories, running);
    await sandbox.close();
  }
  return { data: undefined, written: true };
}

/** Under a lock: of two that start at once, the second finds the first. */
async function launch(context: Context, given: StartGiven) {
  await refuseSecond(context);
  if (given.fresh) await forgetState(context);
  const { directories } = context;
  const sandbox = await launchSandbox(async () => {
    const keys = await keysToStartWith(directories, { wellKnown: given.wellKnownKeys });
    return {
      path: sandboxDatabase(directories),
      account: { ...sandboxProfile.account, ...keys },
      ...launchOptions(given),
      ...(given.port === undefined ? {} : { port: given.port }),
    };
  });
  const running = { url: sandbox.url, pid: context.program.pid };
  await writeRunningFile(directories, running).catch(async (error: unknown) => {
    await sandbox.close();
    throw error;
  });
  return { sandbox, running };
}

/** What was typed as options of the sandbox. Throws `usage.invalid_value` for an invalid offset. */
export function launchOptions(given: OptionValues<typeof sandboxOptions>): Omit<SandboxOptions, 'path'> {
  const { rate, bytes, lag, idempotencyKeys, externalIds, lists, lenient, clockOffset, alphanumericKeys } = given;
  return {
    bytes,
    lenient,
    alphanumericKeys,
    ...(rate === undefined ? {} : { rate }),
    ...(lag === undefined ? {} : { lagMs: lag }),
    ...(idempotencyKeys === undefined ? {} : { idempotencyKeys }),
    ...(externalIds === undefined ? {} : { externalIds }),
    ...(lists === undefined ? {} : { lists }),
    ...(clockOffset === undefined ? {} : { clockOffsetMs: readOffset(clockOffset) }),
  };
}

function readOffset(text: string): number {
  const isBehind = text.startsWith('-');
  const ms = parseDuration(text.replace(/^[+-]/, ''));
  if (ms === undefined) {
    const expected = { en: 'a duration such as 90s or -1h', pt: 'uma duração como 90s ou -1h' };
    throw invalidValue('clock-offset', text, expected);
  }
  return isBehind ? -ms : ms;
}

async function refuseSecond(context: Context): Promise<void> {
  const running = await findRunning(context.directories);
  if (running === undefined) return;
  const hint = {
    en: 'use it with --profile sandbox, or stop that process',
    pt: 'use-o com --profile sandbox, ou encerre esse processo',
  };
  throw new FiscalError('sandbox.already_running', { url: running.url, pid: running.pid }, { hint });
}

const inUse = {
  en: 'a command that is still running uses its state, which --fresh would remove',
  pt: 'um comando ainda em execução usa o estado dele, que --fresh apagaria',
};

const stateInUse = {
  sent: 'no',
  retryable: true,
  hint: {
    en: 'wait for the commands with --profile sandbox to end, or stop them',
    pt: 'espere os comandos com --profile sandbox terminarem, ou encerre-os',
  },
} as const;

/**
 * Removes the state, and what this machine knows of it: it would be wrong about the new service. Error:
 * `sandbox.cannot_start` while another process has it open.
 */
async function forgetState(context: Context): Promise<void> {
  const path = sandboxDatabase(context.directories);
  if (await isDatabaseInUse(path)) throw new FiscalError('sandbox.cannot_start', { reason: inUse }, stateInUse);
  for (const suffix of ['', '-wal', '-shm']) await rm(`${path}${suffix}`, { force: true });
  await removeSandboxKeys(context.directories);
  await forgetSandbox(context);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Starts `fiscal sandbox start` as a process that outlives this one. Returns its ready line. */
export async function startDetached(context: Context, given: StartGiven): Promise<Outcome> {
  await refuseSecond(context);
  const { execPath, path } = context.program;
  const child = spawn(execPath, [path, 'sandbox', 'start', '-o', 'json', ...flagsOf(given)], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: context.cwd,
    env: { ...allowedEnvironment(context.env), FISCAL_ERROR_FORMAT: 'text' },
  });
  try {
    return { data: await readyLine(child) };
  } finally {
    child.stdout.destroy();
    child.stderr.destroy();
    child.unref();
  }
}

function flagsOf(given: StartGiven): readonly string[] {
  const { lag, idempotencyKeys, externalIds, lists, lenient, clockOffset, alphanumericKeys } = given;
  const { port, rate, fresh, bytes, wellKnownKeys } = given;
  return [
    ...(lag === undefined ? [] : ['--lag', formatDuration(lag)]),
    ...(idempotencyKeys === undefined ? [] : ['--idempotency-keys', idempotencyKeys]),
    ...(externalIds === undefined ? [] : ['--external-ids', externalIds]),
    ...(lists === undefined ? [] : ['--lists', lists]),
    ...(lenient ? ['--lenient'] : []),
    ...(clockOffset === undefined ? [] : [`--clock-offset=${clockOffset}`]),
    ...(port === undefined ? [] : ['--port', String(port)]),
    ...(rate === undefined ? [] : ['--rate', String(rate)]),
    ...(fresh ? ['--fresh'] : []),
    ...(wellKnownKeys ? ['--well-known-keys'] : []),
    ...(bytes === 'bytes' ? [] : ['--bytes', bytes]),
    ...(alphanumericKeys ? ['--alphanumeric-keys'] : []),
  ];
}

function readyLine(child: ChildProcess): Promise<ControlAnswer> {
  return new Promise((resolve, reject) => {
    let output = '';
    let errors = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const ready = output.includes('\n') ? parseReady(output) : undefined;
      if (ready !== undefined) resolve(ready);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(0, 2_000);
    });
    child.on('error', (error) => reject(cannotStart(error.message)));
    child.on('close', () => reject(cannotStart(errors.trim().split('\n')[0] ?? '')));
  });
}

function parseReady(output: string): ControlAnswer | undefined {
  try {
    const value: unknown = JSON.parse(output.split('\n')[0] ?? '');
    return isRecord(value) && value['type'] === 'ready' ? value : undefined;
  } catch {
    // Not the ready line: the end of the process rejects the wait.
    return undefined;
  }
}

function cannotStart(reason: string): FiscalError {
  return new FiscalError('sandbox.cannot_start', { reason: reason.replace(/^fiscal: /, '') });
}
