/** Tax calculation (§1 names it; bodies public). Amounts of a result are text with two decimals. */

/** Sent as written: a number or decimal text. */
export type Decimal = number | string;

export interface TaxIssuer {
  readonly taxRegime: string;
  readonly taxProfile?: string;
  readonly state: string;
}

export interface TaxRecipient {
  readonly taxRegime?: string;
  readonly taxProfile?: string;
  readonly state: string;
}

export interface TaxItemInput {
  /** Identifies the item in the answer. */
  readonly id: string;
  /** 1 to 9999; the list is `tax-codes/operation-code`. */
  readonly operationCode: number;
  readonly acquisitionPurpose?: string;
  /** Overrides the profiles of the issuer and the recipient for this item. */
  readonly issuerTaxProfile?: string;
  readonly recipientTaxProfile?: string;
  /** A product of the registry whose custom rules take precedence (§1). */
  readonly sku?: string;
  readonly ncm?: string;
  readonly cest?: string;
  readonly benefit?: string;
  readonly exTipi?: string;
  readonly origin: string;
  readonly gtin?: string;
  /** Up to four decimals, above zero. */
  readonly quantity: Decimal;
  /** Up to ten decimals. */
  readonly unitAmount: Decimal;
  /** Up to two decimals, like the next three. */
  readonly freightAmount?: Decimal;
  readonly insuranceAmount?: Decimal;
  readonly discountAmount?: Decimal;
  readonly othersAmount?: Decimal;
  readonly [field: string]: unknown;
}

export interface TaxCalculationInput {
  readonly collectionId?: string;
  readonly issuer: TaxIssuer;
  readonly recipient: TaxRecipient;
  readonly operationType: 'Outgoing' | 'Incoming' | (string & {});
  readonly items: readonly TaxItemInput[];
  readonly isProductRegistration?: boolean;
  readonly [field: string]: unknown;
}

/** A tax of an item: `cst`, `vBC`, `pICMS`, `vICMS`, … as text. */
export type TaxValues = Readonly<Record<string, string>>;

export interface TaxItem {
  readonly id?: string;
  /** Public descriptions show a number. */
  readonly cfop?: number | string;
  readonly cest?: string;
  readonly benefit?: string;
  readonly icms?: TaxValues;
  /** The share of the recipient's state, if any. */
  readonly icmsUfDest?: TaxValues;
  readonly pis?: TaxValues;
  readonly cofins?: TaxValues;
  readonly ipi?: TaxValues;
  readonly ii?: TaxValues;
  /** Of the consumption tax reform; assumed. */
  readonly ibs?: TaxValues;
  readonly cbs?: TaxValues;
  readonly additionalInformation?: string;
  readonly lastModified?: string;
  /** The product of the registry whose rules apply. */
  readonly productId?: string;
  readonly [field: string]: unknown;
}

export interface TaxCalculation {
  readonly items: readonly TaxItem[];
}

/** The code lists of the engine, as named in the path. */
export const taxCodeLists = [
  'operation-code',
  'acquisition-purpose',
  'issuer-tax-profile',
  'recipient-tax-profile',
] as const;
export type TaxCodeList = (typeof taxCodeLists)[number];

export interface TaxCode {
  readonly code: string;
  readonly description: string;
}

/** A page of a list; `pageIndex` starts at 1, `pageCount` defaults to 50. */
export interface TaxCodePage {
  readonly items: readonly TaxCode[];
  readonly currentPage: number;
  readonly totalPages: number;
  readonly totalCount: number;
}
