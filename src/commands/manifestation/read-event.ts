import { checkKey, looksLikeKey, wasRounded } from '../../domain/access-key.js';
import type { Given } from '../../cli/command.js';
import type { CallInput } from '../../client/client.js';
import type { Text } from '../../contract/text.js';
import { type EventFamily, type EventType, findEvent } from '../../domain/event-codes.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { reasonOfError } from '../../errors/reasons.js';
import { type AuthorityAnswer, authorityAnswer } from '../../jobs/authority-answer.js';
import { holdsKey } from '../../jobs/claimed-item.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { eventStatus, observeEvent } from '../../jobs/kinds/manifestation-answer.js';
import { forgetCompany } from '../../jobs/kinds/manifestation-company.js';
import { eventKey, manifestation, type Submission } from '../../jobs/kinds/manifestation.js';
import type { Context } from '../../services/context.js';
import { listKnown, type KnownEvent } from '../../services/documents/known-events.js';
import { companyOf, namedCompany } from '../../services/scope/companies.js';
import type { ItemRow } from '../../store/store.js';
import type { poll } from './commands.js';
import { eventScopeOf } from './company.js';
import { readEventKey, type EventKey } from './event-key.js';
import { fetchTakerEvents } from './list.js';
import { findKnown, rememberRead } from './remember.js';
import { eventText } from './shown.js';

/** An event as the user names it: by id, or by key and event. */
type NamedEvent = Pick<Given<typeof poll>, 'id' | 'event' | 'sequence' | 'type'>;

/** Finds the event's id. Errors: `usage.missing`, `usage.invalid_value`, `input.invalid`, `manifestation.unknown_event`. */
export async function findTarget(context: Context, named: NamedEvent): Promise<EventTarget> {
  const { id, type } = named;
  const check = checkKey(id);
  if (looksLikeKey(check.value) || wasRounded(check) || named.event !== undefined) return await byKey(context, named);
  if (type !== undefined) return { id, family: type };
  const { storeNamespace } = await context.settings();
  const known = await listKnown(await context.store(), { storeNamespace });
  return { id, family: known.find(({ event }) => event.id === id)?.event.family ?? 'nfe' };
}

async function byKey(context: Context, named: NamedEvent): Promise<EventTarget> {
  const key = readEventKey(named.id);
  if ('problem' in key) {
    const what = { en: 'the access key', pt: 'a chave de acesso' };
    throw new FiscalError('input.invalid', { what }, { details: key.problem, sent: 'no' });
  }
  const event = eventOfKey(named.event, key);
  const { family, value: accessKey } = key;
  const triple = { family, accessKey, eventCode: event.code, nSequencia: named.sequence };
  const [store, scope] = await Promise.all([context.store(), eventScopeOf(context)]);
  const known = await findKnown(store, scope, triple);
  if (known?.id !== undefined) return { family, id: known.id };
  const dedupeKey = eventKey(accessKey, event.code, named.sequence);
  const holder = await store.items.holder({ profile: scope.storeNamespace, kind: manifestation.name, dedupeKey });
  if (holder?.resourceId !== undefined) return { family, id: holder.resourceId };
  const listed = family === 'nfse' ? await atService(context, accessKey, event) : undefined;
  if (listed !== undefined) return { family, id: listed };
  throw new FiscalError(
    'manifestation.unknown_event',
    { what: eventText(triple) },
    {
      sent: 'no',
      hint: {
        en: 'the service finds an event of an NF-e by its id only: fiscal manifestation get <id>',
        pt: 'o serviço só encontra um evento de NF-e pelo id: fiscal manifestation get <id>',
      },
    },
  );
}

/** The newest of the key's events with this code: the last of the list. */
async function atService(context: Context, accessKey: string, event: EventType): Promise<string | undefined> {
  const companyId = await companyOf(context);
  const entries = await fetchTakerEvents(context, { companyId, accessKey });
  const found = entries.findLast((entry) => textField(entry, 'eventCode') === String(event.code));
  return textField(found, 'id');
}

function eventOfKey(written: string | undefined, key: EventKey): EventType {
  if (written === undefined)
    throw new FiscalError('usage.missing', { names: '--event' }, { sent: 'no', pick: 'event' });
  const event = findEvent(written);
  if (event !== undefined && event.family === key.family) return event;
  const expected =
    key.family === 'nfe'
      ? { en: 'an event of an NF-e is expected', pt: 'espera-se um evento de NF-e' }
      : { en: 'an event of an NFS-e is expected', pt: 'espera-se um evento de NFS-e' };
  throw invalidValue('--event', written, expected);
}

