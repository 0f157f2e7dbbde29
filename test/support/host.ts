import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Environment } from '../../src/domain/world.js';
import type { ExitCode } from '../../src/errors/exit-code.js';
import type { Host, OutputStream, Terminal } from '../../src/io/io.js';
import { run } from '../../src/run.js';
import { openStore } from '../../src/store/sqlite/open.js';
import { realClock } from './clock.js';
import { checkOutput } from './output-schema.js';
import { temporaryFolder } from './temporary-folder.js';

export interface TestHostOptions {
  readonly env?: Environment;
  /** What stands on stdin; absent: an empty pipe. */
  readonly stdin?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Defaults to the real clock. */
  readonly clock?: Clock;
  /** Makes stdin, stdout and stderr terminals. */
  readonly isTerminal?: boolean;
  readonly columns?: number;
  /** Where prompts read and draw, for tests that answer questions. */
  readonly terminal?: Terminal;
  readonly cwd?: string;
  readonly interruption?: AbortSignal;
  /** Ids of companies that an earlier run of this machine has seen; the store has them before the first run. */
  readonly companies?: readonly string[];
  /** The profile in use, where the environment does not say it. */
  readonly storeNamespace?: string;
}

export interface TestHost extends Host {
  /** The folder that holds the config, state, data and working folders of this host. Removed after the test file. */
  readonly root: string;
  /** What was written so far. */
  /** Companies that are still to be put into the store. */
  unseenCompanies?: { readonly ids: readonly string[]; readonly profile: string } | undefined;
  written(): { readonly stdout: string; readonly stderr: string };
}

/** A host of its own: captured streams, temporary folders, nothing of the machine's environment. */
export function testHost(options: TestHostOptions = {}): TestHost {
  const root = temporaryFolder();
  const isTerminal = options.isTerminal ?? false;
  const stdout = capture(isTerminal, options.columns ?? 80);
  const stderr = capture(isTerminal, options.columns ?? 80);
  return {
    root,
    stdin: { isTerminal: isTerminal && options.stdin === undefined, read: () => bytes(options.stdin ?? '') },
    stdout,
    stderr,
    print: (text) => stdout.write(text),
    ...(options.terminal === undefined ? {} : { terminal: options.terminal }),
    env: {
      FISCAL_CONFIG_DIR: join(root, 'config'),
      FISCAL_STATE_DIR: join(root, 'state'),
      FISCAL_DATA_DIR: join(root, 'data'),
      FISCAL_CACHE_DIR: join(root, 'cache'),
      ...options.env,
    },
    clock: options.clock ?? realClock,
    random: { unit: () => Math.random(), uuid: () => randomUUID() },
    cwd: options.cwd ?? mkdtempSync(join(root, 'cwd-')),
    platform: process.platform,
    pid: process.pid,
    homeDir: root,
    execPath: process.execPath,
    programPath: join(import.meta.dirname, '../../bin/fiscal.js'),
    interruption: options.interruption ?? new AbortController().signal,
    unseenCompanies: {
      ids: options.companies ?? [],
      profile: options.storeNamespace ?? options.env?.['FISCAL_PROFILE'] ?? 'environment',
    },
    written: () => ({ stdout: stdout.text(), stderr: stderr.text() }),
  };
}

export interface RunResult {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * One run of the program in this process; gives what this run wrote, also on a host that was used before. Throws where the
 * output breaks the schema of its command, which a hostile service may do: its fields pass through unchanged.
 */
export async function runFiscal(
  argv: readonly string[],
  host: TestHost | TestHostOptions = {},
  { isServiceHostile = false } = {},
): Promise<RunResult> {
  const used = 'written' in host ? host : testHost(host);
  await seeCompanies(used);
  const before = used.written();
  const exitCode = await run(argv, used);
  const after = used.written();
  const stdout = after.stdout.slice(before.stdout.length);
  const { command, problems } = await checkOutput({ argv, host: used, stdout });
  if (problems.length > 0 && !isServiceHostile)
    throw new Error(`the output of "${command}" breaks its schema: ${problems.join('; ')}`);
  return { exitCode, stdout, stderr: after.stderr.slice(before.stderr.length) };
}

/** Writes what a read of the company list would have left. */
async function seeCompanies(host: TestHost): Promise<void> {
  const { ids, profile } = host.unseenCompanies ?? { ids: [], profile: '' };
  host.unseenCompanies = undefined;
  if (ids.length === 0) return;
  const path = join(host.env['FISCAL_STATE_DIR'] ?? '', 'state.db');
  const store = await openStore({ path, clock: host.clock });
  const row = { profile, kind: 'company', scope: '', status: 'listed', data: {}, seenAt: host.clock.now() };
  for (const id of ids) await store.known.put({ ...row, id });
  await store.close();
}

function capture(isTerminal: boolean, columns: number): OutputStream & { text(): string } {
  let text = '';
  return {
    isTerminal,
    columns,
    closed: false,
    write: (more) => {
      text += more;
      return Promise.resolve();
    },
    writeBytes: (more) => {
      text += Buffer.from(more).toString();
      return Promise.resolve();
    },
    text: () => text,
  };
}

async function* bytes(source: string | Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (typeof source === 'string') yield new TextEncoder().encode(source);
  else if (source instanceof Uint8Array) yield source;
  else yield* source;
}
