import { isLoopback } from '../../domain/loopback.js';
import { rename, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../io/make-folder.js';
import type { Directories } from '../../config/directories.js';
import { sandboxKeys } from '../../config/sandbox-keys.js';
import { sandboxProfile } from '../../config/sandbox-profile.js';
import type { HttpMethod } from '../../contract/operation.js';
import type { RunningSandbox, SandboxOptions } from '../../contract/sandbox.js';
import { parseForeignJson } from '../../domain/json-numbers.js';
import { isRecord } from '../../domain/record.js';
import { type ErrorDetail, FiscalError } from '../../errors/fiscal-error.js';
import { readStateJson } from '../../io/input-file.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';

type DataFolder = Pick<Directories, 'data'>;

export interface AttachedSandbox {
  /** The base address for every host of the profile. */
  readonly url: string;
  /** Stops an embedded sandbox; one in another process keeps running. */
  close(): Promise<void>;
}

/** Finds the sandbox that runs on this machine, or starts one inside this process on the same state. */
export async function attachSandbox({ directories }: { readonly directories: DataFolder }): Promise<AttachedSandbox> {
  const running = await findRunning(directories);
  if (running !== undefined) return { url: running.url, close: async () => undefined };
  const path = sandboxDatabase(directories);
  return await launchSandbox(async () => {
    const account = { ...sandboxProfile.account, ...(await sandboxKeys(directories)) };
    return { path, account, keepsProcess: false };
  });
}

/**
 * Passes the address of the sandbox of a control command to `use`: `FISCAL_SANDBOX_URL` inside `sandbox exec`,
 * else the one of the built-in profile.
 */
export async function withSandbox<Result>(
  context: Pick<Context, 'env' | 'directories'>,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const named = namedSandbox(context);
  if (named !== undefined) return await use(named);
  const sandbox = await attachSandbox(context);
  try {
    return await use(sandbox.url);
  } finally {
    await sandbox.close();
  }
}

/** Calls a control route of that sandbox. Errors: those of `askSandbox`. */
export async function controlSandbox(
  context: Pick<Context, 'env' | 'directories'>,
  call: Omit<ControlRequest, 'url'>,
): Promise<ControlAnswer> {
  return await withSandbox(context, (url) => askSandbox({ url, ...call }));
}

/** The address in `FISCAL_SANDBOX_URL`. Throws `usage.invalid_value` for one of another machine. */
export function namedSandbox({ env }: Pick<Context, 'env'>): string | undefined {
  const url = env['FISCAL_SANDBOX_URL'] ?? '';
  if (url === '') return undefined;
  if (isLoopbackUrl(url)) return url.replace(/\/$/, '');
  throw invalidValue('FISCAL_SANDBOX_URL', url, {
    en: 'an http address of this machine (loopback)',
    pt: 'um endereço http desta máquina (loopback)',
  });
}

/** Starts the sandbox in this process. The only place that loads it. Throws `sandbox.cannot_start`. */
export async function launchSandbox(
  optionsOf: () => SandboxOptions | Promise<SandboxOptions>,
): Promise<RunningSandbox> {
  const { startSandbox } = await import('../../sandbox/start.js');
  try {
    const options = await optionsOf();
    if (options.path !== ':memory:') makeFolder(dirname(options.path));
    return await startSandbox(options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = {
      en: 'to start with an empty state: fiscal sandbox start --fresh; to use another port: --port',
      pt: 'para começar com o estado vazio: fiscal sandbox start --fresh; para usar outra porta: --port',
    };
    throw new FiscalError('sandbox.cannot_start', { reason }, { sent: 'no', cause: error, hint });
  }
}

export interface FoundSandbox extends RunningFile {
  readonly status: ControlAnswer;
}

const healthTimeoutMs = 2_000;

/** The sandbox that serves the account of the built-in profile on this machine, if one answers. */
export async function findRunning(directories: DataFolder): Promise<FoundSandbox | undefined> {
  const file = await readRunningFile(directories);
  if (file === undefined) return undefined;
  const status = await health(file.url);
  // The port of a stopped sandbox may now belong to another program or sandbox.
  const isOurs = status?.['service'] === 'fiscal-sandbox' && status['tenantId'] === sandboxProfile.account.tenantId;
  return isOurs ? { ...file, status } : undefined;
}

async function health(url: string): Promise<ControlAnswer | undefined> {
  try {
    return await askSandbox({ url, method: 'GET', path: 'status', timeoutMs: healthTimeoutMs });
  } catch {
    // It cannot be used: the embedded one replaces it.
    return undefined;
  }
}

/** The address of a running sandbox of this machine, from `sandbox/running.json`. Contains no key. */
export interface RunningFile {
  readonly url: string;
  readonly pid: number;
}

/** The state of the built-in sandbox, which outlives the process that serves it. */
export function sandboxDatabase({ data }: DataFolder): string {
  return join(data, 'sandbox', 'sandbox.db');
}

/** `undefined` when there is none, and also when it is damaged: no sandbox is then found. */
export async function readRunningFile(directories: DataFolder): Promise<RunningFile | undefined> {
  return parseRunning(await readStateJson(runningPath(directories)));
}

/** Atomic, so that a reader never sees half an address. */
export async function writeRunningFile(directories: DataFolder, running: RunningFile): Promise<void> {
  const target = runningPath(directories);
  makeFolder(dirname(target));
  const draft = `${target}.${running.pid}`;
  await writeFile(draft, `${JSON.stringify(running)}\n`, { mode: 0o600 });
  await rename(draft, target);
}

/** Removes the file of this sandbox only: another one may have written its own since. */
export async function removeRunningFile(directories: DataFolder, running: RunningFile): Promise<void> {
  const found = await readRunningFile(directories);
  if (found?.url === running.url) await rm(runningPath(directories), { force: true });
}

export function runningPath({ data }: DataFolder): string {
  return join(data, 'sandbox', 'running.json');
}

function parseRunning(value: unknown): RunningFile | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('url' in value) || !('pid' in value)) return undefined;
  const { url, pid } = value;
  if (typeof url !== 'string' || typeof pid !== 'number' || !isLoopbackUrl(url)) return undefined;
  return { url, pid };
}

