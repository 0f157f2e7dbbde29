import type { SeenDocument, SeenEvent } from '../../store/documents.js';

/** Longest text of a field that is kept in a column; the metadata keep all of it. */
const MAX_TEXT = 500;
/** Metadata larger than this are no metadata. */
const MAX_DATA = 64 * 1024;

/** The columns of a document out of its metadata, which are not trusted. `undefined`: it names no document. */
export function seenDocument(raw: unknown): SeenDocument | undefined {
  const fields = fieldsOf(raw);
  const id = textOf(fields.get('accessKey')) ?? textOf(fields.get('id'));
  if (id === undefined) return undefined;
  const issuer = fieldsOf(fields.get('issuer'));
  const recipient = fieldsOf(fields.get('buyer') ?? fields.get('taker') ?? fields.get('company'));
  const amount = fields.get('totalInvoiceAmount') ?? fields.get('totalAmount');
  const others: ReadonlyMap<string, unknown> = new Map([
    ['issuer', issuer.get('federalTaxNumber')],
    ['issuerName', issuer.get('name')],
    ['recipient', recipient.get('federalTaxNumber')],
    ['amountText', amount],
  ]);
  return {
    id,
    ...texts(fields, ['accessKey', 'nsu', 'status', 'webhookStatus', 'type']),
    ...texts(others, ['issuer', 'issuerName', 'recipient', 'amountText']),
    ...texts(fields, ['issuedOn', 'authorizedOn', 'createdOn', 'modifiedOn']),
    data: dataOf(raw),
  };
}

/** The same for an event. */
export function seenEvent(raw: unknown): SeenEvent | undefined {
  const fields = fieldsOf(raw);
  const eventKey = textOf(fields.get('eventKey'));
  const documentId = textOf(fields.get('accessKey'));
  if (eventKey === undefined || documentId === undefined) return undefined;
  const told = texts(fields, ['type', 'description', 'nsu', 'issuedOn', 'createdOn']);
  return { eventKey, documentId, ...told };
}

function texts<Name extends string>(
  fields: ReadonlyMap<string, unknown>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = textOf(fields.get(name));
    if (text !== undefined) found[name] = text;
  }
  return found;
}

export function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text.slice(0, MAX_TEXT) : undefined;
}

function dataOf(raw: unknown): unknown {
  const text = JSON.stringify(raw);
  return text.length > MAX_DATA ? { tooLarge: text.length } : raw;
}
