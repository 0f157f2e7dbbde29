import type { Family, KnownCompany } from '../core/records.js';
import type {
  CteInboundDocument,
  InboundDocument,
  InboundEvent,
  InboundParty,
  NfeInboundDocument,
  NfseInboundDocument,
} from '../../contract/inbound.js';
import type { Core } from '../core/core.js';
import type { StoredEvent } from '../document/document-events.js';
import type { ShownDocument } from '../document/documents.js';
import { recipientOf } from '../xml/layout.js';

const iso = (at: number): string => new Date(at).toISOString();

/** The company of a list; `undefined` if it is deleted. */
export function holderOf(core: Core, companyId: string): KnownCompany | undefined {
  return core.companies.find(core.account.tenantId, companyId);
}

/**
 * The fields of all families, then those of one family. The NSU of an NF-e is text, any other a number (published). The spread comes last: Node 20 adds fields to an object that
 * starts with a spread so slowly that it would take a fifth of the time of a list.
 */
function shown<Own extends object>(
  document: ShownDocument,
  holder: KnownCompany | undefined,
  own: Own,
): InboundDocument & Own {
  const { companyId, nsu } = document;
  return {
    accessKey: document.accessKey,
    companyId,
    status: document.status,
    webhookStatus: document.webhookStatus,
    nsu,
    issuedOn: iso(document.issuedOn),
    authorizedOn: iso(document.authorizedOn),
    createdOn: iso(document.createdOn),
    modifiedOn: iso(document.modifiedOn),
    ...(holder === undefined
      ? {}
      : { company: { id: companyId, federalTaxNumber: holder.federalTaxNumber, name: holder.name } }),
    ...own,
  };
}

function issuerShown({ issuerTaxNumber, issuerName }: ShownDocument): InboundParty {
  return { federalTaxNumber: issuerTaxNumber, name: issuerName };
}

/** Number and series from a key of 44 characters (facts §1). */
function numbersOf({ accessKey }: ShownDocument): { readonly number: string; readonly series: string } {
  return { number: String(Number(accessKey.slice(25, 34))), series: String(Number(accessKey.slice(22, 25))) };
}

/** Empty where the document of a user says none. */
function amountShown({ totalAmount }: ShownDocument): { readonly totalInvoiceAmount?: string } {
  return totalAmount === '' ? {} : { totalInvoiceAmount: totalAmount };
}

function recipientShown(document: ShownDocument, holder: KnownCompany | undefined): InboundParty {
  const { taxNumber, name } = recipientOf(document, holder);
  return { ...(taxNumber === '' ? {} : { federalTaxNumber: taxNumber }), ...(name === '' ? {} : { name }) };
}

export function showNfe(document: ShownDocument, holder: KnownCompany | undefined): NfeInboundDocument {
  const { number, series } = numbersOf(document);
  const isSummary = document.stage === 'summary';
  const path = `/v2/companies/${document.companyId}/inbound/nfe/${encodeURIComponent(document.accessKey)}`;
  return shown(document, holder, {
    nsu: document.nsu === null ? null : String(document.nsu),
    issuer: issuerShown(document),
    type: isSummary ? 'productInvoiceSummary' : 'productInvoice',
    buyer: recipientShown(document, holder),
    nfeNumber: number,
    nfeSerialNumber: series,
    ...amountShown(document),
    operationType: document.direction === 'incoming' ? 'Incoming' : 'Outgoing',
    links: isSummary ? { xml: `${path}/xml` } : { xml: `${path}/xml`, pdf: `${path}/pdf` },
  });
}

export function showCte(document: ShownDocument, holder: KnownCompany | undefined): CteInboundDocument {
  const { number, series } = numbersOf(document);
  return shown(document, holder, {
    issuer: issuerShown(document),
    type: 'transportationInvoice',
    taker: recipientShown(document, holder),
    cteNumber: number,
    cteSerialNumber: series,
    ...amountShown(document),
    links: { xml: `/v2/companies/${document.companyId}/inbound/${encodeURIComponent(document.accessKey)}/xml` },
  });
}

function intermediaryShown({
  intermediaryTaxNumber,
  intermediaryName,
}: ShownDocument): Pick<NfseInboundDocument, 'intermediary'> {
  if (intermediaryTaxNumber === null) return {};
  const name = intermediaryName === null ? {} : { name: intermediaryName };
  return { intermediary: { federalTaxNumber: intermediaryTaxNumber, ...name } };
}

type ShownNfse = Omit<NfseInboundDocument, 'accessKey'> & Partial<Pick<NfseInboundDocument, 'accessKey'>>;

/**
 * Under the published names; the lists by OData sort by `createdOn` and `modifiedOn`, so those are there as well. A note of a
 * municipal layout has no key.
 */
