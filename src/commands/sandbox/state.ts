import type { Given } from '../../cli/command.js';
import { sandboxProfile } from '../../config/sandbox-profile.js';
import type { Text } from '../../contract/text.js';
import { formatUtc, parseDuration, parseUtc } from '../../domain/dates.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { issuedNamespaces } from '../../services/issued/book.js';
import { askSandbox, controlSandbox, findRunning, namedSandbox, withSandbox } from './attach.js';
import type { clock, ledger, mode } from './commands.js';

/** The content of the sandbox; `running` says whether a separate process serves it. */
export async function showSandbox(context: Context): Promise<Outcome> {
  const named = namedSandbox(context);
  const running = named === undefined ? await findRunning(context.directories) : undefined;
  if (running !== undefined) return { data: { running: true, url: running.url, pid: running.pid, ...running.status } };
  const data = await withSandbox(context, async (url) => ({
    running: named !== undefined,
    ...(named === undefined ? {} : { url }),
    ...(await askSandbox({ url, method: 'GET', path: 'status' })),
  }));
  return { data };
}

/** Empties the sandbox, and forgets what this machine knows of it: that service no longer exists. */
export async function resetSandbox(context: Context): Promise<Outcome> {
  const data = await controlSandbox(context, { method: 'POST', path: 'reset' });
  await forgetSandbox(context);
  return { data };
}

/** Deletes what this machine knows of the sandbox: it would be wrong about the new one. */
export async function forgetSandbox(context: Context): Promise<void> {
  const { name } = sandboxProfile;
  const store = await context.store();
  for (const profile of [name, ...issuedNamespaces(name)]) await store.forget(profile);
}

/** Reads the modes, or changes the given ones, which stay until the sandbox is reset; with `usual`, to those of its start. */
export async function changeModes(
  context: Context,
  { usual, lag, idempotencyKeys, externalIds, lists, lenient }: Given<typeof mode>,
): Promise<Outcome> {
  if (usual) return { data: await controlSandbox(context, { method: 'DELETE', path: 'mode' }) };
  const body = {
    lag: lag === undefined ? undefined : `${lag}ms`,
    idempotencyKeys,
    externalIds,
    lists,
    ...(lenient ? { lenient } : {}),
  };
  const isChange = Object.values(body).some((value) => value !== undefined);
  const change = isChange ? ({ method: 'POST', body } as const) : ({ method: 'GET' } as const);
  return { data: await controlSandbox(context, { path: 'mode', ...change }) };
}

/** Every request that the sandbox received and every capture that it billed, oldest first, page by page. */
export function listRequests(context: Context, given: Given<typeof ledger>): Promise<Outcome> {
  return Promise.resolve({ data: requests(context, given) });
}

const pageLength = 1_000;

async function* requests(context: Context, { effects, operation }: Given<typeof ledger>): AsyncIterable<DataRecord> {
  let after = 0;
  while (true) {
    const query = new URLSearchParams({ after: String(after), limit: String(pageLength) });
    if (effects) query.set('effects', 'true');
    if (operation !== undefined) query.set('operation', operation);
    const page = await controlSandbox(context, { method: 'GET', path: `ledger?${query}` });
    const entries = Array.isArray(page['entries']) ? page['entries'].filter(isRecord) : [];
    for (const entry of entries) yield { type: entry['method'] === 'CAPTURE' ? 'capture' : 'request', ...entry };
    if (entries.length < pageLength) return;
    after = Number(entries.at(-1)?.['sequence'] ?? after);
  }
}

/** Reads or changes the time of the sandbox. Work due by the new time is done before it responds. */
export async function changeClock(context: Context, given: Given<typeof clock>): Promise<Outcome> {
  const body = clockChange(given);
  const method = body === undefined ? 'GET' : 'POST';
  return { data: await controlSandbox(context, { method, path: 'clock', body }) };
}

/** `undefined` only reads the clock. */
function clockChange({ action = 'show', value }: Given<typeof clock>): object | undefined {
  switch (action) {
    case 'show':
      return undefined;
    case 'freeze':
      return { freeze: true };
    case 'run':
      return { freeze: false };
    case 'advance':
      return { advance: `${read(value, duration)}ms` };
    case 'set':
      return { set: formatUtc(read(value, time)) };
    default:
      throw invalidValue('action', action, {
        en: 'show, advance, set, freeze or run',
        pt: 'show, advance, set, freeze ou run',
      });
  }
}

interface Word {
  readonly name: string;
  parse(text: string): number | undefined;
  readonly expected: Text;
}

const duration: Word = {
  name: 'duration',
  parse: parseDuration,
  expected: { en: 'a duration such as 90s or 10d', pt: 'uma duração como 90s ou 10d' },
};

const time: Word = {
  name: 'time',
  parse: parseUtc,
  expected: { en: 'a UTC time such as 2026-06-01T00:00:00Z', pt: 'data e hora em UTC, como 2026-06-01T00:00:00Z' },
};

function read(value: string | undefined, { name, parse, expected }: Word): number {
  if (value === undefined) throw new FiscalError('usage.missing', { names: expected });
  const parsed = parse(value);
  if (parsed === undefined) throw invalidValue(name, value, expected);
  return parsed;
}
