import type { Fields, StoredProduct } from '../core/records.js';
import type { Core } from '../core/core.js';
import { announceProduct } from '../webhook/announce.js';
import { isRecord } from './read-product.js';
import { issuerTaxProfiles, recipientTaxProfiles, taxRegimes } from '../../contract/product.js';

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
const contributions = [
  ...numbers(1, 9),
  '49',
  ...numbers(50, 56),
  ...numbers(60, 67),
  ...numbers(70, 75),
  '98',
  '99',
];

const situationCodes: Readonly<Record<string, readonly string[]>> = {
  icms,
  pis: contributions,
  cofins: contributions,
};

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
export function startValidation(
  core: Core,
  product: Pick<StoredProduct, 'id' | 'content' | 'revision'>,
): void {
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
