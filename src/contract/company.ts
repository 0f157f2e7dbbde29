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
