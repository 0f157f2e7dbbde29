import type { Address } from './address.js';

/** A company of the account. Fields public; the service document only names the operation (§4). */
export interface Company {
  readonly id: string;
  readonly name: string;
  /** CNPJ as an integer (published), without leading zeros; as text where it has letters. */
  readonly federalTaxNumber: number | string;
  readonly status?: string;
}

/** `GET /v2/companies`: cursor paging (public). */
export interface CompanyList {
  readonly companies: readonly Company[];
  readonly hasMore: boolean;
}

/** The tax regimes of companies (published); other words than those of the product registry. A read may show `None`. */
export const companyTaxRegimes = [
  'LucroReal',
  'LucroPresumido',
  'SimplesNacional',
  'SimplesNacionalExcessoSublimite',
  'MicroempreendedorIndividual',
  'Isento',
] as const;

export type CompanyTaxRegime = (typeof companyTaxRegimes)[number];

/**
 * The body of create and update, closed (published): no other field is accepted, and the address needs all its fields
 * except `additionalInformation`. An update replaces the whole company; its CNPJ does not change (assumed).
 */
export interface CompanyInput {
  readonly name: string;
  readonly federalTaxNumber: number | string;
  /** One of `companyTaxRegimes`. */
  readonly taxRegime?: string;
  readonly address?: Omit<Address, 'streetSuffix'>;
  readonly tradeName?: string;
  readonly accountId?: string;
  readonly municipalTaxNumber?: string;
}

/** A company as a single read returns it (public). */
export interface CompanyDetails extends Company {
  readonly tradeName?: string;
  readonly taxRegime?: string;
  readonly address?: Address;
  /** ISO 8601, UTC. */
  readonly createdOn?: string;
  readonly modifiedOn?: string;
  readonly [field: string]: unknown;
}

/** The wrapper of one company in requests and answers (public). */
export interface CompanyEnvelope<Content> {
  readonly company: Content;
}
