import type { OperationId } from '../../contract/operations.js';
import { origins } from '../../contract/product.js';
import { type TaxCalculation, type TaxCodePage, type TaxItem, taxCodeLists } from '../../contract/tax.js';
import { pageIndex, wholeIn } from '../core/checks.js';
import type { Core } from '../core/core.js';
import { product } from '../core/decimal.js';
import { isRecord } from '../core/exact-json.js';
import type { Fields, StoredProduct } from '../core/records.js';
import { Refusal, unacceptable } from '../core/refusal.js';
import type { Call, HandlersOf, Reply } from '../http/handler.js';
import {
  type OperationCode,
  finalConsumers,
  finalPurposes,
  findOperationCode,
  internalRate,
  interstateRate,
  nonContributors,
  taxCodes,
} from './codes.js';
import { type Calculation, type Item, type Rule, type TaxRules, readCalculation } from './read-calculation.js';
import { type Cents, cents, withValues } from './tax-values.js';

/** The tax engine (§1 names and bills it; paths and shapes public, its results invented). */
export const taxHandlers: HandlersOf<Extract<OperationId, `tax.${string}`>> = {
  'tax.calculate': calculate,
  'tax.codes': codes,
};

/** §1: a tax calculation records engine consumption, a rejected one does not. */
function calculate(core: Core, call: Call<'tax.calculate'>): Reply {
  const { tenantId } = call.caller;
  const body = calculateTaxes(core, tenantId, readCalculation(call.body));
  const resourceId = core.chance.uuid();
  const { operation } = call;
  core.usage.add({ at: core.clock.now(), tenantId, operation, action: 'engine', resourceId });
  return { status: 200, body, billed: 'engine' };
}

function codes(_core: Core, call: Call<'tax.codes'>): Reply {
  const list = taxCodeLists.find((each) => each === call.path.list);
  if (list === undefined) {
    throw new Refusal('not_found', `There is no such list; the lists are: ${taxCodeLists.join(', ')}.`);
  }
  const page = pageIndex(call.query);
  const size = wholeIn(call.query, 'pageCount', { from: 1, to: 100, otherwise: 50 });
  const all = taxCodes[list];
  const body: TaxCodePage = {
    items: all.slice((page - 1) * size, page * size),
    currentPage: page,
    totalPages: Math.ceil(all.length / size),
    totalCount: all.length,
  };
  return { status: 200, body };
}

/** The date of the engine's rules. */
const lastModified = '2026-01-01T00:00:00.000Z';

