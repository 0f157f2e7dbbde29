import { setMaxListeners } from 'node:events';
import { homedir, hostname, uptime, userInfo } from 'node:os';
import { isatty } from 'node:tty';
import { secretVariablesOf } from './domain/child-environment.js';
import type { Clock, Environment, Random } from './domain/world.js';
import { ExitCode } from './errors/exit-code.js';
import { FiscalError } from './errors/fiscal-error.js';
import type { Host } from './io/io.js';
import { standardOutput } from './io/streams.js';
import { run } from './run.js';

/** The edge of the process: what the world gives goes in, an exit code comes out. */
export async function main(): Promise<void> {
  process.on('uncaughtException', leaveOnDefect);
  process.exitCode = await run(process.argv.slice(2), processHost());
}

/** What a run asks for is made when it first asks: help needs no stderr and no signals. */
function processHost(): Host {
  const interruption = once(listenToSignals);
  const stdout = once(() => standardOutput(1, () => process.stdout));
  const stderr = once(() => standardOutput(2, () => process.stderr));
  const home = once(homeFolder);
  return {
    stdin: {
      get isTerminal() {
        return isatty(0);
      },
      // Waiting for input ends with the interruption too: a person at an open pipe presses Ctrl-C once.
      async *read() {
        const { addAbortSignal } = await import('node:stream');
        yield* addAbortSignal(interruption(), process.stdin);
      },
    },
    get stdout() {
      return stdout();
    },
    get stderr() {
      return stderr();
    },
    print: (text) => stdout().print(text),
    pageText: inPager,
    startProgram: async (words, env) => (await import('./io/start-program.js')).startProgram(words, env),
    terminal: () => ({ input: process.stdin, output: process.stderr }),
    env: takeEnvironment(),
    clock,
    random,
    cwd: process.cwd(),
    platform: process.platform,
    pid: process.pid,
    get homeDir() {
      return home();
    },
    get names() {
      return { machine: hostname(), user: userName() };
    },
    execPath: process.execPath,
    programPath: process.argv[1] ?? '',
    get interruption() {
      return interruption();
    },
    onHangup(listener) {
      process.on('SIGHUP', listener);
      return () => void process.off('SIGHUP', listener);
    },
  };
}

/**
 * The environment of the run. Its keys are removed from that of the process, so that whatever else runs in it, or is started
 * by a package, has none. On Windows, where names of variables have any case, it stays as it is.
 */
function takeEnvironment(): Environment {
  if (process.platform === 'win32') return process.env;
  const env = { ...process.env };
  for (const name of secretVariablesOf(env)) delete process.env[name];
  return env;
}

/**
 * `undefined` where neither HOME nor the system names one, as in many containers. Packages ask for it too, and fail as they load:
 * they get one that does not exist. Our own copy of the environment has been taken before, so that no child gets it.
 */
function homeFolder(): string | undefined {
  let found = '';
  try {
    found = homedir();
  } catch {
    // The system has no entry for the user.
  }
  if (found !== '') return found;
  process.env['HOME'] = '/nonexistent';
  return undefined;
}

/** Empty where the system has no entry for the user, as in many containers. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

/** In the pager, Ctrl-C is a key of the pager. */
async function inPager(text: string, words: readonly string[], env: Environment): Promise<boolean> {
  const { pageText } = await import('./io/pager.js');
  const listeners = process.listeners('SIGINT');
  const ignore = (): void => undefined;
  process.removeAllListeners('SIGINT').on('SIGINT', ignore);
  try {
    return await pageText(text, words, env);
  } finally {
    process.off('SIGINT', ignore);
    for (const listener of listeners) process.on('SIGINT', listener);
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * The first SIGINT or SIGTERM asks the work to come to a checkpoint; the second leaves at once.
 * SIGPIPE needs nothing: Node ignores it, and the streams see the closed pipe.
 */
function listenToSignals(): AbortSignal {
  const interruption = new AbortController();
  // Every request under way listens to it, as many as `--concurrency` allows: that is no leak.
  setMaxListeners(0, interruption.signal);
  const listen = (signal: 'SIGINT' | 'SIGTERM', exitCode: ExitCode): void => {
    process.on(signal, () => {
      if (interruption.signal.aborted) leave(signal, exitCode);
      interruption.abort(new FiscalError('job.interrupted', {}, { cause: signal }));
    });
  };
  listen('SIGINT', ExitCode.interrupted);
  listen('SIGTERM', ExitCode.terminated);
  return interruption.signal;
}

/**
 * `process.exit` waits for the threads that read files and look up names, which may wait for ever; the signal itself waits
 * for nothing, and a shell shows the same exit code.
 */
function leave(signal: 'SIGINT' | 'SIGTERM', exitCode: ExitCode): void {
  const inThreads = process.getActiveResourcesInfo().some((name) => /^(FS|GetAddrInfo|GetNameInfo)Req/.test(name));
  if (!inThreads) process.exit(exitCode);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** What escaped every promise: one line, never a stack trace. The work is safe by design: it is written before it is sent. */
function leaveOnDefect(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const line = new FiscalError('internal.defect', { message: message.split('\n', 1)[0] ?? '' }).message;
  process.stderr.write(`fiscal: ${line}\n`);
  process.exit(ExitCode.internal);
}

/** The operating system counts its own running time, sleep included; in between, the process counts. */
const startedAtUptimeMs = once(() => (uptime() - process.uptime()) * 1000);

const clock: Clock = {
  now: () => Date.now(),
  uptime: () => startedAtUptimeMs() + process.uptime() * 1000,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error); // our signals abort with an Error
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};

const random: Random = { unit: () => Math.random(), uuid: () => crypto.randomUUID() };
