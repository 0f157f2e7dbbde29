import { codeInWords, codeOfListed, eventIdOf, type EventNumber } from '../../domain/event-codes.js';
import { fieldOf } from '../../domain/record.js';
import { createdTime, modifiedTime } from '../../domain/row-times.js';
import type { SeenDocument, SeenEvent } from '../../store/documents.js';
import { isNumber } from '../../domain/json-numbers.js';
import { keyTextIn, MAX_TEXT, type Mutable, put, textIn } from '../../services/sync/columns.js';

/** What a row of a list of documents is: a document with the events that it names, or an event of one. */
export interface SeenRow {
  readonly document?: SeenDocument;
  readonly events: readonly SeenEvent[];
  /** An event that its own id alone names: the event of an NFS-e may name no note, which names it (public, `relatedEventIds`). */
  readonly untied?: string;
}

/**
 * Rows of events may stand among those of documents, under the key of their note (public): they are events and never change the
 * note. The metadata are not trusted. `undefined`: the row names neither.
 */
export function seenRow(raw: unknown): SeenRow | undefined {
  if (isEventRow(raw)) {
    const event = eventAmongDocuments(raw);
    if (event !== undefined) return { events: [event] };
    const untied = keyIn(raw, 'id')?.slice(0, MAX_TEXT);
    return untied === undefined ? undefined : { events: [], untied };
  }
  const document = seenDocument(raw);
  return document && { document, events: relatedEvents(raw, document.id) };
}

/** `productInvoiceEvent`, `transportationInvoiceEvent`, `serviceInvoiceEvent`, their summaries, or the number of the type in CT-e lists (public). */
export function isEventRow(raw: unknown): boolean {
  const type = fieldOf(raw, 'type');
  if (typeof type === 'string' && type !== '') return /event/i.test(type);
  return textIn(raw, 'eventCode') !== undefined || textIn(raw, 'eventType') !== undefined;
}

/** By what an event among the documents is told from others; `undefined`: the row is none. */
export function eventKeyOf({ document, events: [event], untied }: SeenRow): string | undefined {
  return document === undefined ? (untied ?? event?.eventKey) : undefined;
}

function eventAmongDocuments(raw: unknown): SeenEvent | undefined {
  const documentId = keyIn(raw, 'accessKey') ?? keyIn(raw, 'parentAccessKey');
  if (documentId === undefined) return undefined;
  const code = codeOfRow(raw);
  const named = [keyIn(raw, 'eventKey'), keyIn(raw, 'id')].find((key) => key !== undefined && key !== documentId);
  const legal = code === undefined ? undefined : eventIdOf(documentId, code);
  const eventKey = named ?? legal ?? `nsu-${textIn(raw, 'nsu') ?? '0'}`;
  return eventOf(raw, { eventKey, documentId, code });
}

/** Events that the row of an NFS-e names by their ids (public): their own rows may stand elsewhere. */
function relatedEvents(raw: unknown, documentId: string): readonly SeenEvent[] {
  const ids = fieldOf(raw, 'relatedEventIds');
  if (!Array.isArray(ids)) return [];
  const texts = ids.filter((id): id is string => typeof id === 'string' && id !== '' && id !== documentId);
  return texts.slice(0, MOST_EVENTS).map((eventKey) => ({ eventKey: eventKey.slice(0, MAX_TEXT), documentId }));
}

/** More than any note has. */
const MOST_EVENTS = 200;

/** `eventCode`, `eventType` as `E105102`, the type, the Id, or the words of the description. */
function codeOfRow(raw: unknown): EventNumber | undefined {
  const eventKey = keyIn(raw, 'eventKey') ?? keyIn(raw, 'id') ?? '';
  const types = [textIn(raw, 'eventCode'), textIn(raw, 'eventType'), textIn(raw, 'type')];
  const type = types.find((text) => /^e?\d{6}$/i.test(text ?? ''));
  const description = textIn(raw, 'description');
  return (
    codeOfListed({ eventKey, ...(type !== undefined && { type }) }) ??
    codeInWords({ ...(description !== undefined && { description }) })
  );
}

function eventOf(
  raw: unknown,
  {
    eventKey,
    documentId,
    code,
  }: Pick<SeenEvent, 'eventKey' | 'documentId'> & { readonly code: EventNumber | undefined },
): SeenEvent {
  const seen: Mutable<SeenEvent> = { eventKey, documentId };
  for (const name of eventFields) put(seen, name, textIn(raw, name));
  put(seen, 'createdOn', createdTime(raw)?.slice(0, MAX_TEXT));
  const substitute = keyTextIn(raw, 'substituteAccessKey');
  const other = substitute === documentId ? undefined : substitute;
  if (code !== undefined) seen.facts = { ...code, ...(other !== undefined && { substituteKey: other }) };
  return seen;
}

/** The columns of a document out of its metadata, which are not trusted. `undefined`: it names no document. */
export function seenDocument(raw: unknown): SeenDocument | undefined {
  const accessKey = keyTextIn(raw, 'accessKey');
  const id = accessKey ?? keyTextIn(raw, 'id');
  if (id === undefined) return undefined;
  const seen: Mutable<SeenDocument> = { id, data: raw };
  put(seen, 'accessKey', accessKey);
  for (const name of plainFields) put(seen, name, textIn(raw, name));
  put(seen, 'createdOn', createdTime(raw)?.slice(0, MAX_TEXT));
  put(seen, 'modifiedOn', modifiedTime(raw)?.slice(0, MAX_TEXT));
  const issuer = fieldOf(raw, 'issuer') ?? fieldOf(raw, 'provider');
  put(seen, 'issuer', textIn(issuer, 'federalTaxNumber'));
  put(seen, 'issuerName', textIn(issuer, 'name'));
  const taker = fieldOf(raw, 'taker') ?? fieldOf(raw, 'borrower');
  const recipient = fieldOf(raw, 'buyer') ?? taker ?? fieldOf(raw, 'company');
  put(seen, 'recipient', textIn(recipient, 'federalTaxNumber'));
  const amounts = ['totalInvoiceAmount', 'totalAmount', 'servicesAmount'].map((name) => textIn(raw, name));
  put(
    seen,
    'amountText',
    amounts.find((amount) => amount !== undefined),
  );
  return seen;
}

const plainFields = [
  ...(['nsu', 'status', 'webhookStatus', 'type'] as const),
  ...(['issuedOn', 'authorizedOn'] as const),
];

/** The same for an event. Its two keys are text: a number is no key of a document. */
export function seenEvent(raw: unknown): SeenEvent | undefined {
  const [eventKey, documentId] = [keyIn(raw, 'eventKey'), keyIn(raw, 'accessKey')];
  if (eventKey === undefined || documentId === undefined) return undefined;
  return eventOf(raw, { eventKey, documentId, code: codeOfRow(raw) });
}

const eventFields = ['type', 'description', 'nsu', 'issuedOn'] as const;

function keyIn(raw: unknown, name: string): string | undefined {
  return isNumber(fieldOf(raw, name)) ? undefined : keyTextIn(raw, name);
}
