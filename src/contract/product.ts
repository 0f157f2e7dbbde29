/** The status of a product (§2, §3). The list may grow: readers keep unknown values. */
export const productStatuses = ['Created', 'CustomTaxPending', 'Active', 'Error'] as const;
export type ProductStatus = (typeof productStatuses)[number];

/** A rate or amount of a tax group: text on the wire, e.g. `"18.00"` (§2, convention 3). */
export type DecimalText = string;

/** Tax values within a state or between states. Field names as published for a registry of this kind. */
export interface TaxGroup {
  readonly cfop?: string;
  readonly icms?: Readonly<Record<string, DecimalText>>;
  readonly pis?: Readonly<Record<string, DecimalText>>;
  readonly cofins?: Readonly<Record<string, DecimalText>>;
  readonly [group: string]: unknown;
}

/** One scenario of custom tax rules. It takes precedence over the engine's result (§1). */
export interface CustomTaxScenario {
  readonly operationCode?: number;
  readonly issuer?: readonly { readonly taxRegime?: string; readonly taxProfile?: string }[];
  readonly recipient?: readonly { readonly taxProfile?: string }[];
  readonly intraState?: TaxGroup;
  readonly interState?: TaxGroup;
}

/** The body of create and update. `origin` is from §2; the other fields are public. */
export interface ProductInput {
  readonly collectionId?: string;
  readonly sku?: string;
  readonly description?: string;
  readonly gtin?: string;
  readonly origin?: string;
  readonly taxRegime?: string;
  readonly tax?: { readonly ncm?: string; readonly cest?: string };
  readonly customTax?: readonly CustomTaxScenario[];
  readonly [field: string]: unknown;
}

/** A product as a read returns it. */
export interface Product extends ProductInput {
  readonly id: string;
  readonly status?: ProductStatus | (string & {});
  readonly errorMessage?: string;
}

/** The 201 of a create (§4). */
export interface ProductCreated {
  readonly id: string;
}

/** The 200 of a revalidation (§4). */
export interface ProductValidation {
  readonly status: ProductStatus | (string & {});
  readonly errorMessage?: string;
}

/*
 * Tax names as published for a registry of this kind (§2 names `origin`). Lists may grow at the service.
 */

export const origins = [
  'National',
  'ForeignDirectImport',
  'ForeignInternalMarket',
  'NationalWith40To70Import',
  'NationalPpb',
  'NationalWithLess40Import',
  'ForeignDirectImportWithoutNationalSimilar',
  'ForeignInternalMarketWithoutNationalSimilar',
  'NationalWithGreater70Import',
] as const;

export const taxRegimes = [
  'NationalSimple',
  'RealProfit',
  'PresumedProfit',
  'NationalSimpleSublimitExceeded',
  'IndividualMicroEnterprise',
  'Exempt',
] as const;

export const issuerTaxProfiles = [
  'none',
  'retail',
  'wholesale',
  'wholesale_industry',
  'importer',
  'industry',
  'cooperative',
] as const;

export const recipientTaxProfiles = [
  'none',
  'industry',
  'final_consumer_icms_contributor',
  'final_consumer_non_icms_contributor',
  'general_warehouse',
  'closed_deposit',
  'natural_person',
  'commercial_exporter',
  'importer',
  'coop',
  'wholesale',
  'retail',
  'interdependent_company',
  'retail_branch',
  'non_retail_branch',
  'wholesale_branch',
  'closed_warehouse',
] as const;
