import type { EventFamily, EventType } from '../../domain/event-code-list.js';
import { findEvent } from '../../domain/event-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { eventKey, manifestation } from '../../jobs/kinds/manifestation.js';
import type { Context } from '../../services/context.js';
import { placeOf } from './company.js';
import { looksLikeKey, readEventKey, type EventKey } from './event-key.js';
import { fetchTakerEvents } from './list.js';
import { companyOf } from '../../services/read-company.js';
import type { EventTarget } from './read-event.js';
import { listKnown } from '../../services/known-events.js';
import { findKnown } from './remember.js';
import { eventText } from './shown.js';

/** An event as a person names it: by its id, or by key and event. */
export interface NamedEvent {
  readonly name: string;
  readonly event: string | undefined;
  readonly sequence: number;
  /** Which service has an id that this machine has not seen. */
  readonly type: EventFamily | undefined;
}

/** Finds the event's id. Errors: `usage.missing`, `usage.invalid_value`, `input.invalid`, `manifestation.unknown_event`. */
export async function findTarget(context: Context, named: NamedEvent): Promise<EventTarget> {
  const { name, type } = named;
  if (looksLikeKey(name) || named.event !== undefined) return await byKey(context, named);
  return { id: name, family: type ?? (await familyOfId(context, name)) ?? 'nfe' };
}

async function familyOfId(context: Context, id: string): Promise<EventFamily | undefined> {
  const { space } = await context.settings();
  const known = await listKnown(await context.store(), { space });
  return known.find(({ event }) => event.id === id)?.event.family;
}

async function byKey(context: Context, named: NamedEvent): Promise<EventTarget> {
  const key = readEventKey(named.name);
  if ('problem' in key) {
    const what = { en: 'the access key', pt: 'a chave de acesso' };
    throw new FiscalError('input.invalid', { what }, { details: key.problem, sent: 'no' });
  }
  const event = readEvent(named.event, key);
  const { family, value: accessKey } = key;
  const triple = { family, accessKey, eventCode: event.code, nSequencia: named.sequence };
  const [store, place] = await Promise.all([context.store(), placeOf(context)]);
  const known = await findKnown(store, place, triple);
  if (known?.id !== undefined) return { family, id: known.id };
  const dedupeKey = eventKey(accessKey, event.code, named.sequence);
  const holder = await store.items.holder({ profile: place.space, kind: manifestation.name, dedupeKey });
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

function readEvent(written: string | undefined, key: EventKey): EventType {
  if (written === undefined) throw new FiscalError('usage.missing', { names: '--event' }, { sent: 'no' });
  const event = findEvent(written);
  if (event !== undefined && event.family === key.family) return event;
  const expected =
    key.family === 'nfe'
      ? { en: 'an event of an NF-e is expected', pt: 'espera-se um evento de NF-e' }
      : { en: 'an event of an NFS-e is expected', pt: 'espera-se um evento de NFS-e' };
  throw invalidValue('--event', written, expected);
}
