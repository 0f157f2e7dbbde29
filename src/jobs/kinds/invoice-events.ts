import type { CallInput, CallOptions, Client } from '../../client/client.js';
import { listCut } from '../../client/list-reading.js';
import { endsWith, noEnd, nothingNew } from '../../client/list-rows.js';
import { countOf, rowsOf } from '../../client/read-answer.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import type { Observation } from '../kind.js';
import { textField } from './answer-fields.js';
import { reasonOf } from './invoice-answer.js';
import type { MerchandiseModel } from './invoice-items.js';

type Event = Readonly<Record<string, unknown>>;

/** The page size of the service when no `limit` is sent (public). */
const PAGE = 10;
/** An invoice has at most 20 correction letters, so a longer list is an error. */
const MAX_PAGES = 50;

/**
 * All events of an issued NF-e or NFC-e, the newest last. An event may hold its fields in `data` (public) or beside
 * `type` and `sequence`; they are returned side by side. Errors: `service.list_cut`, those of a call.
 */
export async function eventsOfInvoice(
  client: Client,
  model: MerchandiseModel,
  input: CallInput<'nfe.events' | 'nfce.events'>,
  options: CallOptions,
): Promise<readonly Event[]> {
  const operation = `${model}.events` as const;
  const events = new Map<string, Event>();
  for (let page = 0; page < MAX_PAGES; page += 1) {
    // The index of the last row (public). Counted from 0 or from 1, this skips none; a row that comes twice is dropped.
    const query = page === 0 ? {} : { query: { startingAfter: events.size - 1 } };
    const { body } = await client.call(operation, { ...input, ...query }, options);
    const rows = rowsOf(operation, body);
    const before = events.size;
    for (const row of rows) events.set(JSON.stringify(row), flat(row));
    const isNew = events.size > before;
    if (isEnd(body, rows, isNew)) return inSequence([...events.values()]);
    if (!isNew) throw listCut(operation, events.size, nothingNew);
  }
  throw listCut(operation, events.size, noEnd);
}

/** Without `hasMore`, a short page ends the list, and so does one that repeats the rows before. */
function isEnd(body: unknown, rows: readonly unknown[], isNew: boolean): boolean {
  if (fieldOf(body, 'hasMore') === undefined) return !isNew || rows.length < PAGE;
  return endsWith(body, rows, { limit: PAGE, isNew });
}

function flat(row: unknown): Event {
  const data = fieldOf(row, 'data');
  if (!isRecord(row)) return {};
  if (!isRecord(data)) return row;
  const { data: _data, ...beside } = row;
  return { ...data, ...beside };
}

/** In the order of the service where the events have no sequence. */
function inSequence(events: readonly Event[]): readonly Event[] {
  const sequences = events.map((event) => countOf(event['sequence']));
  if (sequences.includes(undefined)) return events;
  return events.toSorted((one, other) => (countOf(one['sequence']) ?? 0) - (countOf(other['sequence']) ?? 0));
}

/** How the authority decided about an event: without a status, the event is listed because it is registered. */
export function decisionOn(event: Event): 'registered' | 'refused' | 'pending' {
  const status = textField(event, 'status');
  if (status === undefined || /^(?:accepted|issued|registered)$/i.test(status)) return 'registered';
  return /^(?:rejected|failed|error)$/i.test(status) ? 'refused' : 'pending';
}

/** Why the authority refused an event. */
export function reasonOfEvent(event: Event): Pick<Observation, 'errorCode' | 'reason'> {
  return reasonOf({ errorMessage: event['message'], ...event });
}
