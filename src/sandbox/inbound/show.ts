import type {
  CteInboundDocument,
  InboundDocument,
  InboundEvent,
  NfeInboundDocument,
  NfseInboundDocument,
} from '../../contract/inbound.js';
import type { Core } from '../core/core.js';
import type { StoredEvent } from '../document/document-events.js';
import type { StoredDocument } from '../document/documents.js';
import { partiesOf } from '../xml/document-xml.js';

const iso = (at: number): string => new Date(at).toISOString();

function shownCommon(core: Core, document: StoredDocument): InboundDocument {
  const { companyId } = document;
  const company = core.companies.find(core.account.tenantId, companyId);
  return {
    accessKey: document.accessKey,
    companyId,
    status: document.status,
    webhookStatus: document.webhookStatus,
    nsu: document.nsu === null ? null : String(document.nsu),
    issuedOn: iso(document.issuedOn),
    authorizedOn: iso(document.authorizedOn),
    createdOn: iso(document.createdOn),
    modifiedOn: iso(document.modifiedOn),
    ...(company === undefined
      ? {}
      : { company: { id: companyId, federalTaxNumber: company.federalTaxNumber, name: company.name } }),
    issuer: { federalTaxNumber: document.issuerTaxNumber, name: document.issuerName },
  };
}

/** Number and series as they stand in a key of 44 characters (facts §1). */
function numbersOf({ accessKey }: StoredDocument): { readonly number: string; readonly series: string } {
  return { number: String(Number(accessKey.slice(25, 34))), series: String(Number(accessKey.slice(22, 25))) };
}

export function showNfe(core: Core, document: StoredDocument): NfeInboundDocument {
  const { number, series } = numbersOf(document);
  const { recipient } = partiesOf(core, document);
  const path = `/v2/companies/${document.companyId}/inbound/nfe/${encodeURIComponent(document.accessKey)}`;
  return {
    ...shownCommon(core, document),
    type: 'productInvoice',
    buyer: { federalTaxNumber: recipient.taxNumber, name: recipient.name },
    nfeNumber: number,
    nfeSerialNumber: series,
    totalInvoiceAmount: document.totalAmount,
    operationType: document.direction === 'incoming' ? 'Incoming' : 'Outgoing',
    links: { xml: `${path}/xml`, pdf: `${path}/pdf` },
  };
}

export function showCte(core: Core, document: StoredDocument): CteInboundDocument {
  const { number, series } = numbersOf(document);
  const { recipient } = partiesOf(core, document);
  return {
    ...shownCommon(core, document),
    type: 'transportationInvoice',
    taker: { federalTaxNumber: recipient.taxNumber, name: recipient.name },
    cteNumber: number,
    cteSerialNumber: series,
    totalInvoiceAmount: document.totalAmount,
    links: {
      xml: `/v2/companies/${document.companyId}/inbound/${encodeURIComponent(document.accessKey)}/xml`,
    },
  };
}

export function showNfse(core: Core, document: StoredDocument): NfseInboundDocument {
  const { recipient } = partiesOf(core, document);
  return {
    id: document.id,
    ...shownCommon(core, document),
    type: 'serviceInvoice',
    number: String(Number(document.accessKey.slice(23, 36))),
    taker: { federalTaxNumber: recipient.taxNumber, name: recipient.name },
    totalAmount: document.totalAmount,
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
    nsu: event.nsu === null ? null : String(event.nsu),
    issuedOn: iso(event.issuedOn),
    createdOn: iso(event.createdOn),
  };
}
