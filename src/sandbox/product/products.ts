import type { ApiErrorDetail } from '../../contract/error-body.js';
import type { OperationId } from '../../contract/operations.js';
import { issuerTaxProfiles, origins, recipientTaxProfiles, taxRegimes } from '../../contract/product.js';
import type { Core } from '../core/core.js';
import { type ExactNumber, onlySet, isExactNumber, isRecord } from '../core/exact-json.js';
import type { Fields, StoredProduct } from '../core/records.js';
import { Refusal, invalid } from '../core/refusal.js';
import type { Call, HandlersOf, Reply } from '../http/handler.js';
import { announceProduct } from '../webhook/announce.js';
import { canonicalValue, join, states, withCanonicalNames } from './vocabulary.js';

/**
 * The product registry (§4). The service promises neither uniqueness nor idempotency of a create, so the same SKU,
 * and even the same Idempotency-Key, creates a second product: the hardest case for a client.
 */
export const productHandlers: HandlersOf<Extract<OperationId, `product.${string}`>> = {
  'product.create': create,
  'product.get': get,
  'product.update': update,
  'product.revalidate': revalidate,
};

function create(core: Core, call: Call<'product.create'>): Reply {
  const content = readProduct(call.body);
  const sku = skuOf(content);
  if (sku === '') throw invalid('sku', 'Is required.');
  const named = { id: core.chance.uuid(), tenantId: call.caller.tenantId };
  const product = { ...named, content, status: 'Created', errorMessage: null, revision: 1 } as const;
  core.products.put(product);
  startValidation(core, product);
  const effect = { created: 'product', id: product.id, sku };
  return { status: 201, body: { id: product.id }, effect, ...bill(core, call.operation, product) };
}

function get(core: Core, call: Call<'product.get'>): Reply {
  const { id, content, status, errorMessage } = find(core, call.path);
  const answer = { id, ...content, status, ...onlySet({ errorMessage }) };
  return { status: 200, body: answer };
}

/** Replaces the content; without a SKU the old one stays (assumed). The validation restarts (assumed). */
function update(core: Core, call: Call<'product.update'>): Reply {
  const before = find(core, call.path);
  const given = readProduct(call.body);
  const sku = skuOf(given) === '' ? skuOf(before.content) : skuOf(given);
  const product = restart(core, { ...before, content: { ...given, sku } });
  const effect = { updated: 'product', id: product.id, sku };
  return { status: 204, effect, ...bill(core, call.operation, product) };
}

/** Answers with the current status. A finished validation restarts if there are rules (assumed). */
function revalidate(core: Core, call: Call<'product.revalidate'>): Reply {
  const product = find(core, call.path);
  const { id, content, status, errorMessage } = product;
  const isFinished = status === 'Active' || status === 'Error';
  if (!isFinished || !hasTaxRules(content)) {
    return { status: 200, body: { status, ...onlySet({ errorMessage }) } };
  }
  restart(core, product);
  return { status: 200, body: { status: 'Created' }, effect: { revalidated: 'product', id, sku: skuOf(content) } };
}

/** The validation begins again. */
function restart(core: Core, product: StoredProduct): StoredProduct {
  const { revision } = product;
  const changed = { ...product, status: 'Created', errorMessage: null, revision: revision + 1 } as const;
  core.products.put(changed);
  startValidation(core, changed);
  return changed;
}

function find(core: Core, path: { readonly tenantId: string; readonly productId: string }): StoredProduct {
  const product = core.products.get(path.productId);
  if (product?.tenantId === path.tenantId) return product;
  throw new Refusal('not_found', 'There is no product with this id.');
}

function skuOf(content: Fields): string {
  return typeof content['sku'] === 'string' ? content['sku'] : '';
}

/** §1: creating or updating products with tax rules records engine consumption. */
function bill(
  core: Core,
  operation: string,
  product: Pick<StoredProduct, 'id' | 'tenantId' | 'content'>,
): Pick<Reply, 'billed'> {
  if (!hasTaxRules(product.content)) return {};
  const { id: resourceId, tenantId } = product;
  core.usage.add({ at: core.clock.now(), tenantId, operation, action: 'engine', resourceId });
  return { billed: 'engine' };
}