/** An event at the service. */
export interface EventTarget {
  readonly family: EventFamily;
  readonly id: string;
  /** The company of the event, when it differs from the company in use. */
  readonly companyId?: string | undefined;
}

export interface ReadEvent {
  /** As it came. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly event: KnownEvent;
  readonly answer: AuthorityAnswer | undefined;
}

/**
 * Reads an event once and stores it. Finishes the item of this machine that waits for this event.
 * Error: `service.unreadable` for an answer that is not an event.
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
    if (error instanceof FiscalError && error.code === 'service.other_company') await keepOther(context, id, error);
    throw error;
  });
  const body: unknown = answer.body;
  if (!isEvent(body)) throw unreadable(family, answer.status);
  const [store, scope] = await Promise.all([context.store(), eventScopeOf(context, target.companyId)]);
  const at = context.clock.now();
  const event = await rememberRead(store, scope, { family, id, body, at });
  if (event !== undefined) await finishItem(context, event, body);
  return { body, event: event ?? nameless(target, body), answer: authorityAnswer(body) };
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

/** Finishes the item that waits for this event. Its key is free again when the event was rejected or failed. */
async function finishItem(context: Context, event: KnownEvent, body: unknown): Promise<void> {
  const store = await context.store();
  const { storeNamespace } = await context.settings();
  const dedupeKey = eventKey(event.accessKey, event.eventCode, event.nSequencia);
  const item = await store.items.holder({ profile: storeNamespace, kind: manifestation.name, dedupeKey });
  if (item === undefined || !isWaitingFor(item, event.id)) return;
  // The row was written by the kind `manifestation`, whose input has this type.
  const seen = observeEvent(body, item.input as Submission);
  if (seen.state === 'pending' || seen.state === 'uncertain') return;
  const at = context.clock.now();
  const patch = {
    state: seen.state,
    remoteStatus: seen.remoteStatus ?? null,
    errorCode: seen.errorCode ?? null,
    reason: seen.reason ?? null,
    settledAt: at,
    holdsKey: holdsKey(seen.state, manifestation),
    keep: false,
  };
  await store.items.decide(item.id, 'pending', patch, { at, step: { is: 'read', by: 'person', status: event.status } });
}

/** Records an answer about another company in the event, in the item that waits for it, and in what is known of the company. */
async function keepOther(context: Context, id: string, error: FiscalError): Promise<void> {
  const store = await context.store();
  const { storeNamespace: profile } = await context.settings();
  const known = (await listKnown(store, { storeNamespace: profile })).find(({ event }) => event.id === id);
  if (known === undefined) return;
  const { accessKey, eventCode, nSequencia, itemId } = known.event;
  const at = context.clock.now();
  const { answeredCompany } = error.facts;
  const problem = { errorCode: error.code, reason: reasonOfError(error) };
  const named = answeredCompany === undefined ? {} : { answeredCompany };
  await forgetCompany({ store, profile, now: at }, { ...known.event, companyId: known.row.scope }, error);
  const event: KnownEvent = { ...known.event, ...problem, ...named, status: 'uncertain' };
  await store.known.put({ ...known.row, status: event.status, data: event, seenAt: at });
  const dedupeKey = eventKey(accessKey, eventCode, nSequencia);
  const item = await store.items.holder({ profile, kind: manifestation.name, dedupeKey });
  if (item === undefined || item.id !== itemId || !isWaitingFor(item, id)) return;
  const patch = { ...problem, ...named, state: 'uncertain', settledAt: at, holdsKey: true, keep: false } as const;
  await store.items.decide(item.id, 'pending', patch, { at, step: { is: 'failed', code: error.code } });
}

function isWaitingFor(item: ItemRow, id: string | undefined): boolean {
  return item.state === 'pending' && item.resourceId === id;
}

/** Checks only what the program relies on. */
function isEvent(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && textField(body, 'status') !== undefined;
}

/** An event without its key and code can still be shown and waited for. */
function nameless({ family, id }: EventTarget, body: unknown): KnownEvent {
  return { ...{ family, id, accessKey: '?', eventCode: 0, nSequencia: 1 }, status: eventStatus(body) ?? 'unknown' };
}

function unreadable(family: EventFamily, status: number): FiscalError {
  const reason: Text = { en: 'it is not an event with a status', pt: 'não é um evento com status' };
  return new FiscalError('service.unreadable', { operation: `${family}.manifestation.get`, status, reason });
}
