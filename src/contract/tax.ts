/** Tax calculation (§1 names it; bodies public). Amounts of a result are text with two decimals. */

/** Sent as it was written: a number, or decimal text. */
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
  /** Names the item in the answer. */
  readonly id: string;
  /** 1 to 9999; the list is `tax-codes/operation-code`. */
  readonly operationCode: number;
  readonly acquisitionPurpose?: string;
  /** Of this item, before those of the issuer and the recipient. */
  readonly issuerTaxProfile?: string;
  readonly recipientTaxProfile?: string;
  /** A product of the registry whose own rules come first (§1). */
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
  /** Up to two decimals, as the three after it. */
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
  /** Public descriptions have a number. */
  readonly cfop?: number | string;
  readonly cest?: string;
  readonly benefit?: string;
  readonly icms?: TaxValues;
  /** The share of the state of the recipient, where there is one. */
  readonly icmsUfDest?: TaxValues;
  readonly pis?: TaxValues;
  readonly cofins?: TaxValues;
  readonly ipi?: TaxValues;
  readonly ii?: TaxValues;
  /** Of the reform of consumption taxes; assumed. */
  readonly ibs?: TaxValues;
  readonly cbs?: TaxValues;
  readonly additionalInformation?: string;
  readonly lastModified?: string;
  /** The product of the registry whose rules were taken. */
  readonly productId?: string;
  readonly [field: string]: unknown;
}

export interface TaxCalculation {
  readonly items: readonly TaxItem[];
}

/** The lists of codes that the engine knows, as they stand in the path. */
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

/** A page of a list; `pageIndex` from 1, `pageCount` 50 unless asked otherwise. */
export interface TaxCodePage {
  readonly items: readonly TaxCode[];
  readonly currentPage: number;
  readonly totalPages: number;
  readonly totalCount: number;
}