/** Checks the body of create and update: types, names and lengths. The background validation checks the rest. */
export function readProduct(body: unknown): Fields {
  const canonical = withCanonicalNames(body);
  const faults: ApiErrorDetail[] = [];
  const product = isRecord(canonical) ? productOf(canonical, faults) : {};
  if (!isRecord(canonical)) faults.push({ field: '', message: 'Must be an object.' });
  if (faults.length > 0) {
    throw new Refusal('validation_error', 'The product is not valid.', { details: faults });
  }
  return product;
}

type Report = ApiErrorDetail[];
type Check = (value: unknown, path: string, report: Report) => unknown;

const productChecks: Readonly<Record<string, Check>> = {
  collectionId: text(60),
  sku: text(60),
  description: text(120),
  gtin: text(14),
  origin: oneOf(origins),
  taxRegime: oneOf(taxRegimes),
  tax: object({ ncm: text(8), cest: text(7) }),
  customTax: scenarios,
  intraState: taxGroup,
  interState: taxGroup,
};

const scenarioChecks: Readonly<Record<string, Check>> = {
  operationCode: integer,
  issuer: list({ taxRegime: spelled(taxRegimes), taxProfile: spelled(issuerTaxProfiles), state: oneOf(states) }),
  recipient: list({ taxProfile: spelled(recipientTaxProfiles), state: oneOf(states) }),
  intraState: taxGroup,
  interState: taxGroup,
};

function productOf(fields: Fields, report: Report): Fields {
  // Fields that only the service sets.
  const { id: _id, status: _status, errorMessage: _errorMessage, ...given } = fields;
  return checkFields(productChecks)(given, '', report);
}

function checkFields(checks: Readonly<Record<string, Check>>) {
  return (fields: Fields, path: string, report: Report): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => {
        const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
        return [name, check === undefined ? value : check(value, join(path, name), report)];
      }),
    );
}

/** §2 shows `customTax` as an object, the public description as a list: a single scenario becomes a list of one. */
function scenarios(value: unknown, path: string, report: Report): unknown {
  return list(scenarioChecks)(isRecord(value) ? [value] : value, path, report);
}

function text(limit: number): Check {
  return (value, path, report) => {
    if (typeof value !== 'string') report.push({ field: path, message: 'Must be text.' });
    else if (value.length > limit) {
      report.push({ field: path, message: `Must have at most ${limit} characters.` });
    }
    return value;
  };
}

function integer(value: unknown, path: string, report: Report): unknown {
  if (!Number.isSafeInteger(value)) report.push({ field: path, message: 'Must be an integer.' });
  return value;
}

function oneOf(names: readonly string[]): Check {
  return (value, path, report) => {
    const canonical = typeof value === 'string' ? canonicalValue(names, value) : undefined;
    if (canonical === undefined) {
      report.push({ field: path, message: `Must be one of: ${names.join(', ')}.` });
    }
    return canonical;
  };
}

/** Normalizes a known value; the background validation reports an unknown one. */
function spelled(names: readonly string[]): Check {
  return (value, path, report) => {
    if (typeof value === 'string') return canonicalValue(names, value) ?? value;
    report.push({ field: path, message: 'Must be text.' });
    return value;
  };
}

function object(checks: Readonly<Record<string, Check>>): Check {
  return (value, path, report) => {
    if (isRecord(value)) return checkFields(checks)(value, path, report);
    report.push({ field: path, message: 'Must be an object.' });
    return value;
  };
}

function list(checks: Readonly<Record<string, Check>>): Check {
  return (value, path, report) => {
    if (Array.isArray(value)) {
      return value.map((element, index) => object(checks)(element, `${path}[${index}]`, report));
    }
    report.push({ field: path, message: 'Must be a list.' });
    return value;
  };
}

/** A tax group with its values as text: JSON numbers are converted (§2, convention 3). */
function taxGroup(value: unknown, path: string, report: ApiErrorDetail[]): unknown {
  if (!isRecord(value)) {
    report.push({ field: path, message: 'Must be an object.' });
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, taxValue(field, join(path, name), report)]),
  );
}

