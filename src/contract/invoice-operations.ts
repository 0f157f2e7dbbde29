import { commonRow } from './common-row.js';
import type { Operation } from './operation.js';

const read = { method: 'GET', ...commonRow, mark: 'public' } as const;
/** A repeat gets the same answer or a refusal; the status of the invoice shows the outcome (assumed). */
const change = { ...read, success: [202, 200, 204], replay: 'natural' } as const;

/** The short form of the service document: one path for every kind of invoice (§4). */
export const generalInvoiceOperations = {
  'invoice.create': {
    ...read,
    summary: { en: 'Issue an invoice', pt: 'Emite uma nota fiscal' },
    method: 'POST',
    path: '/v2/nota-fiscal',
    success: [201, 202, 200],
    replay: 'keyed',
    mark: 'doc §4',
  },
  'invoice.get': {
    ...read,
    summary: { en: 'Read an invoice', pt: 'Lê uma nota fiscal' },
    path: '/v2/nota-fiscal/{id}',
    mark: 'doc §4',
  },
} as const satisfies Record<string, Operation>;

const products = '/v2/companies/{companyId}/productinvoices';
const consumers = '/v2/companies/{companyId}/consumerinvoices';
/** Below one of several state registrations of the company (public). */
const below = '/v2/companies/{companyId}/statetaxes/{stateTaxId}';
const services = '/v1/companies/{companyId}/serviceinvoices';

/** Product invoices, model 55 (§1 names them; paths public). */
export const productInvoiceOperations = {
  'nfe.issue': {
    ...read,
    summary: { en: 'Issue an NF-e', pt: 'Emite uma NF-e' },
    method: 'POST',
    path: products,
    success: [202, 200, 201],
    replay: 'unsafe',
    billed: 'engine',
  },
  'nfe.stateTax.issue': {
    ...read,
    summary: { en: 'Issue an NF-e below a state registration', pt: 'Emite uma NF-e por uma inscrição estadual' },
    method: 'POST',
    path: `${below}/productinvoices`,
    success: [202, 200, 201],
    replay: 'unsafe',
    billed: 'engine',
  },
  'nfe.list': { ...read, summary: { en: 'List the issued NF-e', pt: 'Lista as NF-e emitidas' }, path: products },
  'nfe.get': {
    ...read,
    summary: { en: 'Read an issued NF-e', pt: 'Lê uma NF-e emitida' },
    path: `${products}/{invoiceId}`,
  },
  'nfe.cancel': {
    ...change,
    summary: { en: 'Cancel an NF-e', pt: 'Cancela uma NF-e' },
    method: 'DELETE',
    path: `${products}/{invoiceId}`,
  },
  'nfe.events': {
    ...read,
    summary: { en: 'List the events of an issued NF-e', pt: 'Lista os eventos de uma NF-e emitida' },
    path: `${products}/{invoiceId}/events`,
  },
  'nfe.pdf': {
    ...read,
    summary: { en: 'Read the PDF of an issued NF-e', pt: 'Lê o PDF de uma NF-e emitida' },
    path: `${products}/{invoiceId}/pdf`,
    success: [200, 202],
  },
  'nfe.xml': {
    ...read,
    summary: { en: 'Read the XML of an issued NF-e', pt: 'Lê o XML de uma NF-e emitida' },
    path: `${products}/{invoiceId}/xml`,
    success: [200, 202],
  },
  'nfe.correct': {
    ...change,
    summary: { en: 'Send a correction letter of an NF-e', pt: 'Envia a carta de correção de uma NF-e' },
    method: 'PUT',
    path: `${products}/{invoiceId}/correctionletter`,
    replay: 'unsafe',
  },
  'nfe.letter.xml': {
    ...read,
    summary: { en: 'Read the XML of a correction letter', pt: 'Lê o XML de uma carta de correção' },
    path: `${products}/{invoiceId}/correctionletter/xml`,
    success: [200, 202],
  },
  'nfe.letter.pdf': {
    ...read,
    summary: { en: 'Read the PDF of a correction letter', pt: 'Lê o PDF de uma carta de correção' },
    path: `${products}/{invoiceId}/correctionletter/pdf`,
    success: [200, 202],
  },
  'nfe.rejection.xml': {
    ...read,
    summary: { en: 'Read the XML of the rejection of an NF-e', pt: 'Lê o XML da rejeição de uma NF-e' },
    path: `${products}/{invoiceId}/xml-rejection`,
    success: [200, 202],
  },
  'nfe.disable': {
    ...change,
    summary: { en: 'Disable numbers of NF-e', pt: 'Inutiliza números de NF-e' },
    method: 'POST',
    path: `${products}/disablement`,
  },
  'nfe.disableInvoice': {
    ...change,
    summary: { en: 'Disable the number of one failed NF-e', pt: 'Inutiliza o número de uma NF-e que falhou' },
    method: 'POST',
    path: `${products}/{invoiceId}/disablement`,
    success: [204, 200, 202],
  },
} as const satisfies Record<string, Operation>;

