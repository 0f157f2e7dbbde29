import type { Content } from './products.js';
import { isRecord } from './read-product.js';
import {
  cfopDigits,
  cfopForm,
  highestOperationCode,
  marginForm,
  marginName,
  rateForm,
  rateName,
  simpleSituationCodes,
  situationCodes,
} from './validity-rules.js';
import { issuerProfiles, recipientProfiles, taxRegimes } from './vocabulary.js';

const shownFailures = 5;

/** The reason why the tax rules are not valid, or `null` when they are. */
export function findInvalidRule(content: Content): string | null {
  const failures = records(content['customTax']).flatMap((scenario, index) =>
    scenarioFailures(scenario, `customTax[${index}]`),
  );
  if (failures.length === 0) return null;
  const more = failures.length - shownFailures;
  return [...failures.slice(0, shownFailures), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** Whether there is something to validate, and something that the engine bills (§1). */
export function hasTaxRules(content: Content): boolean {
  return records(content['customTax']).length > 0;
}

function scenarioFailures(scenario: Content, at: string): readonly string[] {
  return [
    ...operationFailures(scenario, at),
    ...participantFailures(scenario['issuer'], `${at}.issuer`, issuerProfiles),
    ...participantFailures(scenario['recipient'], `${at}.recipient`, recipientProfiles),
    ...directionFailures(scenario, at),
  ];
}

function operationFailures(scenario: Content, at: string): readonly string[] {
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

function directionFailures(scenario: Content, at: string): readonly string[] {
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

function taxFailures(tax: Content, at: string, codes: readonly string[] | undefined): readonly string[] {
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

function records(value: unknown): readonly Content[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 40);
}
