import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { basename, delimiter, resolve } from 'node:path';
import type { Forwarder } from '../../client/forward.js';
import type { Language, Text } from '../../contract/text.js';
import { allowedEnvironment } from '../../domain/child-environment.js';
import { splitCommand } from '../../domain/command-words.js';
import type { Environment } from '../../domain/world.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { type Reason, reasonWords } from '../../errors/reasons.js';
import type { SignatureScheme } from '../../receiver/schemes.js';
import type { Context } from '../../services/context.js';
import type { HeldDelivery } from '../../store/deliveries.js';
import type { TargetReason } from '../../store/item-history.js';
import { ownGroup, signalGroup } from '../../io/child-group.js';

/** Something that accepts events: an address, a program, the records on stdout. */
export interface Target {
  /** Unique within a listener; stored with the event, so that a target that accepted the event does not get it again. */
  readonly name: string;
  /** True: it accepts everything, so its success says nothing about other targets. */
  readonly isLocal?: boolean;
  /**
   * One attempt; `undefined` when the target accepted the event. It may get an accepted event again if the process died
   * before that was written. Throws nothing. `signal`: another process has taken over the event.
   */
  deliver(event: HeldDelivery, signal: AbortSignal): Promise<TargetFailure | undefined>;
}

/** Why each target did not take an event. */
export function failureWords(failures: readonly TargetReason[]): Text {
  const each = failures.map(({ target, reason }) => ({ target, why: reasonWords(reason) }));
  const join = (language: Language): string => each.map(({ target, why }) => `${target}: ${why[language]}`).join('; ');
  return { en: join('en'), pt: join('pt') };
}

export interface TargetFailure {
  /** Without secrets or content of the event. */
  readonly reason: Reason;
  /** The pause that the target asks for. */
  readonly retryAfterMs?: number;
}

interface ForwardDependencies {
  readonly forwarder: Forwarder;
  readonly scheme: SignatureScheme;
  /** The first of them signs; they may change. */
  readonly secrets: readonly string[];
  now(): number;
}

/**
 * Posts the body of an event, byte for byte, to an address of the user. It is signed again in the scheme of the listener, so that
 * the target can check it as if it came from the service. 2xx: accepted; anything else, redirects included: not.
 */
export function forwardTarget(url: URL, { forwarder, scheme, secrets, now }: ForwardDependencies): Target {
  return {
    name: targetName(url),
    async deliver(event, signal) {
      const unsigned = { id: hookIdOf(event), body: event.body, now: now() };
      const signature = scheme.sign(unsigned, secrets[0] ?? '');
      const headers = { ...headersOf(event), ...signature };
      return failureOf(await forwarder.post({ url, headers, body: event.body }, signal));
    },
  };
}

/** The address without anything that may be secret: a query string is replaced by its digest. */
function targetName(url: URL): string {
  const address = `${url.origin}${url.pathname}`;
  if (url.search === '') return address;
  return `${address}?${createHash('sha256').update(url.search).digest('hex').slice(0, 8)}`;
}

/** A delivery without an id gets one that is the same for every attempt. */
function hookIdOf(event: HeldDelivery): string {
  return event.hookId === '' ? event.id : event.hookId;
}

/** The sender chooses the names of events: only characters allowed in a header go into one. */
function headersOf(event: HeldDelivery): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'x-hook-event': event.event.replaceAll(/[^\x20-\x7e]/g, '?'),
    'x-hook-attempts': String(event.attempts + 1),
    'x-fiscal-event-id': event.id,
  };
}

function failureOf(answer: Awaited<ReturnType<Forwarder['post']>>): TargetFailure | undefined {
  if ('fault' in answer) return { reason: { is: 'target-fault', fault: answer.fault } };
  if (answer.status >= 200 && answer.status < 300) return undefined;
  const { status } = answer;
  const isRedirect = status >= 300 && status < 400;
  const failure = { reason: { is: isRedirect ? 'target-redirect' : 'target-status', status } } as const;
  return answer.retryAfterMs === undefined ? failure : { ...failure, retryAfterMs: answer.retryAfterMs };
}

interface ExecOptions {
  /** As typed: a program and its arguments. */
  readonly command: string;
  /** A command that takes longer is killed, which counts as a failure. */
  readonly limitMs: number;
  /** Names of variables that the command gets beside those of `allowedEnvironment`. */
  readonly variables?: readonly string[];
}