/** Consumer invoices, model 65 (§1 names them; paths public). */
export const consumerInvoiceOperations = {
  'nfce.issue': {
    ...read,
    summary: { en: 'Issue an NFC-e', pt: 'Emite uma NFC-e' },
    method: 'POST',
    path: consumers,
    success: [200, 202, 201],
    replay: 'unsafe',
    billed: 'engine',
  },
  'nfce.stateTax.issue': {
    ...read,
    summary: { en: 'Issue an NFC-e below a state registration', pt: 'Emite uma NFC-e por uma inscrição estadual' },
    method: 'POST',
    path: `${below}/consumerinvoices`,
    success: [200, 202, 201],
    replay: 'unsafe',
    billed: 'engine',
  },
  'nfce.list': { ...read, summary: { en: 'List the issued NFC-e', pt: 'Lista as NFC-e emitidas' }, path: consumers },
  'nfce.get': {
    ...read,
    summary: { en: 'Read an issued NFC-e', pt: 'Lê uma NFC-e emitida' },
    path: `${consumers}/{invoiceId}`,
  },
  'nfce.cancel': {
    ...change,
    summary: { en: 'Cancel an NFC-e', pt: 'Cancela uma NFC-e' },
    method: 'DELETE',
    path: `${consumers}/{invoiceId}`,
  },
  'nfce.events': {
    ...read,
    summary: { en: 'List the events of an issued NFC-e', pt: 'Lista os eventos de uma NFC-e emitida' },
    path: `${consumers}/{invoiceId}/events`,
  },
  'nfce.pdf': {
    ...read,
    summary: { en: 'Read the PDF of an issued NFC-e', pt: 'Lê o PDF de uma NFC-e emitida' },
    path: `${consumers}/{invoiceId}/pdf`,
    success: [200, 202],
  },
  'nfce.xml': {
    ...read,
    summary: { en: 'Read the XML of an issued NFC-e', pt: 'Lê o XML de uma NFC-e emitida' },
    path: `${consumers}/{invoiceId}/xml`,
    success: [200, 202],
  },
  'nfce.rejection.xml': {
    ...read,
    summary: { en: 'Read the XML of the rejection of an NFC-e', pt: 'Lê o XML da rejeição de uma NFC-e' },
    path: `${consumers}/{invoiceId}/xml/rejection`,
    success: [200, 202],
  },
  'nfce.disable': {
    ...change,
    summary: { en: 'Disable numbers of NFC-e', pt: 'Inutiliza números de NFC-e' },
    method: 'POST',
    path: `${consumers}/disablement`,
  },
} as const satisfies Record<string, Operation>;

const service = { ...read, host: 'service' } as const;

/** Service invoices: the RPS or DPS becomes an NFS-e (§1 names them; paths public). */
export const serviceInvoiceOperations = {
  'nfse.issue': {
    ...service,
    summary: { en: 'Issue an NFS-e', pt: 'Emite uma NFS-e' },
    method: 'POST',
    path: services,
    success: [202, 200, 201],
    replay: 'unsafe',
  },
  'nfse.list': { ...service, summary: { en: 'List the issued NFS-e', pt: 'Lista as NFS-e emitidas' }, path: services },
  'nfse.get': {
    ...service,
    summary: { en: 'Read an issued NFS-e', pt: 'Lê uma NFS-e emitida' },
    path: `${services}/{id}`,
  },
  'nfse.getByExternalId': {
    ...service,
    summary: { en: 'Find an NFS-e by your own id', pt: 'Encontra uma NFS-e pelo seu próprio id' },
    path: `${services}/external/{externalId}`,
  },
  'nfse.cancel': {
    ...service,
    summary: { en: 'Cancel an NFS-e', pt: 'Cancela uma NFS-e' },
    method: 'DELETE',
    path: `${services}/{id}`,
    success: [202, 200, 204],
    replay: 'natural',
  },
  'nfse.email': {
    ...service,
    summary: { en: 'Send an NFS-e to its taker by e-mail', pt: 'Envia uma NFS-e ao tomador por e-mail' },
    method: 'PUT',
    path: `${services}/{id}/sendemail`,
    success: [202, 200, 204],
    replay: 'unsafe',
  },
  'nfse.pdf': {
    ...service,
    summary: { en: 'Read the PDF of an issued NFS-e', pt: 'Lê o PDF de uma NFS-e emitida' },
    path: `${services}/{id}/pdf`,
    success: [200, 202],
  },
  'nfse.cancellation.xml': {
    ...service,
    summary: { en: 'Read the XML of the cancellation of an NFS-e', pt: 'Lê o XML do cancelamento de uma NFS-e' },
    path: `${services}/{id}/cancellation-xml`,
    success: [200, 202],
  },
  'nfse.xml': {
    ...service,
    summary: { en: 'Read the XML of an issued NFS-e', pt: 'Lê o XML de uma NFS-e emitida' },
    path: `${services}/{id}/xml`,
    success: [200, 202],
  },
} as const satisfies Record<string, Operation>;
