import type { ApiErrorDetail } from '../../contract/error-body.js';
import { origins, taxRegimes } from '../../contract/product.js';
import { decimal, flag, list, money, object, readBody, text, whole, word } from '../core/checks.js';
import { type Decimal, readDecimal } from '../core/decimal.js';
import { isRecord } from '../core/exact-json.js';
import type { Fields } from '../core/records.js';
import { Refusal } from '../core/refusal.js';
import { canonicalValue, states } from '../product/vocabulary.js';
import { findOperationCode, isOnList } from './codes.js';

const ways = ['Outgoing', 'Incoming'] as const;
/** The most items of an NF-e. */
const mostItems = 990;

const profile = text(60);
const itemCheck = object({
  required: {
    id: text(60),
    operationCode: whole(1, 9_999),
    origin: word(origins),
    quantity: decimal({ decimals: 4, isPositive: true }),
    unitAmount: decimal({ decimals: 10 }),
  },
  optional: {
    acquisitionPurpose: text(10),
    issuerTaxProfile: profile,
    recipientTaxProfile: profile,
    sku: text(60),
    ncm: text(8, /^\d{2,8}$/),
    cest: text(7, /^\d{7}$/),
    benefit: text(10),
    exTipi: text(3),
    gtin: text(14),
    freightAmount: money,
    insuranceAmount: money,
    discountAmount: money,
    othersAmount: money,
  },
});

const bodyCheck = object({
  required: {
    issuer: object({
      required: { state: word(states), taxRegime: word(taxRegimes) },
      optional: { taxProfile: profile },
    }),
    recipient: object({
      required: { state: word(states) },
      optional: { taxRegime: word(taxRegimes), taxProfile: profile },
    }),
    operationType: word(ways),
    items: list(mostItems, itemCheck),
  },
  optional: { collectionId: text(60), isProductRegistration: flag },
});

/** Throws 400 for invalid formats and 422 for unknown codes, each with all problems. */
export function readCalculation(body: unknown): Calculation {
  const calculation = calculationOf(readBody(body, bodyCheck, 'calculation'));
  const details = calculation.items.flatMap((item, index) => unknownCodes(item, `items[${index}]`, calculation));
  if (details.length > 0) {
    throw new Refusal('semantic_error', 'The engine cannot calculate this.', { details });
  }
  return calculation;
}

function calculationOf(body: Fields): Calculation {
  const issuer = participant(body['issuer']);
  const recipient = participant(body['recipient']);
  const items = Array.isArray(body['items']) ? body['items'].filter(isRecord) : [];
  return {
    collectionId: optionalText(body['collectionId']),
    issuer,
    recipient,
    operationType: canonicalOf(ways, body['operationType']) === 'Incoming' ? 'Incoming' : 'Outgoing',
    items: items.map((item) => itemOf(item, issuer, recipient)),
  };
}

function participant(value: unknown): Participant {
  const fields = isRecord(value) ? value : {};
  return {
    state: canonicalOf(states, fields['state']),
    taxRegime: canonicalOf(taxRegimes, fields['taxRegime']),
    taxProfile: profileOf(fields['taxProfile']),
  };
}

function itemOf(fields: Fields, issuer: Participant, recipient: Participant): Item {
  return {
    id: String(fields['id']),
    operationCode: Number(fields['operationCode']),
    acquisitionPurpose: optionalText(fields['acquisitionPurpose']) ?? '',
    issuerProfile: profileOf(fields['issuerTaxProfile'], issuer.taxProfile),
    recipientProfile: profileOf(fields['recipientTaxProfile'], recipient.taxProfile),
    sku: optionalText(fields['sku']) ?? '',
    cest: optionalText(fields['cest']),
    benefit: optionalText(fields['benefit']),
    origin: canonicalOf(origins, fields['origin']),
    quantity: readDecimal(fields['quantity']) ?? nothing,
    unitAmount: readDecimal(fields['unitAmount']) ?? nothing,
    freightAmount: readDecimal(fields['freightAmount']),
    insuranceAmount: readDecimal(fields['insuranceAmount']),
    othersAmount: readDecimal(fields['othersAmount']),
    discountAmount: readDecimal(fields['discountAmount']),
  };
}

const nothing: Decimal = { units: 0n, scale: 0 };

function unknownCodes(item: Item, at: string, { operationType }: Calculation): readonly ApiErrorDetail[] {
  const operation = findOperationCode(item.operationCode);
  const details: ApiErrorDetail[] = [];
  const report = (field: string, message: string) => void details.push({ field: `${at}.${field}`, message });
  if (operation === undefined) {
    report('operationCode', `${item.operationCode} is not on the list /tax-codes/operation-code.`);
  } else if (operation.way !== operationType) {
    report('operationCode', `${item.operationCode} is for ${operation.way}, not for ${operationType}.`);
  }
  if (item.acquisitionPurpose !== '' && !isOnList('acquisition-purpose', item.acquisitionPurpose)) {
    report('acquisitionPurpose', 'Is not on the list /tax-codes/acquisition-purpose.');
  }
  if (!isOnList('issuer-tax-profile', item.issuerProfile)) {
    report('issuerTaxProfile', 'Is not on the list /tax-codes/issuer-tax-profile.');
  }
  if (!isOnList('recipient-tax-profile', item.recipientProfile)) {
    report('recipientTaxProfile', 'Is not on the list /tax-codes/recipient-tax-profile.');
  }
  return details;
}

function canonicalOf(words: readonly string[], value: unknown): string {
  return typeof value === 'string' ? (canonicalValue(words, value) ?? value) : '';
}

function profileOf(value: unknown, otherwise = 'none'): string {
  return typeof value === 'string' ? value.toLowerCase() : otherwise;
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A checked calculation with canonical values. */
export interface Calculation {
  readonly collectionId: string | undefined;
  readonly issuer: Participant;
  readonly recipient: Participant;
  readonly operationType: 'Outgoing' | 'Incoming';
  readonly items: readonly Item[];
}

interface Participant {
  readonly state: string;
  /** Empty if absent. */
  readonly taxRegime: string;
  readonly taxProfile: string;
}

export interface Item {
  readonly id: string;
  readonly operationCode: number;
  readonly acquisitionPurpose: string;
  /** The profiles of the item, else those of the issuer and the recipient. */
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

/** Rates and codes by tax name, before the amounts are calculated. */
export type TaxRules = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Rule {
  readonly cfop: string;
  readonly taxes: TaxRules;
  /** The product that the rule comes from. */
  readonly productId?: string;
}
