import type { Given } from '../../cli/command.js';
import { parseForeignJson } from '../../domain/json-numbers.js';
import type { Text } from '../../contract/text.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { formatUtc, momentInWords } from '../../domain/dates.js';
import { readMoment } from '../../services/input/moment.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { Prose } from '../../domain/prose.js';
import type { Context } from '../../services/context.js';
import type { DeliveryRow, DeliveryState, DeliveryFilter } from '../../store/deliveries.js';
import type { Store } from '../../store/store.js';
import { failureWords } from './targets.js';
import type { events, resend } from './event-commands.js';

const defaultLimit = 100;

/** The events that this machine received and stored, newest first, without network. Errors: `webhook.unknown_event`, `usage.*`. */
export async function listEvents(context: Context, given: Given<typeof events>): Promise<Outcome> {
  const { storeNamespace: profile } = await context.settings();
  if (given.id !== undefined) return await oneEvent(context, profile, given.id);
  const { failed, state, event, resource, since } = given;
  if (failed && state !== undefined) throw bothStates();
  const states: readonly DeliveryState[] | undefined = failed ? ['dead'] : state && [state];
  const store = await context.store();
  const filter = {
    profile,
    ...(states === undefined ? {} : { states }),
    ...(event === undefined ? {} : { event }),
    ...(resource === undefined ? {} : { resource }),
    ...(since === undefined ? {} : { since: readMoment('--since', since, store.clock.now()) }),
  };
  const limit = given.all ? Number.POSITIVE_INFINITY : (given.limit ?? defaultLimit);
  const reading = { isCut: false };
  return {
    data: shownRows(storedEvents(store, filter), limit, reading),
    get notices() {
      return reading.isCut && given.limit === undefined ? [moreThan(limit)] : [];
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
function shownEvent(row: DeliveryRow): DataRecord {
  const { id, event, resource, state, attempts, copies, hookId, scheme, bytes, digest, failures } = row;
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
    ...(failures === undefined ? {} : { lastError: new Prose(failureWords(failures)) }),
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
    return parseForeignJson(text);
  } catch {
    return text;
  }
}

function unknownEvent(id: string): FiscalError {
  return new FiscalError(
    'webhook.unknown_event',
    { id: id.slice(0, 100) },
    {
      sent: 'no',
      hint: {
        en: 'list the stored events: fiscal webhook events',
        pt: 'liste os eventos guardados: fiscal webhook events',
      },
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

/**
 * Puts stored events back into the queue: a running listener forwards them again, in the order of their resource. No
 * network. Errors: `usage.missing`, `usage.invalid`, `usage.confirmation_required`, `webhook.unknown_event`.
 */
export async function resendEvents(context: Context, { id, since, failed }: Given<typeof resend>): Promise<Outcome> {
  if (id !== undefined && (since !== undefined || failed)) throw idAlone();
  if (id !== undefined) return await resendOne(context, id);
  if (since === undefined) throw new FiscalError('usage.missing', { names: '<id> | --since' }, { sent: 'no' });
  const { clock } = await context.store();
  return await resendSince(context, readMoment('--since', since, clock.now()), failed);
}

async function resendOne(context: Context, id: string): Promise<Outcome> {
  const [{ storeNamespace: profile, dryRun }, store] = await Promise.all([context.settings(), context.store()]);
  const found = await store.deliveries.get(profile, id);
  if (found === undefined) throw unknownEvent(id);
  if (found.state === 'received' || found.state === 'forwarding') {
    return { data: { type: 'webhook-resend', id, queued: 0 }, notices: [queuedAlready] };
  }
  const queued = dryRun ? 1 : await store.deliveries.again({ profile, at: store.clock.now(), id });
  return { data: { type: 'webhook-resend', id, queued }, notices: [dryRun ? wouldQueue : forwardedBy] };
}

async function resendSince(context: Context, since: number, failed: boolean): Promise<Outcome> {
  const [{ storeNamespace: profile, dryRun }, store] = await Promise.all([context.settings(), context.store()]);
  const states: readonly DeliveryState[] = failed ? ['dead'] : ['delivered', 'dead'];
  let count = 0;
  for await (const _row of storedEvents(store, { profile, since, states })) count += 1;
  const data = { type: 'webhook-resend', since: formatUtc(since), states };
  if (count === 0) return { data: { ...data, queued: 0 }, notices: [nothingFound] };
  if (dryRun) return { data: { ...data, queued: count }, notices: [wouldQueue] };
  await context.consent({ what: question(count, since, profile) });
  const queued = await store.deliveries.again({ profile, at: store.clock.now(), since, states });
  return { data: { ...data, queued }, notices: [forwardedBy] };
}

function question(count: number, since: number, profile: string): Text {
  const time = momentInWords(since);
  return {
    en: `forward ${count} ${count === 1 ? 'event' : 'events'} received since ${time.en} again (profile ${profile})`,
    pt: `encaminhar de novo ${count} ${count === 1 ? 'evento recebido' : 'eventos recebidos'} desde ${time.pt} (perfil ${profile})`,
  };
}

function idAlone(): FiscalError {
  const message = {
    en: 'an id selects one event: --since and --failed cannot be combined with it',
    pt: 'um id indica um único evento: não pode ser combinado com --since nem --failed',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

const forwardedBy: Text = {
  en: 'in the queue; a listener forwards it: fiscal webhook listen --forward <url>',
  pt: 'na fila; um receptor encaminha: fiscal webhook listen --forward <url>',
};

const queuedAlready: Text = {
  en: 'it is already in the queue; nothing was changed',
  pt: 'ele já está na fila; nada foi alterado',
};

const wouldQueue: Text = { en: 'nothing was changed', pt: 'nada foi alterado' };

const nothingFound: Text = {
  en: 'no finished event was received since then; nothing was changed',
  pt: 'nenhum evento concluído foi recebido desde então; nada foi alterado',
};

const page = 500;

/** The stored events of a filter, newest first, page by page: memory stays flat. */
async function* storedEvents(
  store: Store,
  filter: Omit<DeliveryFilter, 'limit' | 'before'>,
): AsyncGenerator<DeliveryRow> {
  let before: number | undefined;
  for (;;) {
    const rows = await store.deliveries.list({ ...filter, limit: page, ...(before === undefined ? {} : { before }) });
    yield* rows;
    before = rows.at(-1)?.seq;
    if (rows.length < page || before === undefined) return;
  }
}
