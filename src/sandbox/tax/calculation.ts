import type { Decimal } from '../invoice/decimal.js';

/** What is asked of the engine, checked and in canonical words. */
export interface Calculation {
  readonly collectionId: string | undefined;
  readonly issuer: Participant;
  readonly recipient: Participant;
  readonly operationType: 'Outgoing' | 'Incoming';
  readonly items: readonly Item[];
}

export interface Participant {
  readonly state: string;
  /** Empty where none was given. */
  readonly taxRegime: string;
  readonly taxProfile: string;
}

export interface Item {
  readonly id: string;
  readonly operationCode: number;
  readonly acquisitionPurpose: string;
  /** Those of the item, else of the issuer and the recipient. */
  readonly issuerProfile: string;
  readonly recipientProfile: string;
  readonly sku: string;
  readonly cest: string | undefined;
  readonly benefit: string | undefined;
  readonly origin: string;
  readonly quantity: Decimal;
  readonly unitAmount: Decimal;
  readonly freightAmount: Decimal | undefined;
  readonly insuranceAmount: Decimal | undefined;
  readonly othersAmount: Decimal | undefined;
  readonly discountAmount: Decimal | undefined;
}

/** Rates and codes of each tax by its name, before there are values. */
export type TaxRules = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Rule {
  readonly cfop: string;
  readonly taxes: TaxRules;
  /** The product of the registry that gave it. */
  readonly productId?: string;
}
