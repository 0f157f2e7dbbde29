import {
  type CertificateBodies,
  certificateOperations,
  type CompanyBodies,
  companyOperations,
} from './company-operations.js';
import type { InboundBodies } from './inbound-bodies.js';
import { invoiceInboundOperations, serviceInboundOperations } from './inbound-operations.js';
import type { InvoiceBodies } from './invoice-bodies.js';
import {
  consumerInvoiceOperations,
  generalInvoiceOperations,
  productInvoiceOperations,
  serviceInvoiceOperations,
} from './invoice-operations.js';
import { type LookupBodies, lookupOperations, type TaxBodies, taxOperations } from './lookup-operations.js';
import { maintenanceOperations } from './maintenance-operations.js';
import type {
  LegacyManifestation,
  LegacyManifestationInput,
  NfeManifestation,
  NfeManifestationAccepted,
  NfeManifestationInput,
  NfseManifestation,
  NfseManifestationAccepted,
  NfseManifestationInput,
  NfseManifestationList,
} from './manifestation.js';
import type { Operation } from './operation.js';
import type { Product, ProductCreated, ProductInput, ProductValidation } from './product.js';
import { type TaxRegistrationBodies, taxRegistrationOperations } from './tax-registration-operations.js';
import { type WebhookBodies, webhookOperations } from './webhook-operations.js';