export function showNfse(
  { documentEvents }: Core,
  document: ShownDocument,
  holder: KnownCompany | undefined,
): ShownNfse {
  const { id, number, totalAmount } = document;
  const { accessKey, ...row } = shown(document, holder, {
    type: 'serviceInvoice',
    number: number ?? String(Number(document.accessKey.slice(23, 36))),
    provider: issuerShown(document),
    borrower: recipientShown(document, holder),
    ...intermediaryShown(document),
    ...(totalAmount === '' ? {} : { servicesAmount: Number(totalAmount) }),
    createdAt: iso(document.createdOn),
    updatedAt: iso(document.modifiedOn),
    relatedEventIds: documentEvents.ofDocument(document.companyId, document.accessKey).map(({ eventKey }) => eventKey),
  });
  return { id, ...(number === null ? { accessKey } : {}), ...row };
}

/** A note of any family. */
export function showNote(
  core: Core,
  document: ShownDocument & { readonly family: Family },
  holder: KnownCompany | undefined,
): object {
  switch (document.family) {
    case 'nfe':
      return showNfe(document, holder);
    case 'cte':
      return showCte(document, holder);
    case 'nfse':
      return showNfse(core, document, holder);
  }
}

/** An event of an NFS-e is a document of its own (public), read by its id. The parties are those of its note, where it is here. */
export function showNfseEvent(
  { documents }: Core,
  event: StoredEvent,
  holder: KnownCompany | undefined,
): NfseInboundDocument {
  const { companyId, accessKey, type, detail } = event;
  const { substituteAccessKey } = detail;
  const note = documents.get(accessKey, companyId);
  const author = event.author ?? accessKey.slice(9, 23);
  return {
    id: event.eventKey,
    accessKey,
    companyId,
    type: 'serviceInvoiceEvent',
    eventType: `E${type}`,
    eventCode: type,
    ...(typeof substituteAccessKey === 'string' ? { substituteAccessKey } : {}),
    description: event.description,
    status: 'Processed',
    webhookStatus: 'Skipped',
    nsu: event.nsu,
    issuedOn: iso(event.issuedOn),
    createdOn: iso(event.createdOn),
    modifiedOn: iso(event.createdOn),
    createdAt: iso(event.createdOn),
    updatedAt: iso(event.createdOn),
    ...(note === undefined
      ? { provider: { federalTaxNumber: author } }
      : { provider: issuerShown(note), borrower: recipientShown(note, holder) }),
    ...(holder === undefined
      ? {}
      : { company: { id: companyId, federalTaxNumber: holder.federalTaxNumber, name: holder.name } }),
  };
}

const noteTypes = { nfe: 'productInvoice', cte: 'transportationInvoice' } as const;

/** An event as a row among the notes: its key is that of its note (public). */
export function showEventRow(
  { documents, givenXml }: Core,
  event: StoredEvent,
  holder: KnownCompany | undefined,
): InboundDocument & { readonly parentAccessKey: string; readonly description: string } {
  const { family, accessKey, companyId, eventKey, nsu } = event;
  if (family === 'nfse') throw new Error('the events of NFS-e have rows of their own');
  const note = documents.get(accessKey, companyId);
  const isFull = givenXml.get({ companyId, part: 'full', of: eventKey }) !== undefined;
  const isSummary = !isFull && givenXml.get({ companyId, part: 'summary', of: eventKey }) !== undefined;
  const xml = `/v2/companies/${companyId}/inbound/${accessKey}/events/${eventKey}/xml`;
  return {
    accessKey,
    parentAccessKey: accessKey,
    companyId,
    type: `${noteTypes[family]}Event${isSummary ? 'Summary' : ''}`,
    description: event.description,
    status: 'Processed',
    webhookStatus: 'Skipped',
    nsu: nsu === null || family === 'cte' ? nsu : String(nsu),
    issuedOn: iso(event.issuedOn),
    createdOn: iso(event.createdOn),
    modifiedOn: iso(event.createdOn),
    ...(note === undefined ? {} : { issuer: issuerShown(note) }),
    ...(holder === undefined
      ? {}
      : { company: { id: companyId, federalTaxNumber: holder.federalTaxNumber, name: holder.name } }),
    links: { xml },
  };
}

export function showEvent(event: StoredEvent): InboundEvent {
  return {
    eventKey: event.eventKey,
    accessKey: event.accessKey,
    companyId: event.companyId,
    type: event.type,
    description: event.description,
    sequence: event.sequence,
    protocol: event.protocol,
    nsu: event.nsu,
    issuedOn: iso(event.issuedOn),
    receiptOn: iso(event.issuedOn),
    createdOn: iso(event.createdOn),
  };
}