/** The taxes of every item, the same for the same request and products. Throws 422 for a discount above the price. */
export function calculateTaxes(core: Core, tenantId: string, calculation: Calculation): TaxCalculation {
  return { items: calculation.items.map((item, index) => itemTaxes(core, tenantId, { calculation, item, index })) };
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

/** Price plus freight, insurance and other expenses, less the discount; each rounded to hundredths. */
function baseOf(item: Item, index: number): Cents {
  const price = cents(product(item.quantity, item.unitAmount));
  const more = cents(item.freightAmount) + cents(item.insuranceAmount) + cents(item.othersAmount);
  const base = price + more - cents(item.discountAmount);
  if (base >= 0n) return base;
  throw unacceptable(`items[${index}].discountAmount`, 'Is more than the item costs.');
}

/** True if the recipient is the final consumer of the goods. */
function isFinal({ acquisitionPurpose, recipientProfile }: Item): boolean {
  return finalPurposes.includes(acquisitionPurpose) || finalConsumers.includes(recipientProfile);
}

/** Regimes of the Simples Nacional: no ICMS, PIS or COFINS debit in the note. */
const simple: readonly string[] = ['NationalSimple', 'IndividualMicroEnterprise'];
const industries: readonly string[] = ['industry', 'wholesale_industry', 'importer'];

/** The facts that decide the rule of an item. */
interface Situation {
  readonly calculation: Calculation;
  readonly item: Item;
  readonly taxation: OperationCode['taxation'];
  readonly isAbroad: boolean;
  readonly isInside: boolean;
}

/** The rule without a product: plausible rates and codes for the two states, the regime and the profiles. */
function generalRule(calculation: Calculation, item: Item): Rule {
  const operation = findOperationCode(item.operationCode);
  const { issuer, recipient } = calculation;
  const situation: Situation = {
    calculation,
    item,
    taxation: operation?.taxation ?? 'taxed',
    isAbroad: issuer.state === 'EX' || recipient.state === 'EX',
    isInside: issuer.state === recipient.state,
  };
  return { cfop: cfopOf(situation, operation?.cfopEnd ?? '949'), taxes: taxesOf(situation) };
}

/** The first digit is 1 or 5 within a state, 2 or 6 between states, 3 or 7 abroad. */
function cfopOf({ calculation, isAbroad, isInside }: Situation, end: string): string {
  const inside = calculation.operationType === 'Incoming' ? 1 : 5;
  if (isAbroad) return `${inside + 2}${end}`;
  return `${isInside ? inside : inside + 1}${end}`;
}

function taxesOf(situation: Situation): TaxRules {
  const { calculation, taxation } = situation;
  const isSimple = simple.includes(calculation.issuer.taxRegime);
  const isExport = situation.isAbroad && calculation.operationType === 'Outgoing';
  const isTaxed = taxation === 'taxed' && !isExport && calculation.issuer.taxRegime !== 'Exempt';
  return {
    icms: icmsOf(situation, { isSimple, isTaxed, isExport }),
    ...(isTaxed && !isSimple ? shareOfDestination(situation) : {}),
    ...(isTaxed && !isSimple ? ipiOf(situation) : {}),
    ...contributionsOf(calculation.issuer.taxRegime, { isSimple, isTaxed }),
    ...(isTaxed && !isSimple ? reform : {}),
  };
}

interface Kind {
  readonly isSimple: boolean;
  readonly isTaxed: boolean;
}

function icmsOf(situation: Situation, kind: Kind & { readonly isExport: boolean }): Record<string, string> {
  const { item, taxation } = situation;
  const orig = String(
    Math.max(
      0,
      origins.findIndex((each) => each === item.origin),
    ),
  );
  if (kind.isSimple) return { orig, csosn: kind.isExport ? '300' : '102' };
  if (kind.isTaxed) return { orig, cst: '00', modBC: '3', pICMS: rateOf(situation) };
  if (taxation === 'suspended') return { orig, cst: '50' };
  return { orig, cst: kind.isExport ? '41' : '40' };
}

/** Imports are taxed at the rate of the state of destination. */
function rateOf({ calculation: { issuer, recipient }, item, isAbroad, isInside }: Situation): string {
  if (isAbroad) return internalRate(issuer.state === 'EX' ? recipient.state : issuer.state);
  return isInside ? internalRate(issuer.state) : interstateRate(issuer.state, recipient.state, item.origin);
}

/**
 * Constitutional amendment 87/2015: the difference of rates, for a recipient in another state who is not an ICMS
 * contributor.
 */
function shareOfDestination({ calculation, item, isAbroad, isInside }: Situation): TaxRules {
  const { issuer, recipient } = calculation;
  if (isAbroad || isInside || !nonContributors.includes(item.recipientProfile)) return {};
  return {
    icmsUfDest: {
      pFCPUFDest: '0.00',
      pICMSUFDest: internalRate(recipient.state),
      pICMSInter: interstateRate(issuer.state, recipient.state, item.origin),
      pICMSInterPart: '100.00',
    },
  };
}

function ipiOf({ item }: Situation): TaxRules {
  if (!industries.includes(item.issuerProfile)) return {};
  return { ipi: { cEnq: '999', cst: '50', pIPI: '5.00' } };
}

/** Real profit: not cumulative. Presumed profit and the others: cumulative. */
function contributionsOf(regime: string, { isSimple, isTaxed }: Kind): TaxRules {
  if (isSimple) return { pis: { cst: '49' }, cofins: { cst: '49' } };
  if (!isTaxed) return { pis: { cst: '08' }, cofins: { cst: '08' } };
  const [pPIS, pCOFINS] = regime === 'RealProfit' ? ['1.65', '7.60'] : ['0.65', '3.00'];
  return { pis: { cst: '01', pPIS }, cofins: { cst: '01', pCOFINS } };
}

/** Technical note 2025.002: the rates of the test year. */
const reform: TaxRules = {
  ibs: { cst: '000', cClassTrib: '000001', pIBS: '0.10' },
  cbs: { cst: '000', cClassTrib: '000001', pCBS: '0.90' },
};

/**
 * §1: custom rules of the registry take precedence over the engine: the first matching scenario of an Active product
 * with the item's SKU. The general rule fills the rest.
 */
function productRule(
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

function groupOf({ content }: StoredProduct, calculation: Calculation, item: Item): Fields | undefined {
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

/** Without a list the rule applies to all; an absent field of an entry matches all values. */
function fits(list: unknown, participant: Readonly<Record<string, unknown>>): boolean {
  const entries = records(list);
  return (
    entries.length === 0 ||
    entries.some((entry) => Object.entries(entry).every(([name, value]) => participant[name] === value))
  );
}

function ruleOf({ cfop, ...groups }: Fields): Pick<Rule, 'taxes'> & Partial<Rule> {
  const taxes: TaxRules = Object.fromEntries(
    Object.entries(groups).flatMap(([name, group]) => (isRecord(group) ? [[name, textsOf(group)]] : [])),
  );
  return { ...(typeof cfop === 'string' ? { cfop } : {}), taxes };
}

function textsOf(group: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(group).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

function records(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