/** The catalogue: one row per operation of the service, shared by the client and the sandbox. */
export const operations = {
  'product.create': {
    summary: { en: 'Create a product', pt: 'Cria um produto' },
    method: 'POST',
    path: '/{tenantId}/products',
    host: 'product',
    key: 'invoice',
    role: null,
    success: [201],
    replay: 'unsafe',
    billed: 'engine',
    queryKey: true,
    mark: 'doc §4',
  },
  'product.get': {
    summary: { en: 'Read a product', pt: 'Lê um produto' },
    method: 'GET',
    path: '/{tenantId}/products/{productId}',
    host: 'product',
    key: 'invoice',
    role: null,
    success: [200],
    replay: 'safe',
    billed: null,
    queryKey: true,
    mark: 'doc §4',
  },
  'product.update': {
    summary: { en: 'Replace a product', pt: 'Substitui um produto' },
    method: 'PUT',
    path: '/{tenantId}/products/{productId}',
    host: 'product',
    key: 'invoice',
    role: null,
    success: [204, 200],
    replay: 'safe',
    billed: 'engine',
    queryKey: true,
    mark: 'doc §4',
  },
  'product.revalidate': {
    summary: { en: 'Validate the tax rules of a product again', pt: 'Valida de novo as regras fiscais de um produto' },
    method: 'POST',
    path: '/{tenantId}/products/{productId}/revalidate',
    host: 'product',
    key: 'invoice',
    role: null,
    success: [200],
    replay: 'safe',
    billed: null,
    queryKey: true,
    mark: 'doc §4',
  },
  'nfe.manifestation.submit': {
    summary: { en: 'Submit the recipient’s event of an NF-e', pt: 'Envia o evento do destinatário de uma NF-e' },
    method: 'POST',
    path: '/productinvoices/by-access-key/{accessKey}/manifestation-events',
    host: 'product',
    key: 'invoice',
    role: 'NFeDist',
    success: [202],
    replay: 'natural',
    billed: null,
    queryKey: false,
    mark: 'doc §4',
  },
  'nfe.manifestation.get': {
    summary: { en: 'Read an event of the recipient', pt: 'Lê um evento do destinatário' },
    method: 'GET',
    path: '/productinvoices/manifestation-events/{id}',
    host: 'product',
    key: 'invoice',
    role: 'NFeDist',
    success: [200],
    replay: 'safe',
    billed: null,
    queryKey: false,
    mark: 'doc §4',
  },
  'nfe.manifestation.legacy': {
    summary: {
      en: 'Submit the recipient’s event by the replaced route (deprecated)',
      pt: 'Envia o evento do destinatário pela rota substituída (obsoleta)',
    },
    method: 'POST',
    path: '/v2/companies/{companyId}/inbound/{accessKey}/manifest',
    host: 'product',
    key: 'invoice',
    role: 'NFeDist',
    success: [200],
    replay: 'unsafe',
    billed: null,
    queryKey: false,
    mark: 'public',
  },
  'nfse.manifestation.submit': {
    summary: { en: 'Submit the taker’s event of an NFS-e', pt: 'Envia o evento do tomador de uma NFS-e' },
    method: 'POST',
    path: '/v2/companies/{companyId}/inbound/nfse/by-access-key/{accessKey}/manifestations',
    host: 'product',
    key: 'invoice',
    role: 'NFSeDist',
    success: [202],
    replay: 'natural',
    billed: null,
    queryKey: false,
    mark: 'doc §4',
  },
  'nfse.manifestation.list': {
    summary: { en: 'List the taker’s events of an NFS-e', pt: 'Lista os eventos do tomador de uma NFS-e' },
    method: 'GET',
    path: '/v2/companies/{companyId}/inbound/nfse/by-access-key/{accessKey}/manifestations',
    host: 'product',
    key: 'invoice',
    role: 'NFSeDist',
    success: [200],
    replay: 'safe',
    billed: null,
    queryKey: false,
    mark: 'public',
  },
  'nfse.manifestation.get': {
    summary: { en: 'Read an event of the taker', pt: 'Lê um evento do tomador' },
    method: 'GET',
    path: '/v2/companies/{companyId}/inbound/nfse/manifestations/{id}',
    host: 'product',
    key: 'invoice',
    role: 'NFSeDist',
    success: [200],
    replay: 'safe',
    billed: null,
    queryKey: false,
    mark: 'public',
  },
  ...invoiceInboundOperations,
  ...serviceInboundOperations,
  ...maintenanceOperations,
  ...certificateOperations,
  ...generalInvoiceOperations,
  ...productInvoiceOperations,
  ...consumerInvoiceOperations,
  ...serviceInvoiceOperations,
  ...companyOperations,
  ...taxRegistrationOperations,
  ...taxOperations,
  ...lookupOperations,
  ...webhookOperations,
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;

/** The request body and the success body of every operation. `undefined`: no body. */
export interface OperationBodies
  extends InboundBodies,
    InvoiceBodies,
    CompanyBodies,
    TaxRegistrationBodies,
    CertificateBodies,
    TaxBodies,
    LookupBodies,
    WebhookBodies {
  'product.create': { request: ProductInput; response: ProductCreated };
  'product.get': { request: undefined; response: Product };
  'product.update': { request: ProductInput; response: Product | undefined };
  'product.revalidate': { request: undefined; response: ProductValidation };
  'nfe.manifestation.submit': { request: NfeManifestationInput; response: NfeManifestationAccepted };
  'nfe.manifestation.get': { request: undefined; response: NfeManifestation };
  'nfe.manifestation.legacy': {
    request: LegacyManifestationInput | undefined;
    response: LegacyManifestation | undefined;
  };
  'nfse.manifestation.submit': { request: NfseManifestationInput; response: NfseManifestationAccepted };
  'nfse.manifestation.list': { request: undefined; response: NfseManifestationList };
  'nfse.manifestation.get': { request: undefined; response: NfseManifestation };
}

type Segments<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Segments<Rest>
  : never;

/** The names in braces of an operation's path, e.g. `'tenantId' | 'productId'`. */
export type PathParameters<Id extends OperationId> = Segments<(typeof operations)[Id]['path']>;

const ofCompany = '/v2/companies/{companyId}/inbound';
const byNoun = ['productinvoices', 'productinvoice'].map((noun) => `${ofCompany}/${noun}`);
const taxAuthority = ['/v2/productinvoices/serpro', '/v3/productinvoices', '/v3/productinvoices/serpro'];

/** Further paths of operations: of the service document, or of another published description. */
const others: Partial<Readonly<Record<OperationId, readonly string[]>>> = {
  // Under a company: assumed.
  'nfe.manifestation.submit': [ofCompany + operations['nfe.manifestation.submit'].path],
  'nfe.manifestation.get': [ofCompany + operations['nfe.manifestation.get'].path],
  // §4 names the replaced route so.
  'nfe.manifestation.legacy': ['/{accessKey}/manifest'],
  'nfe.inbound.list': [`${ofCompany}/odata/ProductInvoices`],
  'nfe.inbound.get': byNoun.map((path) => `${path}/{accessKey}`),
  // Under the key alone, as metadata, XML and PDF: assumed.
  'nfe.inbound.json': [`${ofCompany}/productinvoice/{accessKey}/json`, `${ofCompany}/{accessKey}/json`],
  'nfe.inbound.event.get': byNoun.map((path) => `${path}/{accessKey}/events/{eventKey}`),
  'nfe.inbound.reprocessWebhook': [`${ofCompany}/productinvoice/{accessKeyOrNsu}/processwebhook`],
  'nfe.rejection.xml': ['/v2/companies/{companyId}/productinvoices/{invoiceId}/xml/rejection'],
  'lookup.cnpj': ['/v2/legalentities/basicInfo/{numero}', '/v3/legalentities/basicInfo/{numero}'],
  'lookup.cpf': ['/v1/naturalperson/serpro/status/{cpf}/{birthDate}'],
  'lookup.nfe': taxAuthority.map((path) => `${path}/{accessKey}`),
  'lookup.nfe.pdf': taxAuthority.map((path) => `${path}/{accessKey}.pdf`),
  'lookup.nfe.xml': taxAuthority.map((path) => `${path}/{accessKey}.xml`),
  'lookup.nfe.events': ['/v3/productinvoices/events/{accessKey}'],
  'webhook.eventTypes': ['/v1/eventTypes'],
};
/** Issuance is published in a third version with the same bodies. */
const invoicePath =
  /^\/v[12](\/companies\/\{companyId\}\/(?:statetaxes\/\{stateTaxId\}\/)?(?:product|consumer|service)invoices.*)$/;

/** Where an operation is answered: at its path, and where another description has it. */
export function pathsOf(id: OperationId): readonly [string, ...string[]] {
  const known = [operations[id].path, ...(others[id] ?? [])] as const;
  const inThird = known.flatMap((path) => invoicePath.exec(path)?.[1] ?? []).map((tail) => `/v3${tail}`);
  return [...known, ...inThird];
}
