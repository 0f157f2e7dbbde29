import type { Address } from './address.js';

/** A company of the account. Fields public; the document only names the operation (§4). */
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

/** What create and update send. An update replaces the whole; the CNPJ of a company does not change (assumed). */
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

/** A company as one read shows it (public). */
export interface CompanyDetails extends Company {
  readonly tradeName?: string;
  readonly taxRegime?: string;
  readonly address?: Address;
  /** ISO 8601, UTC. */
  readonly createdOn?: string;
  readonly modifiedOn?: string;
  readonly [field: string]: unknown;
}

/** Bodies of one company are wrapped, both ways (public). */
export interface CompanyEnvelope<Content> {
  readonly company: Content;
}
