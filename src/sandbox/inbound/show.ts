import type { KnownCompany } from '../core/companies.js';
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

export type HolderService = Pick<Core, 'account' | 'companies'>;

const iso = (at: number): string => new Date(at).toISOString();

/** The company of a list; `undefined` if it is deleted. */
export function holderOf(core: HolderService, companyId: string): KnownCompany | undefined {
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
    totalInvoiceAmount: document.totalAmount,
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
    totalInvoiceAmount: document.totalAmount,
    links: {
      xml: `/v2/companies/${document.companyId}/inbound/${encodeURIComponent(document.accessKey)}/xml`,
    },
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

/** Under the published names; the lists by OData sort by `createdOn` and `modifiedOn`, so those are there as well. */
export function showNfse(document: ShownDocument, holder: KnownCompany | undefined): NfseInboundDocument {
  return {
    id: document.id,
    ...shown(document, holder, {
      type: 'serviceInvoice',
      number: String(Number(document.accessKey.slice(23, 36))),
      provider: issuerShown(document),
      borrower: recipientShown(document, holder),
      ...intermediaryShown(document),
      servicesAmount: Number(document.totalAmount),
      createdAt: iso(document.createdOn),
      updatedAt: iso(document.modifiedOn),
    }),
  };
}

/** An event of an NFS-e is a document of its own (public), read by its id. */
export function showNfseEvent(event: StoredEvent, holder: KnownCompany | undefined): NfseInboundDocument {
  const { companyId, author } = event;
  return {
    id: event.eventKey,
    accessKey: event.accessKey,
    companyId,
    type: 'serviceInvoiceEvent',
    eventCode: event.type,
    description: event.description,
    status: 'Processed',
    webhookStatus: 'Skipped',
    nsu: event.nsu,
    issuedOn: iso(event.issuedOn),
    createdOn: iso(event.createdOn),
    modifiedOn: iso(event.createdOn),
    createdAt: iso(event.createdOn),
    updatedAt: iso(event.createdOn),
    ...(author === null ? {} : { provider: { federalTaxNumber: author } }),
    ...(holder === undefined
      ? {}
      : { company: { id: companyId, federalTaxNumber: holder.federalTaxNumber, name: holder.name } }),
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
