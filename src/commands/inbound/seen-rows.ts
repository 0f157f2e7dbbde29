import { fieldOf } from '../../domain/record.js';
import { createdTime, modifiedTime } from '../../domain/row-times.js';
import type { SeenDocument, SeenEvent } from '../../store/documents.js';
import { isNumber } from '../../domain/json-numbers.js';
import { MAX_TEXT, type Mutable, put, textIn } from '../../services/sync/columns.js';

/** The columns of a document out of its metadata, which are not trusted. `undefined`: it names no document. */
export function seenDocument(raw: unknown): SeenDocument | undefined {
  const id = textIn(raw, 'accessKey') ?? textIn(raw, 'id');
  if (id === undefined) return undefined;
  const seen: Mutable<SeenDocument> = { id, data: raw };
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
  ...(['accessKey', 'nsu', 'status', 'webhookStatus', 'type'] as const),
  ...(['issuedOn', 'authorizedOn'] as const),
];

/** The same for an event. Its two keys are text: a number is no key of a document. */
export function seenEvent(raw: unknown): SeenEvent | undefined {
  const [eventKey, documentId] = [keyIn(raw, 'eventKey'), keyIn(raw, 'accessKey')];
  if (eventKey === undefined || documentId === undefined) return undefined;
  const seen: Mutable<SeenEvent> = { eventKey, documentId };
  for (const name of eventFields) put(seen, name, textIn(raw, name));
  return seen;
}

const eventFields = ['type', 'description', 'nsu', 'issuedOn', 'createdOn'] as const;

function keyIn(raw: unknown, name: string): string | undefined {
  return isNumber(fieldOf(raw, name)) ? undefined : textIn(raw, name);
}
