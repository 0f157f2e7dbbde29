import { isRecord } from '../core/exact-json.js';
import type { Fields } from '../core/records.js';
import type { ApiErrorDetail } from '../../contract/error-body.js';
import { businessPlace } from '../core/identity.js';
import { calculateTaxes } from '../tax/calculate.js';
import { readCalculation } from '../tax/read-calculation.js';
import { itemsOf, type ReadInvoice } from './read-invoice.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';

interface Issuer {
  readonly tenantId: string;
  readonly companyId: string;
}

/**
 * §1: an item with `taxDetermination` gets its taxes from the engine; the rules of a product whose SKU is the item's
 * `code` take precedence. Taxes that the item contains stay. Throws 400 or 422 if the engine rejects the item.
 */
export function determineTaxes(core: Core, issuer: Issuer, read: ReadInvoice): ReadInvoice {
  const items = itemsOf(read.content, 'items');
  const asked = items.flatMap((item, index) => (isRecord(item['taxDetermination']) ? [index] : []));
  if (asked.length === 0) return read;
  const body = {
    ...participantsOf(core, issuer, read.content),
    operationType: read.content['operationType'] ?? 'Outgoing',
    items: asked.map((index) => engineItem(items[index] ?? {}, index)),
  };
  const { items: determined } = refusing(asked, () =>
    calculateTaxes(core, issuer.tenantId, readCalculation(body)),
  );
  const byId = new Map(determined.map(({ id, cfop, lastModified: _when, ...tax }) => [id, { cfop, tax }]));
  const content = {
    ...read.content,
    items: items.map((item, index) => {
      const result = byId.get(String(index));
      if (result === undefined) return item;
      const given = isRecord(item['tax']) ? item['tax'] : {};
      return { cfop: result.cfop, ...item, tax: { ...result.tax, ...given } };
    }),
  };
  return { ...read, content };
}

/** The tax engine has words of its own for the regimes of companies. */
const engineRegimes: ReadonlyMap<string, string> = new Map([
  ['LucroReal', 'RealProfit'],
  ['LucroPresumido', 'PresumedProfit'],
  ['SimplesNacional', 'NationalSimple'],
  ['SimplesNacionalExcessoSublimite', 'NationalSimpleSublimitExceeded'],
  ['MicroempreendedorIndividual', 'IndividualMicroEnterprise'],
  ['Isento', 'Exempt'],
]);

function participantsOf(core: Core, { tenantId, companyId }: Issuer, content: Fields): object {
  const company = core.companies.find(tenantId, companyId);
  const { address: stored, taxRegime } = company?.details ?? {};
  const invented = businessPlace(company?.federalTaxNumber ?? companyId).state;
  const state = (isRecord(stored) ? stored['state'] : undefined) ?? invented;
  const buyer = isRecord(content['buyer']) ? content['buyer'] : {};
  const address = isRecord(buyer['address']) ? buyer['address'] : {};
  return {
    issuer: { state, taxRegime: engineRegimes.get(String(taxRegime)) ?? 'RealProfit' },
    recipient: { state: address['state'] ?? state },
  };
}

function engineItem(item: Fields, index: number): Fields {
  const asked = isRecord(item['taxDetermination']) ? item['taxDetermination'] : {};
  const amounts = ['freightAmount', 'insuranceAmount', 'discountAmount', 'othersAmount'];
  const { buyerTaxProfile, ...determination } = asked;
  return {
    origin: 'National',
    ...(buyerTaxProfile === undefined ? {} : { recipientTaxProfile: buyerTaxProfile }),
    ...determination,
    id: String(index),
    quantity: item['quantity'],
    unitAmount: item['unitAmount'],
    ...(item['code'] === undefined ? {} : { sku: item['code'] }),
    ...Object.fromEntries(amounts.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]]))),
  };
}

/** Names a rejected field by its path in the invoice. */
function refusing<Result>(asked: readonly number[], calculate: () => Result): Result {
  try {
    return calculate();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const details = error.details.map((detail) => inInvoice(asked, detail));
    throw new Refusal(error.code, 'The tax engine rejects an item.', { details });
  }
}

function inInvoice(asked: readonly number[], { field, message }: ApiErrorDetail): ApiErrorDetail {
  const [, position = '0', rest = ''] = /^items\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
  const name = rest === 'recipientTaxProfile' ? 'buyerTaxProfile' : rest;
  return { field: `items[${asked[Number(position)] ?? position}].taxDetermination.${name}`, message };
}