/** The sandbox only ever runs on this machine. */
function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' && isLoopback(hostname);
}

interface ControlRequest {
  readonly url: string;
  readonly method: HttpMethod;
  /** Under `/__sandbox/`, with the query. */
  readonly path: string;
  readonly body?: object | undefined;
  readonly timeoutMs?: number;
}

/** The JSON object that a control route returns. */
export type ControlAnswer = Readonly<Record<string, unknown>>;

const defaultTimeoutMs = 30_000;

/**
 * Calls a control route of the sandbox. Uses node:http: got is loaded only for the service, and an attached sandbox
 * is queried before every command.
 * Throws `sandbox.unavailable`, and `service.refused` with the error of the sandbox.
 */
export async function askSandbox(controlRequest: ControlRequest): Promise<ControlAnswer> {
  const { status, text } = await exchange(controlRequest);
  const fields = parse(text);
  if (status === 200) return fields;
  throw refused(status, fields);
}

function exchange(controlRequest: ControlRequest): Promise<{ status: number; text: string }> {
  const { url, method, path, body, timeoutMs = defaultTimeoutMs } = controlRequest;
  const payload = body === undefined ? '' : JSON.stringify(body);
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(new FiscalError('sandbox.unavailable', { reason: error.message }, { cause: error }));
    const outgoing = request(`${url}/__sandbox/${path}`, { method, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', fail);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    outgoing.on('error', fail);
    outgoing.end(payload);
  });
}

function parse(text: string): ControlAnswer {
  try {
    const value: unknown = parseForeignJson(text);
    return isRecord(value) ? value : {};
  } catch (error) {
    throw new FiscalError('sandbox.unavailable', { reason: 'its answer is not JSON' }, { cause: error });
  }
}

function refused(status: number, fields: ControlAnswer): FiscalError {
  const error = isRecord(fields['error']) ? fields['error'] : {};
  const details = (Array.isArray(error['details']) ? error['details'] : []).filter(isRecord).map(toDetail);
  const message = typeof error['message'] === 'string' ? error['message'] : `HTTP ${status}`;
  return new FiscalError('service.refused', { status, message }, { details, httpStatus: status });
}

function toDetail(fields: ControlAnswer): ErrorDetail {
  return { field: String(fields['field'] ?? ''), message: String(fields['message'] ?? '') };
}
