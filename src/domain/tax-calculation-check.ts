import {
  decimal,
  entries,
  fields,
  money,
  oneOf,
  text,
  whole,
  type InvoiceFinding,
  type Rule,
} from './invoice-rules.js';
import { stateNames } from './address.js';
import { origins, taxRegimes } from '../contract/product.js';

/** The most items of an NF-e. */
const MAX_ITEMS = 990;
const MAX_FINDINGS = 50;

/**
 * Checks the body of a tax calculation: formats, the names of facts §9, an empty list, negative amounts, decimals
 * (published; which fields are required is assumed). The service checks the codes, since their lists grow.
 */
export function checkTaxCalculation(body: unknown): readonly InvoiceFinding[] {
  return calculation(body, '').slice(0, MAX_FINDINGS);
}

const profile = text(60);

/** §2, convention 1: names are read in any letter case. */
function named(names: readonly string[]): Rule {
  const strict = oneOf(names);
  return (value, field) => {
    if (typeof value !== 'string') return strict(value, field);
    return strict(names.find((name) => name.toLowerCase() === value.toLowerCase()) ?? value, field);
  };
}

const item = fields({
  required: {
    id: text(60),
    operationCode: whole(1, 9_999),
    origin: named(origins),
    quantity: decimal(4, 'above zero'),
    unitAmount: decimal(10),
  },
  optional: {
    acquisitionPurpose: text(10),
    issuerTaxProfile: profile,
    recipientTaxProfile: profile,
    sku: text(60),
    ncm: text(8, {
      pattern: /^\d{2,8}$/,
      is: { en: 'must be an NCM, 2 to 8 digits', pt: 'deve ser um NCM, de 2 a 8 dígitos' },
    }),
    cest: text(7, {
      pattern: /^\d{7}$/,
      is: { en: 'must be a CEST of 7 digits', pt: 'deve ser um CEST de 7 dígitos' },
    }),
    benefit: text(10),
    exTipi: text(3),
    gtin: text(14),
    freightAmount: money,
    insuranceAmount: money,
    discountAmount: money,
    othersAmount: money,
  },
});

const calculation = fields({
  required: {
    issuer: fields({
      required: { state: named(stateNames), taxRegime: named(taxRegimes) },
      optional: { taxProfile: profile },
    }),
    recipient: fields({
      required: { state: named(stateNames) },
      optional: { taxRegime: named(taxRegimes), taxProfile: profile },
    }),
    operationType: named(['Outgoing', 'Incoming']),
    items: entries(MAX_ITEMS, item),
  },
  optional: { collectionId: text(60) },
});
