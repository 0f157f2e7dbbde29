import type { PostalAddressAnswer } from './address.js';
import { commonRow } from './common-row.js';
import type { BytesAnswer } from './inbound.js';
import type { LegalEntity } from './legal-entity.js';
import type { LookupNfe, LookupNfeEvents } from './lookup-nfe.js';
import type { Operation } from './operation.js';
import type { TaxCalculation, TaxCalculationInput, TaxCodePage } from './tax.js';

/** Tax calculation and its lists of codes (§1 names and bills it; paths public). */
export const taxOperations = {
  'tax.calculate': {
    summary: { en: 'Calculate the taxes of an operation', pt: 'Calcula os tributos de uma operação' },
    method: 'POST',
    path: '/tax-rules/{tenantId}/engine/calculate',
    host: 'product',
    key: 'invoice',
    role: null,
    success: [200],
    replay: 'safe',
    billed: 'engine',
    queryKey: false,
    mark: 'public',
  },
  'tax.codes': {
    ...commonRow,
    summary: { en: 'List the codes of the tax engine', pt: 'Lista os códigos do motor de cálculo' },
    method: 'GET',
    path: '/tax-codes/{list}',
    mark: 'public',
  },
} as const satisfies Record<string, Operation>;

export interface TaxBodies {
  'tax.calculate': { request: TaxCalculationInput; response: TaxCalculation };
  'tax.codes': { request: undefined; response: TaxCodePage };
}

/** `GET /v1/naturalperson/status/{cpf}/{birthDate}`: whether a CPF is in order (public). */
interface NaturalPerson {
  /** CPF, eleven digits. Personal data: shown to the caller, never logged or stored. */
  readonly federalTaxNumber: string;
  readonly name?: string;
  /** Day of birth, ISO 8601. */
  readonly birthOn?: string;
  /** `Regular`, `Pendente de Regularização`, `Suspensa`, `Cancelada`, `Titular Falecido`, `Nula`; may grow. */
  readonly status?: string;
  /** The time of the query. */
  readonly createdOn?: string;
}

/** Queries use the data key (§5). */
const query = { ...commonRow, method: 'GET', host: 'query', key: 'data' } as const;

/** Queries of registries and of documents at the state tax authority (§1). */
export const lookupOperations = {
  'lookup.cnpj': {
    ...query,
    summary: { en: 'Query the registry of a company', pt: 'Consulta o cadastro de uma empresa' },
    path: '/v1/cnpj/{numero}',
    host: 'legalEntity',
    mark: 'doc §4',
  },
  'lookup.cpf': {
    ...query,
    summary: { en: 'Query the status of a CPF', pt: 'Consulta a situação de um CPF' },
    path: '/v1/naturalperson/status/{cpf}/{birthDate}',
    host: 'naturalPerson',
    mark: 'public',
  },
  'lookup.address': {
    ...query,
    summary: { en: 'Query the addresses of a CEP', pt: 'Consulta os endereços de um CEP' },
    path: '/v2/addresses/{postalCode}',
    host: 'address',
    mark: 'public',
  },
  'lookup.nfe': {
    ...query,
    summary: { en: 'Query an NF-e at the state tax authority', pt: 'Consulta uma NF-e na Sefaz' },
    path: '/v2/productinvoices/{accessKey}',
    mark: 'public',
  },
  'lookup.nfe.pdf': {
    ...query,
    summary: { en: 'Read the PDF of an NF-e at the state tax authority', pt: 'Lê o PDF de uma NF-e na Sefaz' },
    path: '/v2/productinvoices/{accessKey}.pdf',
    success: [200, 202],
    mark: 'public',
  },
  'lookup.nfe.xml': {
    ...query,
    summary: { en: 'Read the XML of an NF-e at the state tax authority', pt: 'Lê o XML de uma NF-e na Sefaz' },
    path: '/v2/productinvoices/{accessKey}.xml',
    mark: 'public',
  },
  'lookup.nfe.events': {
    ...query,
    summary: {
      en: 'List the events of an NF-e at the state tax authority',
      pt: 'Lista os eventos de uma NF-e na Sefaz',
    },
    path: '/v2/productinvoices/events/{accessKey}',
    mark: 'public',
  },
} as const satisfies Record<string, Operation>;

export interface LookupBodies {
  'lookup.cnpj': { request: undefined; response: LegalEntity };
  'lookup.cpf': { request: undefined; response: NaturalPerson };
  'lookup.address': { request: undefined; response: PostalAddressAnswer };
  'lookup.nfe': { request: undefined; response: LookupNfe };
  'lookup.nfe.pdf': { request: undefined; response: BytesAnswer };
  'lookup.nfe.xml': { request: undefined; response: BytesAnswer };
  'lookup.nfe.events': { request: undefined; response: LookupNfeEvents };
}

/** The queries that answer with bytes. */
export type LookupByteOperationId = 'lookup.nfe.pdf' | 'lookup.nfe.xml';
