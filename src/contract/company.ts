import type { Address } from './address.js';

/** A company of the account. Fields public; the service document only names the operation (§4). */
export interface Company {
  readonly id: string;
  readonly name: string;
  /** CNPJ, always text. */
  readonly federalTaxNumber: string;
  readonly status?: string;
}

/** `GET /v2/companies`: cursor paging (public). */
export interface CompanyList {
  readonly companies: readonly Company[];
  readonly hasMore: boolean;
}

/** The body of create and update. An update replaces the whole company; its CNPJ does not change (assumed). */
export interface CompanyInput {
  readonly name: string;
  readonly tradeName?: string;
  /** CNPJ, 14 characters without punctuation. */
  readonly federalTaxNumber: string;
  /** One of the tax regimes of the product registry (facts §9). */
  readonly taxRegime?: string;
  readonly address?: Address;
  readonly [field: string]: unknown;
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
