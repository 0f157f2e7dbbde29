import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Given } from '../../cli/command.js';
import { environmentWithoutKeys } from '../../domain/child-environment.js';
import type { Environment } from '../../domain/world.js';
import type { Outcome } from '../../domain/outcome.js';
import type { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { SandboxReady } from '../../contract/sandbox.js';
import type { Context } from '../../services/context.js';
import { launchSandbox } from './attach.js';
import type { exec } from './commands.js';
import { launchOptions } from './serve.js';

/** Runs a command against its own sandbox, in a folder that is removed afterwards. Exits with its exit code. */
export async function execInSandbox(context: Context, given: Given<typeof exec>): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-sandbox-'));
  try {
    const sandbox = await launchSandbox(() => ({
      path: join(folder, 'sandbox.db'),
      ...launchOptions(given),
      ...(given.seed === undefined ? {} : { seed: given.seed }),
    }));
    try {
      const env = { ...withoutForeign(environmentWithoutKeys(context.env)), ...environmentIn(sandbox.ready, folder) };
      return { data: undefined, written: true, exitCode: await runCommand(context, given, env) };
    } finally {
      await sandbox.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Variables of this run that would direct the command to another service. */
const foreign = /^FISCAL_(?:PROFILE|(?:LEGAL_ENTITY|NATURAL_PERSON|ADDRESS)_URL)$/;

function withoutForeign(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)));
}

function environmentIn(ready: SandboxReady, folder: string): Environment {
  return {
    FISCAL_PRODUCT_URL: ready.url,
    FISCAL_QUERY_URL: ready.url,
    FISCAL_SERVICE_URL: ready.url,
    FISCAL_SANDBOX_URL: ready.url,
    FISCAL_INVOICE_KEY: ready.invoiceKey,
    FISCAL_DATA_KEY: ready.dataKey,
    FISCAL_TENANT: ready.tenantId,
    FISCAL_COMPANY: ready.companyId,
    FISCAL_STATE_DIR: join(folder, 'state'),
    FISCAL_CONFIG_DIR: join(folder, 'config'),
    FISCAL_DATA_DIR: join(folder, 'data'),
    FISCAL_CACHE_DIR: join(folder, 'cache'),
  };
}

function runCommand(context: Context, given: Given<typeof exec>, env: Environment): Promise<ExitCode> {
  const [command = '', ...words] = given.command;
  const child = spawn(command, words, { stdio: 'inherit', cwd: context.cwd, env: { ...env } });
  const forward = (): void => {
    const signal = signalOf(context.interruption);
    // Ctrl-C reaches the whole foreground group: a second signal would end the command immediately.
    if (signal === 'SIGINT' && context.stdin.isTerminal) return;
    child.kill(signal);
  };
  context.interruption.addEventListener('abort', forward, { once: true });
  return new Promise<ExitCode>((resolve, reject) => {
    child.on('error', (error) => reject(notStarted(command, error)));
    child.on('close', (code, signal) => resolve(exitCodeOf(code, signal)));
  }).finally(() => context.interruption.removeEventListener('abort', forward));
}

function signalOf(interruption: AbortSignal): NodeJS.Signals {
  const reason: unknown = interruption.reason;
  return reason instanceof Error && reason.cause === 'SIGTERM' ? 'SIGTERM' : 'SIGINT';
}

/** The code is the command's own, of any value: it need not be one of the program's exit codes. */
function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): ExitCode {
  const number = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  return number as ExitCode;
}

function notStarted(command: string, error: Error): FiscalError {
  return new FiscalError(
    'sandbox.command_not_started',
    { command, reason: error.message },
    { cause: error, sent: 'no' },
  );
}