/** Between SIGTERM and SIGKILL. */
const graceMs = 2_000;

/**
 * Runs a command of the user for each event: the body, byte for byte, on its stdin; `FISCAL_EVENT`, `FISCAL_EVENT_ID` and
 * `FISCAL_EVENT_ATTEMPT` in its environment; the other variables are a known list, without keys; exit code 0: accepted. No shell, and no content of an event in an argument. Its
 * output goes to stderr, since stdout holds the records. Error: `usage.invalid_value`.
 */
export async function execTarget(
  context: Pick<Context, 'cwd' | 'env'>,
  { command, limitMs, variables }: ExecOptions,
): Promise<Target> {
  const split = splitCommand(command);
  if ('problem' in split) throw invalidValue('--exec', command, split.problem);
  if (limitMs <= 0) throw invalidValue('--exec-timeout', String(limitMs), someTime);
  const [program = '', ...words] = split.words;
  if (!(await canRun(program, context))) throw invalidValue('--exec', command, noSuchProgram(program));
  const digest = createHash('sha256').update(JSON.stringify(split.words)).digest('hex').slice(0, 8);
  return {
    // Arguments may be secret: they are replaced by their digest.
    name: `exec ${basename(program)} ${digest}`,
    async deliver(event, signal) {
      if (signal.aborted) return { reason: aborted };
      const env = { ...allowedEnvironment(context.env, variables), ...factsOf(event) };
      // stdout of the command is our stderr.
      const child = spawn(program, words, { cwd: context.cwd, env, stdio: ['pipe', 2, 2], ...ownGroup });
      return await outcomeOf(child, { body: event.body, limitMs, signal });
    },
  };
}

interface Feeding {
  readonly body: Uint8Array;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

function outcomeOf(child: ChildProcess, { body, limitMs, signal }: Feeding): Promise<TargetFailure | undefined> {
  return new Promise((done) => {
    let cause: Reason | undefined;
    let force: NodeJS.Timeout | undefined;
    const end = (why: Reason): void => {
      cause ??= why;
      signalGroup(child, 'SIGTERM');
      force ??= setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
    };
    const limit = setTimeout(() => end({ is: 'target-slow', seconds: limitMs / 1000 }), limitMs);
    const onAbort = (): void => end(aborted);
    signal.addEventListener('abort', onAbort, { once: true });
    const finish = (reason: Reason | undefined): void => {
      clearTimeout(limit);
      clearTimeout(force);
      signal.removeEventListener('abort', onAbort);
      done(reason === undefined ? undefined : { reason });
    };
    child.on('error', (error) => finish(notStarted(error)));
    child.on('exit', (code, ended) => finish(cause ?? badEnd(code, ended)));
    // A command may ignore its stdin; only the exit code counts.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(body);
  });
}

function badEnd(code: number | null, signal: NodeJS.Signals | null): Reason | undefined {
  if (code === 0) return undefined;
  if (code === null) return { is: 'target-signal', signal: signal ?? '–' };
  return { is: 'target-exit', exitCode: code };
}

function notStarted(error: Error): Reason {
  return 'code' in error ? { is: 'target-fault', fault: String(error.code) } : { is: 'target-not-started' };
}

const aborted: Reason = { is: 'target-aborted' };

/** The sender chooses the names of events: one with other characters does not reach the environment. */
const plainName = /^[A-Za-z0-9][\w.:-]{0,127}$/;

function factsOf({ event, id, attempts }: HeldDelivery): Environment {
  return {
    FISCAL_EVENT: plainName.test(event) ? event : '',
    FISCAL_EVENT_ID: id,
    FISCAL_EVENT_ATTEMPT: String(attempts + 1),
  };
}

/** A name with a `/` is a path; any other is looked for in PATH, as the system will. */
async function canRun(program: string, { cwd, env }: Pick<Context, 'cwd' | 'env'>): Promise<boolean> {
  const folders = program.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter);
  const found = await Promise.all(
    folders.map((folder) =>
      access(resolve(cwd, folder, program), constants.X_OK).then(
        () => true,
        // Missing or not executable: not a candidate either way.
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

const someTime: Text = { en: 'a time above zero is expected', pt: 'espera-se um tempo maior que zero' };

function noSuchProgram(program: string): Text {
  return {
    en: `no executable program ${program} was found`,
    pt: `não foi encontrado um programa executável ${program}`,
  };
}
