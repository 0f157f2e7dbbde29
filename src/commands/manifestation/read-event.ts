import type { CallInput } from '../../client/client.js';
import type { Text } from '../../contract/text.js';
import type { EventFamily } from '../../domain/event-code-list.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { eventKey, manifestation, type Submission } from '../../jobs/kinds/manifestation.js';
import { observeEvent } from '../../jobs/kinds/manifestation-answer.js';
import { forgetCompany } from '../../jobs/kinds/manifestation-company.js';
import { holdsKey } from '../../jobs/item-writes.js';
import type { ItemRow } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { companyOf, namedCompany } from '../../services/read-company.js';
import { placeOf } from './company.js';
import { listKnown, type KnownEvent } from '../../services/known-events.js';
import { rememberRead } from './remember.js';

/** An event at the service. */
export interface EventTarget {
  readonly family: EventFamily;
  readonly id: string;
  /** Whose event it is, where it is another than the company that is set. */
  readonly companyId?: string | undefined;
}

export interface ReadEvent {
  /** As it came. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly event: KnownEvent;
}

/**
 * One read, kept in what this machine knows; an item of this machine that still waits for this event is settled by it.
 * Error: `service.unreadable` for an answer that is no event.
 */
export async function readEvent(context: Context, target: EventTarget): Promise<ReadEvent> {
  const { family, id } = target;
  const client = await context.client();
  const options = { signal: context.interruption };
  const reading =
    family === 'nfe'
      ? client.call('nfe.manifestation.get', await nfeRead(context, target), options)
      : client.call('nfse.manifestation.get', await nfseRead(context, target), options);
  const answer = await reading.catch(async (error: unknown) => {
    if (error instanceof FiscalError && error.code === 'service.other_company')
      await keepOther(context, id, error);
    throw error;
  });
  const body: unknown = answer.body;
  if (!isEvent(body)) throw unreadable(family, answer.status);
  const [store, place] = await Promise.all([context.store(), placeOf(context, target.companyId)]);
  const event = await rememberRead(store, place, { family, id, body, at: context.clock.now() });
  if (event !== undefined) await settleItem(context, event, body);
  return { body, event: event ?? nameless(target, body) };
}

export async function nfeRead(
  context: Context,
  { id, companyId }: EventTarget,
): Promise<CallInput<'nfe.manifestation.get'>> {
  const company = companyId ?? (await namedCompany(context));
  return { path: { id }, ...(company === undefined ? {} : { companyId: company }) };
}

export async function nfseRead(
  context: Context,
  { id, companyId }: EventTarget,
): Promise<CallInput<'nfse.manifestation.get'>> {
  return { path: { companyId: companyId ?? (await companyOf(context)), id } };
}

/** The item waits, and this read has seen the end: nothing more is asked for it, and its key is free where it ended badly. */
async function settleItem(context: Context, event: KnownEvent, body: unknown): Promise<void> {
  const store = await context.store();
  const { space } = await context.settings();
  const dedupeKey = eventKey(event.accessKey, event.eventCode, event.nSequencia);
  const item = await store.items.holder({ profile: space, kind: manifestation.name, dedupeKey });
  if (item === undefined || !isWaitingFor(item, event.id)) return;
  // The row was written by the kind `manifestation`, whose input has this type.
  const seen = observeEvent(body, item.input as Submission);
  if (seen.state === 'pending' || seen.state === 'uncertain') return;
  const at = context.clock.now();
  const patch = {
    state: seen.state,
    remoteStatus: seen.remoteStatus ?? null,
    errorCode: seen.errorCode ?? null,
    errorMessage: seen.errorMessage ?? null,
    settledAt: at,
    holdsKey: holdsKey(seen.state, manifestation),
    keep: false,
  };
  await store.items.decide(item.id, 'pending', patch, { at, note: `read by hand: ${event.status}` });
}

/** An answer about another company is kept as that: for the event, for the item that waits for it, and for what was proven. */
async function keepOther(context: Context, id: string, error: FiscalError): Promise<void> {
  const store = await context.store();
  const { space: profile } = await context.settings();
  const known = (await listKnown(store, { space: profile })).find(({ event }) => event.id === id);
  if (known === undefined) return;
  const { accessKey, eventCode, nSequencia, itemId } = known.event;
  const at = context.clock.now();
  const { answeredCompany } = error.facts;
  const told = { errorCode: error.code, errorMessage: error.text.en };
  const named = answeredCompany === undefined ? {} : { answeredCompany };
  await forgetCompany({ store, profile, now: at }, { ...known.event, companyId: known.row.scope }, error);
  const event: KnownEvent = { ...known.event, ...told, ...named, status: 'uncertain' };
  await store.known.put({ ...known.row, status: event.status, data: event, seenAt: at });
  const dedupeKey = eventKey(accessKey, eventCode, nSequencia);
  const item = await store.items.holder({ profile, kind: manifestation.name, dedupeKey });
  if (item === undefined || item.id !== itemId || !isWaitingFor(item, id)) return;
  const patch = {
    ...told,
    ...named,
    state: 'uncertain',
    settledAt: at,
    holdsKey: true,
    keep: false,
  } as const;
  await store.items.decide(item.id, 'pending', patch, { at, note: 'read by hand: service.other_company' });
}

function isWaitingFor(item: ItemRow, id: string | undefined): boolean {
  return item.state === 'pending' && item.resourceId === id;
}

/** Only what the program relies on; the rest is shown as it came. */
function isEvent(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && textField(body, 'status') !== undefined;
}

/** An event that does not say what it is about can still be shown and waited for. */
function nameless({ family, id }: EventTarget, body: unknown): KnownEvent {
  return {
    ...{ family, id, accessKey: '?', eventCode: 0, nSequencia: 1 },
    status: textField(body, 'status') ?? 'unknown',
  };
}

function unreadable(family: EventFamily, status: number): FiscalError {
  const reason: Text = { en: 'it is not an event with a status', pt: 'não é um evento com status' };
  return new FiscalError('service.unreadable', { operation: `${family}.manifestation.get`, status, reason });
}
