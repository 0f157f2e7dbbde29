import { sandboxProfile } from '../../config/sandbox-profile.js';
import type { ExternalIdMode, IdempotencyMode } from '../../contract/sandbox.js';
import type { DataRecord } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import type { Context } from '../../services/context.js';
import { issuedNamespaces } from '../../services/issued/book.js';
import { askSandbox, type ControlAnswer } from './ask.js';
import { findRunning, namedSandbox, withSandbox } from './attach.js';

/** The content of the sandbox; `running` says whether a separate process serves it. */
export async function readStatus(context: Context): Promise<ControlAnswer> {
  const named = namedSandbox(context);
  const running = named === undefined ? await findRunning(context.directories) : undefined;
  if (running !== undefined) {
    return { running: true, url: running.url, pid: running.pid, ...running.status };
  }
  return await withSandbox(context, async (url) => ({
    running: named !== undefined,
    ...(named === undefined ? {} : { url }),
    ...(await askSandbox({ url, method: 'GET', path: 'status' })),
  }));
}

/** Empties the sandbox, and forgets what this machine knows of it: that service no longer exists. */
export async function resetSandbox(context: Context): Promise<ControlAnswer> {
  const answer = await withSandbox(context, (url) => askSandbox({ url, method: 'POST', path: 'reset' }));
  await forgetSandbox(context);
  return answer;
}

/** Deletes what this machine knows of the sandbox: it would be wrong about the new one. */
export async function forgetSandbox(context: Context): Promise<void> {
  const { name } = sandboxProfile;
  const store = await context.store();
  for (const profile of [name, ...issuedNamespaces(name)]) await store.forget(profile);
}

/** What the service document leaves open; `undefined` leaves a mode unchanged. */
export interface ModeInput {
  /** Milliseconds. */
  readonly lag: number | undefined;
  readonly idempotencyKeys: IdempotencyMode | undefined;
  readonly externalIds: ExternalIdMode | undefined;
  /** False leaves the mode unchanged. */
  readonly lenient: boolean;
}

/** Reads the modes, or changes the given ones; they stay until the sandbox is reset. */
export async function changeModes(
  context: Context,
  { lag, idempotencyKeys, externalIds, lenient }: ModeInput,
): Promise<ControlAnswer> {
  const changes = {
    lag: lag === undefined ? undefined : `${lag}ms`,
    idempotencyKeys,
    externalIds,
    ...(lenient ? { lenient } : {}),
  };
  const isChange = Object.values(changes).some((value) => value !== undefined);
  const request = isChange ? ({ method: 'POST', body: changes } as const) : ({ method: 'GET' } as const);
  return await withSandbox(context, (url) => askSandbox({ url, path: 'mode', ...request }));
}

/** Goes back to the modes with which the sandbox was started. */
export async function restoreModes(context: Context): Promise<ControlAnswer> {
  return await withSandbox(context, (url) => askSandbox({ url, method: 'DELETE', path: 'mode' }));
}

export interface LedgerInput {
  readonly effects: boolean;
  readonly operation: string | undefined;
}

const pageLength = 1_000;

/** Every request that the sandbox received and every capture that it billed, oldest first, page by page. */
export async function* readLedger(context: Context, input: LedgerInput): AsyncIterable<DataRecord> {
  let after = 0;
  while (true) {
    const entries = await readPage(context, input, after);
    for (const entry of entries)
      yield { type: entry['method'] === 'CAPTURE' ? 'capture' : 'request', ...entry };
    if (entries.length < pageLength) return;
    after = Number(entries.at(-1)?.['sequence'] ?? after);
  }
}

async function readPage(
  context: Context,
  { effects, operation }: LedgerInput,
  after: number,
): Promise<readonly ControlAnswer[]> {
  const query = new URLSearchParams({ after: String(after), limit: String(pageLength) });
  if (effects) query.set('effects', 'true');
  if (operation !== undefined) query.set('operation', operation);
  const { entries } = await withSandbox(context, (url) =>
    askSandbox({ url, method: 'GET', path: `ledger?${query}` }),
  );
  return Array.isArray(entries) ? entries.filter(isRecord) : [];
}
