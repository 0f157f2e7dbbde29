import type { Core } from '../core/core.js';
import type { Content, StoredProduct } from '../product/products.js';
import { isRecord } from '../product/read-product.js';
import type { Calculation, Item, Rule, TaxRules } from './calculation.js';

/**
 * §1: custom rules of the registry come before the engine's own. Only those of an Active product with the item's sku,
 * and the first scenario that fits. What it leaves open is for the general rule.
 */
export function productRule(
  core: Core,
  tenantId: string,
  asked: { readonly calculation: Calculation; readonly item: Item },
): Partial<Rule> {
  const { calculation, item } = asked;
  if (item.sku === '') return {};
  for (const product of core.products.active(tenantId, item.sku)) {
    const group = groupOf(product, calculation, item);
    if (group !== undefined) return { ...ruleOf(group), productId: product.id };
  }
  return {};
}

function groupOf({ content }: StoredProduct, calculation: Calculation, item: Item): Content | undefined {
  const { collectionId, issuer, recipient } = calculation;
  if (collectionId !== undefined && content['collectionId'] !== collectionId) return undefined;
  const direction = issuer.state === recipient.state ? 'intraState' : 'interState';
  const scenario = records(content['customTax']).find(
    (each) =>
      each['operationCode'] === item.operationCode &&
      isRecord(each[direction]) &&
      fits(each['issuer'], { ...issuer, taxProfile: item.issuerProfile }) &&
      fits(each['recipient'], { ...recipient, taxProfile: item.recipientProfile }),
  );
  const group = scenario?.[direction];
  return isRecord(group) ? group : undefined;
}

/** No list is for everybody; in an entry, what is not told is not asked. */
function fits(list: unknown, participant: Readonly<Record<string, unknown>>): boolean {
  const entries = records(list);
  return (
    entries.length === 0 ||
    entries.some((entry) => Object.entries(entry).every(([name, value]) => participant[name] === value))
  );
}

function ruleOf({ cfop, ...groups }: Content): Pick<Rule, 'taxes'> & Partial<Rule> {
  const taxes: TaxRules = Object.fromEntries(
    Object.entries(groups).flatMap(([name, group]) => (isRecord(group) ? [[name, textsOf(group)]] : [])),
  );
  return { ...(typeof cfop === 'string' ? { cfop } : {}), taxes };
}

function textsOf(group: Content): Record<string, string> {
  return Object.fromEntries(
    Object.entries(group).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

function records(value: unknown): readonly Content[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
