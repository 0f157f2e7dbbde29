import type { DataRecord, Outcome } from '../../domain/outcome.js';
import type { Text } from '../../contract/text.js';
import { formatUtc } from '../../domain/dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { DeliveryRow, DeliveryState } from '../../store/deliveries.js';
import type { Context } from '../../services/context.js';
import { storedEvents } from './read-events.js';
import { sinceTime } from './time.js';

export interface EventsRequest {
  /** One event with its body. */
  readonly id: string | undefined;
  readonly failed: boolean;
  readonly state: DeliveryState | undefined;
  readonly event: string | undefined;
  readonly resource: string | undefined;
  readonly since: string | undefined;
  readonly limit: number | undefined;
  readonly all: boolean;
}

const defaultLimit = 100;

/** The events that this machine received and stored, newest first, without network. Errors: `webhook.unknown_event`, `usage.*`. */
export async function listEvents(context: Context, request: EventsRequest): Promise<Outcome> {
  const { space: profile } = await context.settings();
  if (request.id !== undefined) return await oneEvent(context, profile, request.id);
  const { failed, state, event, resource, since } = request;
  if (failed && state !== undefined) throw bothStates();
  const states: readonly DeliveryState[] | undefined = failed ? ['dead'] : state && [state];
  const store = await context.store();
  const filter = {
    profile,
    ...(states === undefined ? {} : { states }),
    ...(event === undefined ? {} : { event }),
    ...(resource === undefined ? {} : { resource }),
    ...(since === undefined ? {} : { since: sinceTime(since, store.clock.now()) }),
  };
  const limit = request.all ? Number.POSITIVE_INFINITY : (request.limit ?? defaultLimit);
  const reading = { isCut: false };
  return {
    data: shownRows(storedEvents(store, filter), limit, reading),
    get notices() {
      return reading.isCut && request.limit === undefined ? [moreThan(limit)] : [];
    },
  };
}

async function* shownRows(
  rows: AsyncIterable<DeliveryRow>,
  limit: number,
  reading: { isCut: boolean },
): AsyncGenerator<DataRecord> {
  let given = 0;
  for await (const row of rows) {
    reading.isCut = given >= limit;
    if (reading.isCut) return;
    yield shownEvent(row);
    given += 1;
  }
}

async function oneEvent(context: Context, profile: string, id: string): Promise<Outcome> {
  const found = await (await context.store()).deliveries.get(profile, id);
  if (found === undefined) throw unknownEvent(id);
  return { data: { ...shownEvent(found), body: bodyOf(found.body) } };
}

/** A stored event as JSON shows it. */
export function shownEvent(row: DeliveryRow): DataRecord {
  const { id, event, resource, state, attempts, copies, hookId, scheme, bytes, digest, lastError } = row;
  return {
    type: 'webhook-event',
    id,
    event,
    resource,
    state,
    receivedAt: formatUtc(row.receivedAt),
    attempts,
    copies,
    ...(row.dueAt === undefined ? {} : { dueAt: formatUtc(row.dueAt) }),
    ...(row.settledAt === undefined ? {} : { settledAt: formatUtc(row.settledAt) }),
    ...(lastError === undefined ? {} : { lastError }),
    hookId,
    scheme,
    bytes,
    sha256: digest,
  };
}

/** Genuine deliveries are JSON; whatever is not is shown as text. */
function bodyOf(body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export function unknownEvent(id: string): FiscalError {
  return new FiscalError(
    'webhook.unknown_event',
    { id: id.slice(0, 100) },
    {
      sent: 'no',
      hint: { en: 'those that it has: fiscal webhook events', pt: 'os que ela tem: fiscal webhook events' },
    },
  );
}

function bothStates(): FiscalError {
  const message = {
    en: '--failed and --state cannot be given together',
    pt: '--failed e --state não podem ser usadas juntas',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

function moreThan(limit: number): Text {
  return {
    en: `only the newest ${limit} are shown; all of them: --all`,
    pt: `só os ${limit} mais recentes são mostrados; todos: --all`,
  };
}