function taxValue(value: unknown, path: string, report: ApiErrorDetail[]): unknown {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || isExactNumber(value)) return plainText(value);
  if (isRecord(value)) {
    return taxGroup(value, path, report);
  }
  report.push({ field: path, message: 'Must be text or a number.' });
  return value;
}

/** Digits and a point, never an exponent. */
function plainText(value: number | ExactNumber): string {
  const text = String(value);
  if (!/e/i.test(text)) return text;
  return Number(text).toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
}

/**
 * The rules for valid tax rules of a product in this sandbox. The service document shows none ("not shown"), so these
 * are assumed; the background validation checks them, and `errorMessage` contains the first failures.
 *
 * 1. A scenario has an operationCode and at least one of intraState and interState.
 * 2. operationCode is 0 to 999.
 * 3. Tax regimes and profiles of issuers and recipients are in the lists of `vocabulary.ts`.
 * 4. A CFOP has four digits in a known form, and its first digit matches the direction (table below).
 * 5. CST and CSOSN are in the lists below.
 * 6. Fields named p + capital (pICMS, pPIS, …) are rates: text from 0 to 100 with up to four decimals. pMVAST is a
 * margin and may exceed 100.
 */

/** First digit of the CFOP, entry and exit, by direction (Ajuste SINIEF S/N 1970, annex of CFOPs). */
const cfopDigits = {
  intraState: '15',
  interState: '26',
  /** For interState with an issuer or recipient in EX. */
  abroad: '37',
} as const;

/** First digit 1-3 or 5-7; the group digit is never 0. */
const cfopForm = /^[123567][1-9]\d{2}$/;

const numbers = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index).padStart(2, '0'));

/** Two-digit CST of ICMS, monophase fuels included. */
const icms = '00 02 10 12 13 15 20 30 40 41 50 51 52 53 60 61 70 72 74 90'.split(' ');
const contributions = [...numbers(1, 9), '49', ...numbers(50, 56), ...numbers(60, 67), ...numbers(70, 75), '98', '99'];

const situationCodes: Readonly<Record<string, readonly string[]>> = { icms, pis: contributions, cofins: contributions };

/** The codes (CSOSN) of companies in the Simples Nacional. */
const simpleSituationCodes = '101 102 103 201 202 203 300 400 500 900'.split(' ');

const rateName = /^p[A-Z]/;
const rateForm = /^(?:\d{1,2}(?:\.\d{1,4})?|100(?:\.0{1,4})?)$/;
const marginName = /^pMVA/;
const marginForm = /^\d{1,4}(?:\.\d{1,4})?$/;

const highestOperationCode = 999;

/**
 * Starts the background validation of a stored product (§3). With rules: half of the delay in `Created`, half in
 * `CustomTaxPending`. Without rules: `Created`, then `Active` (assumed).
 */
export function startValidation(core: Core, product: Pick<StoredProduct, 'id' | 'content' | 'revision'>): void {
  const halfMs = Math.ceil(core.options.validationDelayMs / 2);
  const step = hasTaxRules(product.content) ? 'begin' : 'end';
  core.work.schedule('product-validation', core.clock.now() + halfMs, {
    id: product.id,
    revision: product.revision,
    step,
  });
}

/** Performs one step of the validation when it is due. */
export function validateProduct(core: Core, payload: unknown, at: number): void {
  if (!isRecord(payload)) return;
  const { id, revision, step } = payload;
  const product = typeof id === 'string' ? core.products.get(id) : undefined;
  // The content has changed since: a later row of work validates it.
  if (product === undefined || product.revision !== revision) return;
  if (step === 'begin') {
    core.products.put({ ...product, status: 'CustomTaxPending', errorMessage: null });
    const halfMs = Math.floor(core.options.validationDelayMs / 2);
    core.work.schedule('product-validation', at + halfMs, { id, revision, step: 'end' });
    return;
  }
  const reason = findInvalidRule(product.content);
  core.products.put({ ...product, status: reason === null ? 'Active' : 'Error', errorMessage: reason });
  announceProduct(core, product.id, at);
}

