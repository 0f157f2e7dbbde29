import { commonRow } from './common-row.js';
import type { Operation } from './operation.js';

const read = { ...commonRow, method: 'GET' } as const;
const nfe = { ...read, role: 'NFeDist' } as const;
const cte = { ...read, role: 'CTeDist' } as const;

const nfeSettings = '/v2/companies/{companyId}/inbound/productinvoices';
const cteSettings = '/v2/companies/{companyId}/inbound/transportationinvoices';

/**
 * Inbound of NF-e and CT-e. `mark` tells which rows the service document shows and which it only names as a family.
 */
export const invoiceInboundOperations = {
  'nfe.inbound.enable': {
    ...nfe,
    summary: { en: 'Enable the capture of NF-e', pt: 'Habilita a captura de NF-e' },
    method: 'POST',
    path: nfeSettings,
    replay: 'natural',
    mark: 'public',
  },
  'nfe.inbound.settings': {
    ...nfe,
    summary: { en: 'Read the capture settings of NF-e', pt: 'Lê a configuração de captura de NF-e' },
    path: nfeSettings,
    mark: 'public',
  },
  'nfe.inbound.update': {
    ...nfe,
    summary: { en: 'Change the capture settings of NF-e', pt: 'Altera a configuração de captura de NF-e' },
    method: 'PUT',
    path: nfeSettings,
    replay: 'unsafe',
    mark: 'assumed',
  },
  'nfe.inbound.disable': {
    ...nfe,
    summary: { en: 'Disable the capture of NF-e', pt: 'Desabilita a captura de NF-e' },
    method: 'DELETE',
    path: nfeSettings,
    success: [200, 204],
    mark: 'public',
  },
  'nfe.inbound.list': {
    ...nfe,
    summary: { en: 'List the captured NF-e', pt: 'Lista as NF-e capturadas' },
    path: '/v2/companies/{companyId}/inbound/nfe',
    mark: 'doc §4',
  },
  'nfe.inbound.get': {
    ...nfe,
    summary: { en: 'Read the metadata of a captured NF-e', pt: 'Lê os metadados de uma NF-e capturada' },
    path: '/v2/companies/{companyId}/inbound/nfe/{accessKey}',
    mark: 'doc §4',
  },
  'nfe.inbound.xml': {
    ...nfe,
    summary: { en: 'Read the XML of a captured NF-e', pt: 'Lê o XML de uma NF-e capturada' },
    path: '/v2/companies/{companyId}/inbound/nfe/{accessKey}/xml',
    mark: 'public',
  },
  'nfe.inbound.pdf': {
    ...nfe,
    summary: { en: 'Read the PDF of a captured NF-e', pt: 'Lê o PDF de uma NF-e capturada' },
    path: '/v2/companies/{companyId}/inbound/nfe/{accessKey}/pdf',
    // 204: a summary has no PDF (assumed, as published of a CT-e).
    success: [200, 202, 204],
    mark: 'public',
  },
  'nfe.inbound.json': {
    ...nfe,
    summary: { en: 'Read a captured NF-e as JSON', pt: 'Lê uma NF-e capturada como JSON' },
    path: '/v2/companies/{companyId}/inbound/productinvoices/{accessKey}/json',
    mark: 'public',
  },
  'nfe.inbound.events': {
    ...nfe,
    summary: { en: 'List the events of captured NF-e', pt: 'Lista os eventos de NF-e capturadas' },
    path: '/v2/companies/{companyId}/inbound/odata/ProductInvoiceEvents',
    mark: 'public',
  },
  'nfe.inbound.event.get': {
    ...nfe,
    summary: { en: 'Read an event of a captured NF-e', pt: 'Lê um evento de uma NF-e capturada' },
    path: '/v2/companies/{companyId}/inbound/{accessKey}/events/{eventKey}',
    mark: 'public',
  },
  'nfe.inbound.event.xml': {
    ...nfe,
    summary: { en: 'Read the XML of an event of an NF-e', pt: 'Lê o XML de um evento de uma NF-e' },
    path: '/v2/companies/{companyId}/inbound/{accessKey}/events/{eventKey}/xml',
    mark: 'public',
  },
  'nfe.inbound.reprocessWebhook': {
    ...nfe,
    summary: { en: 'Send the webhook of an NF-e again', pt: 'Envia de novo o webhook de uma NF-e' },
    method: 'POST',
    path: '/v2/companies/{companyId}/inbound/productinvoices/{accessKeyOrNsu}/processwebhook',
    success: [200, 202],
    mark: 'public',
  },
  'cte.inbound.enable': {
    ...cte,
    summary: { en: 'Enable the capture of CT-e', pt: 'Habilita a captura de CT-e' },
    method: 'POST',
    path: cteSettings,
    replay: 'natural',
    mark: 'public',
  },
  'cte.inbound.settings': {
    ...cte,
    summary: { en: 'Read the capture settings of CT-e', pt: 'Lê a configuração de captura de CT-e' },
    path: cteSettings,
    mark: 'public',
  },
  'cte.inbound.disable': {
    ...cte,
    summary: { en: 'Disable the capture of CT-e', pt: 'Desabilita a captura de CT-e' },
    method: 'DELETE',
    path: cteSettings,
    success: [200, 204],
    mark: 'public',
  },
  'cte.inbound.list': {
    ...cte,
    summary: { en: 'List the captured CT-e', pt: 'Lista os CT-e capturados' },
    path: '/v2/companies/{companyId}/inbound/odata/TransportationInvoices',
    mark: 'public',
  },
  'cte.inbound.get': {
    ...cte,
    summary: { en: 'Read the metadata of a captured CT-e', pt: 'Lê os metadados de um CT-e capturado' },
    path: '/v2/companies/{companyId}/inbound/{accessKey}',
    mark: 'public',
  },
  'cte.inbound.xml': {
    ...cte,
    summary: { en: 'Read the XML of a captured CT-e', pt: 'Lê o XML de um CT-e capturado' },
    path: '/v2/companies/{companyId}/inbound/{accessKey}/xml',
    mark: 'public',
  },
  'cte.inbound.pdf': {
    ...cte,
    summary: {
      en: 'Request the PDF of a CT-e (the service has none)',
      pt: 'Solicita o PDF de um CT-e (o serviço não tem)',
    },
    path: '/v2/companies/{companyId}/inbound/{accessKey}/pdf',
    success: [204, 200],
    mark: 'public',
  },
  'cte.inbound.events': {
    ...cte,
    summary: { en: 'List the events of captured CT-e', pt: 'Lista os eventos de CT-e capturados' },
    path: '/v2/companies/{companyId}/inbound/odata/TransportationInvoiceEvents',
    mark: 'public',
  },
  'cte.inbound.event.get': {
    ...cte,
    summary: { en: 'Read an event of a captured CT-e', pt: 'Lê um evento de um CT-e capturado' },
    path: '/v2/companies/{companyId}/inbound/{accessKey}/events/{eventKey}',
    mark: 'public',
  },
  'cte.inbound.event.xml': {
    ...cte,
    summary: { en: 'Read the XML of an event of a CT-e', pt: 'Lê o XML de um evento de um CT-e' },
    path: '/v2/companies/{companyId}/inbound/{accessKey}/events/{eventKey}/xml',
    mark: 'public',
  },
} as const satisfies Record<string, Operation>;

