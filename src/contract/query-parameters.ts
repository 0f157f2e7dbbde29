import type { OperationId } from './operations.js';
import { dateTime, flag, oneOf, type Schema, text, whole, wholeFrom } from './schema.js';

/** The parameters in the query of an operation, by name. */
export interface QueryParameters {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, Schema>>;
}

const cursor = { startingAfter: text, endingBefore: text, limit: wholeFrom(1) };
const numbered = { pageIndex: wholeFrom(1), pageCount: wholeFrom(0) };
const odata = {
  $filter: text,
  $top: wholeFrom(1, 1_000),
  $skip: wholeFrom(0),
  $skiptoken: whole,
  $orderby: text,
  $select: text,
  $count: flag,
};
const invoices = {
  required: ['environment'],
  properties: { environment: oneOf('None', 'Production', 'Test'), q: text, ...cursor },
};
/** Of the events and the items of an invoice: the position is a number. */
const events = { properties: { limit: wholeFrom(1), startingAfter: whole } };
const reason = { properties: { reason: text } };
const forced = { properties: { force: flag } };
/** The routes of OData require a filter. */
const filtered = { required: ['$filter'], properties: odata };

/**
 * The query of each operation that has one (public; the names of the inbound lists come from §1, which names OData). A
 * service ignores what it does not know.
 */
export const queryParameters: { readonly [Id in OperationId]?: QueryParameters } = {
  'nfe.manifestation.legacy': { properties: { tpEvent: whole } },
  'nfse.manifestation.submit': { required: ['eventCode'], properties: { eventCode: whole } },
  'nfe.inbound.list': { properties: odata },
  'nfe.inbound.events': filtered,
  'cte.inbound.list': filtered,
  'cte.inbound.events': filtered,
  'nfse.inbound.companies': { properties: { ...numbered, isActive: flag } },
  'nfse.inbound.list': {
    properties: {
      ...numbered,
      environment: oneOf('Production', 'Development'),
      ...{ type: text, eventType: text, status: text, webhookStatus: text, federalTaxNumber: text },
      ...{ nsuBegin: wholeFrom(0), nsuEnd: wholeFrom(0), hasTotals: flag },
      ...{ createdBegin: dateTime, createdEnd: dateTime, issuedBegin: dateTime, issuedEnd: dateTime },
      ...odata,
    },
  },
  'nfse.notifications': { properties: { ...numbered, severity: oneOf('Info', 'Warning', 'Critical'), type: text } },
  'nfe.list': invoices,
  'nfe.cancel': reason,
  'nfe.events': events,
  'nfe.pdf': forced,
  'nfce.list': invoices,
  'nfe.disableInvoice': reason,
  'nfce.cancel': reason,
  'nfce.events': events,
  'nfce.pdf': forced,
  // Published without a reason; the sandbox shows it (assumed).
  'nfse.cancel': reason,
  'nfse.list': {
    properties: {
      ...numbered,
      ...{ issuedBegin: text, issuedEnd: text, createdBegin: text, createdEnd: text, hasTotals: flag },
    },
  },
  'company.list': { properties: cursor },
  'stateTax.list': { properties: cursor },
  'municipalTax.list': { properties: cursor },
  'certificate.list': { properties: { status: text } },
  'tax.codes': { properties: numbered },
  'lookup.cnpj': { properties: { updateAddress: flag, updateCityCode: flag } },
};