const shownFailures = 5;

/** Why the tax rules are not valid; `null`: they are valid. */
function findInvalidRule(content: Fields): string | null {
  const failures = records(content['customTax']).flatMap((scenario, index) =>
    scenarioFailures(scenario, `customTax[${index}]`),
  );
  if (failures.length === 0) return null;
  const more = failures.length - shownFailures;
  return [...failures.slice(0, shownFailures), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** True if the product has tax rules, which the service validates and bills (§1). */
export function hasTaxRules(content: Fields): boolean {
  return records(content['customTax']).length > 0;
}

function scenarioFailures(scenario: Fields, at: string): readonly string[] {
  return [
    ...operationFailures(scenario, at),
    ...participantFailures(scenario['issuer'], `${at}.issuer`, issuerTaxProfiles),
    ...participantFailures(scenario['recipient'], `${at}.recipient`, recipientTaxProfiles),
    ...directionFailures(scenario, at),
  ];
}

function operationFailures(scenario: Fields, at: string): readonly string[] {
  const code = scenario['operationCode'];
  const failures: string[] = [];
  if (code === undefined) failures.push(`${at}: operationCode is missing`);
  if (typeof code === 'number' && (code < 0 || code > highestOperationCode)) {
    failures.push(`${at}.operationCode ${code} is not in 0..${highestOperationCode}`);
  }
  if (scenario['intraState'] === undefined && scenario['interState'] === undefined) {
    failures.push(`${at}: a scenario needs intraState or interState`);
  }
  return failures;
}

function participantFailures(value: unknown, at: string, profiles: readonly string[]): readonly string[] {
  return records(value).flatMap((participant, index) => [
    ...notIn(participant['taxRegime'], taxRegimes, `${at}[${index}].taxRegime`),
    ...notIn(participant['taxProfile'], profiles, `${at}[${index}].taxProfile`),
  ]);
}

function directionFailures(scenario: Fields, at: string): readonly string[] {
  const everybody = [...records(scenario['issuer']), ...records(scenario['recipient'])];
  const isAbroad = everybody.some((participant) => participant['state'] === 'EX');
  const outside = cfopDigits.interState + (isAbroad ? cfopDigits.abroad : '');
  return [
    ...groupFailures(scenario['intraState'], `${at}.intraState`, cfopDigits.intraState),
    ...groupFailures(scenario['interState'], `${at}.interState`, outside),
  ];
}

function groupFailures(group: unknown, at: string, firstDigits: string): readonly string[] {
  if (!isRecord(group)) return [];
  const cfop = group['cfop'];
  const failures: string[] = [];
  if (cfop !== undefined && !(typeof cfop === 'string' && cfopForm.test(cfop))) {
    failures.push(`${at}.cfop ${shown(cfop)} is not a CFOP`);
  } else if (typeof cfop === 'string' && !firstDigits.includes(cfop.charAt(0))) {
    failures.push(`${at}.cfop ${shown(cfop)} must start with ${[...firstDigits].join(' or ')}`);
  }
  for (const [name, tax] of Object.entries(group)) {
    if (isRecord(tax)) failures.push(...taxFailures(tax, `${at}.${name}`, situationCodes[name]));
  }
  return failures;
}

function taxFailures(tax: Fields, at: string, codes: readonly string[] | undefined): readonly string[] {
  const failures = [
    ...(codes === undefined ? [] : notIn(tax['cst'], codes, `${at}.cst`)),
    ...notIn(tax['csosn'], simpleSituationCodes, `${at}.csosn`),
  ];
  for (const [name, value] of Object.entries(tax)) {
    if (!rateName.test(name)) continue;
    const form = marginName.test(name) ? marginForm : rateForm;
    if (typeof value !== 'string' || !form.test(value)) {
      failures.push(`${at}.${name} ${shown(value)} is not a rate from 0 to 100 with up to four decimals`);
    }
  }
  return failures;
}

function notIn(value: unknown, list: readonly string[], at: string): readonly string[] {
  if (value === undefined || (typeof value === 'string' && list.includes(value))) return [];
  return [`${at} ${shown(value)} is not known`];
}

function records(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 40);
}
