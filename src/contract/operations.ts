import type { Operation } from './operation.js';
import type { CompanyList } from './company.js';
import type { LegalEntity } from './legal-entity.js';
import type { Product, ProductCreated, ProductInput, ProductValidation } from './product.js';

/** The catalogue: one row per operation of the service. The only table that both the client and the sandbox read. */
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
    summary: {
      en: 'Validate the tax rules of a product again',
      pt: 'Valida de novo as regras fiscais de um produto',
    },
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
  'company.list': {
    summary: { en: 'List the companies of the account', pt: 'Lista as empresas da conta' },
    method: 'GET',
    path: '/v2/companies',
    host: 'product',
    key: 'invoice',
    role: null,
    success: [200],
    replay: 'safe',
    billed: null,
    queryKey: false,
    mark: 'doc §4',
  },
  'lookup.cnpj': {
    summary: { en: 'Query the registry of a company', pt: 'Consulta o cadastro de uma empresa' },
    method: 'GET',
    path: '/v1/cnpj/{numero}',
    host: 'legalEntity',
    key: 'data',
    role: null,
    success: [200],
    replay: 'safe',
    billed: null,
    queryKey: false,
    mark: 'doc §4',
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;

/** The request body and the success body of every operation. `undefined`: no body. */
export interface OperationBodies {
  'product.create': { request: ProductInput; response: ProductCreated };
  'product.get': { request: undefined; response: Product };
  'product.update': { request: ProductInput; response: Product | undefined };
  'product.revalidate': { request: undefined; response: ProductValidation };
  'company.list': { request: undefined; response: CompanyList };
  'lookup.cnpj': { request: undefined; response: LegalEntity };
}

type Segments<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Segments<Rest>
  : never;

/** The names in braces of an operation's path, e.g. `'tenantId' | 'productId'`. */
export type PathParameters<Id extends OperationId> = Segments<(typeof operations)[Id]['path']>;
