import type { TaxCalculation, TaxItem } from '../../contract/tax.js';
import type { Core } from '../core/core.js';
import { unacceptable } from '../core/refusal.js';
import { product } from '../invoice/decimal.js';
import { type Cents, cents } from './amounts.js';
import type { Calculation, Item } from './calculation.js';
import { finalConsumers, finalPurposes } from './codes.js';
import { generalRule } from './general-rule.js';
import { productRule } from './product-rule.js';
import { withValues } from './tax-values.js';

/** When the rules of the engine were made. */
const lastModified = '2026-01-01T00:00:00.000Z';

/** The taxes of every item, the same for the same request and the same products. Throws 422 for a discount over the price. */
export function calculateTaxes(core: Core, tenantId: string, calculation: Calculation): TaxCalculation {
  return {
    items: calculation.items.map((item, index) => itemTaxes(core, tenantId, { calculation, item, index })),
  };
}

function itemTaxes(
  core: Core,
  tenantId: string,
  asked: { readonly calculation: Calculation; readonly item: Item; readonly index: number },
): TaxItem {
  const { item } = asked;
  const general = generalRule(asked.calculation, item);
  const custom = productRule(core, tenantId, asked);
  const taxes = withValues({ ...general.taxes, ...custom.taxes }, baseOf(item, asked.index), isFinal(item));
  return {
    id: item.id,
    cfop: Number(custom.cfop ?? general.cfop),
    ...(item.cest === undefined ? {} : { cest: item.cest }),
    ...(item.benefit === undefined ? {} : { benefit: item.benefit }),
    ...taxes,
    lastModified,
    ...(custom.productId === undefined ? {} : { productId: custom.productId }),
  };
}

/** Price with freight, insurance and other expenses, less the discount; each rounded to hundredths by itself. */
function baseOf(item: Item, index: number): Cents {
  const price = cents(product(item.quantity, item.unitAmount));
  const more = cents(item.freightAmount) + cents(item.insuranceAmount) + cents(item.othersAmount);
  const base = price + more - cents(item.discountAmount);
  if (base >= 0n) return base;
  throw unacceptable(`items[${index}].discountAmount`, 'Is more than the item costs.');
}

/** The goods come to rest with the recipient. */
function isFinal({ acquisitionPurpose, recipientProfile }: Item): boolean {
  return finalPurposes.includes(acquisitionPurpose) || finalConsumers.includes(recipientProfile);
}