const nfse = { ...read, role: 'NFSeDist' } as const;
const registration = '/v2/companies/inbound/nfse';
const details = '/v2/companies/{companyId}/inbound/nfse/details';

/** Inbound of NFS-e. */
export const serviceInboundOperations = {
  'nfse.inbound.enable': {
    ...nfse,
    summary: { en: 'Enable the capture of NFS-e', pt: 'Habilita a captura de NFS-e' },
    method: 'POST',
    path: registration,
    success: [201, 200],
    replay: 'natural',
    mark: 'public',
  },
  'nfse.inbound.companies': {
    ...nfse,
    summary: { en: 'List the companies that capture NFS-e', pt: 'Lista as empresas que capturam NFS-e' },
    path: registration,
    mark: 'public',
  },
  'nfse.inbound.settings': {
    ...nfse,
    summary: { en: 'Read the capture settings of NFS-e', pt: 'Lê a configuração de captura de NFS-e' },
    path: details,
    mark: 'public',
  },
  'nfse.inbound.update': {
    ...nfse,
    summary: { en: 'Change the capture settings of NFS-e', pt: 'Altera a configuração de captura de NFS-e' },
    method: 'PUT',
    path: details,
    replay: 'unsafe',
    mark: 'public',
  },
  'nfse.inbound.disable': {
    ...nfse,
    summary: { en: 'Disable the capture of NFS-e', pt: 'Desabilita a captura de NFS-e' },
    method: 'DELETE',
    path: details,
    success: [200, 204],
    mark: 'public',
  },
  'nfse.inbound.list': {
    ...nfse,
    summary: { en: 'List the captured NFS-e', pt: 'Lista as NFS-e capturadas' },
    path: '/v2/companies/{companyId}/inbound/nfse',
    mark: 'public',
  },
  'nfse.inbound.get': {
    ...nfse,
    summary: { en: 'Read the metadata of a captured NFS-e', pt: 'Lê os metadados de uma NFS-e capturada' },
    path: '/v2/companies/{companyId}/inbound/nfse/{idOrAccessKey}',
    mark: 'public',
  },
  'nfse.inbound.xml': {
    ...nfse,
    summary: { en: 'Read the XML of a captured NFS-e', pt: 'Lê o XML de uma NFS-e capturada' },
    path: '/v2/companies/{companyId}/inbound/nfse/{idOrAccessKey}/xml',
    mark: 'public',
  },
  'nfse.inbound.pdf': {
    ...nfse,
    summary: { en: 'Read the PDF of a captured NFS-e', pt: 'Lê o PDF de uma NFS-e capturada' },
    path: '/v2/companies/{companyId}/inbound/nfse/{idOrAccessKey}/pdf',
    success: [200, 202],
    mark: 'public',
  },
  'nfse.inbound.json': {
    ...nfse,
    summary: { en: 'Read a captured NFS-e as JSON', pt: 'Lê uma NFS-e capturada como JSON' },
    path: '/v2/companies/{companyId}/inbound/nfse/{idOrAccessKey}/json',
    mark: 'public',
  },
  'nfse.inbound.reprocess': {
    ...nfse,
    summary: { en: 'Process a captured NFS-e again', pt: 'Processa de novo uma NFS-e capturada' },
    method: 'POST',
    path: '/v2/companies/{companyId}/inbound/nfse/{id}/reprocess',
    success: [202],
    mark: 'public',
  },
  'nfse.inbound.resendWebhook': {
    ...nfse,
    summary: { en: 'Send the webhook of an NFS-e again', pt: 'Envia de novo o webhook de uma NFS-e' },
    method: 'POST',
    path: '/v2/companies/{companyId}/inbound/nfse/{id}/resend-webhook',
    success: [202],
    mark: 'public',
  },
  'nfse.fetchByKey': {
    ...nfse,
    summary: { en: 'Capture an NFS-e by its key', pt: 'Captura uma NFS-e pela chave' },
    method: 'POST',
    path: '/v2/companies/{companyId}/inbound/nfse/fetch-by-access-key',
    replay: 'natural',
    billed: 'doc-by-key',
    mark: 'doc §4',
  },
} as const satisfies Record<string, Operation>;
