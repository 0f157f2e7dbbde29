import {
  municipalTaxEnvironments,
  specialTaxRegimes,
  stateTaxEnvironments,
  stateTaxTypes,
  switchAuthorizerStrategies,
  taxDeterminations,
} from '../contract/tax-registration.js';
import { stateNames } from './address.js';
import {
  all,
  decimal,
  fields,
  type FieldRules,
  oneOf,
  type Rule,
  text,
  whole,
  type InvoiceFinding,
} from './invoice-rules.js';
import { joinField } from './json-numbers.js';
import { isRecord } from './record.js';

/**
 * Checks the body of a state registration before it is sent: the published fields and no others, and their values.
 * Returns the problems; an empty list: the body is valid.
 */
export function checkStateTax(stateTax: unknown): readonly InvoiceFinding[] {
  return rule(stateTax, '');
}

/** The fields that a write may have (published). */
export const stateTaxFields: readonly string[] = [
  'code',
  'environmentType',
  'taxNumber',
  'specialTaxRegime',
  'serie',
  'number',
  'securityCredential',
  'type',
  'processingDetails',
];

/** An object with these fields and no others: the service refuses an unknown one. */
function closed(rules: FieldRules): Rule {
  const known = new Set([...Object.keys(rules.required ?? {}), ...Object.keys(rules.optional ?? {})]);
  const onlyKnown: Rule = (value, field) =>
    Object.keys(isRecord(value) ? value : {})
      .filter((name) => !known.has(name))
      .map((name) => ({ field: joinField(field, name), message: unknownField }));
  return all(fields(rules), onlyKnown);
}

const unknownField = { en: 'is not a field of this request', pt: 'não é um campo desta requisição' };
const aTaxNumber = { en: 'must be 2 to 14 digits, or ISENTO', pt: 'deve ter de 2 a 14 algarismos, ou ser ISENTO' };

const rule = closed({
  required: {
    code: oneOf([...stateNames, 'NA']),
    taxNumber: text(18, { pattern: /^(?:ISENTO|(?:\D*\d){2,14}\D*)$/i, is: aTaxNumber }),
    type: oneOf(stateTaxTypes),
  },
  optional: {
    environmentType: oneOf(stateTaxEnvironments),
    specialTaxRegime: oneOf(specialTaxRegimes),
    serie: whole(0, 999),
    number: whole(1, 999_999_999),
    securityCredential: closed({ optional: { id: whole(0, 999_999), code: text(36) } }),
    processingDetails: closed({ optional: { switchAuthorizerStrategy: oneOf(switchAuthorizerStrategies) } }),
  },
});

/**
 * Checks the body of a municipal registration in the same way. City and number are required here, although the service
 * requires none: by them it is found again after an unknown outcome.
 */
export function checkMunicipalTax(municipalTax: unknown): readonly InvoiceFinding[] {
  return municipalRule(municipalTax, '');
}

/** The fields that a write may have (published). */
export const municipalTaxFields: readonly string[] = [
  ...['city', 'taxNumber', 'environment', 'specialTaxRegime', 'email', 'legalNature'],
  ...['companyRegistryNumber', 'regionalTaxNumber', 'issRate', 'federalTaxDetermination'],
  ...['municipalTaxDetermination', 'loginName', 'loginPassword', 'authIssueValue'],
  ...['rpsNumber', 'lastRpsSent', 'rpsSerialNumber'],
];

const anIbgeCode = { en: 'must be the IBGE code, 7 digits', pt: 'deve ser o código IBGE, 7 dígitos' };
const number = whole(0, Number.MAX_SAFE_INTEGER);

const municipalRule = closed({
  required: {
    city: closed({
      required: { code: text(7, { pattern: /^\d{7}$/, is: anIbgeCode }) },
      optional: { name: text(60), country: text(3), state: oneOf(stateNames) },
    }),
    taxNumber: text(20),
  },
  optional: {
    environment: oneOf(municipalTaxEnvironments),
    specialTaxRegime: oneOf(specialTaxRegimes),
    email: text(80, {
      pattern: /^[^\s@]+@[^\s@]+$/,
      is: { en: 'must be an e-mail address', pt: 'deve ser um e-mail' },
    }),
    legalNature: text(60),
    companyRegistryNumber: number,
    regionalTaxNumber: number,
    issRate: decimal(4),
    federalTaxDetermination: oneOf(taxDeterminations),
    municipalTaxDetermination: oneOf(taxDeterminations),
    loginName: text(100),
    loginPassword: text(200),
    authIssueValue: text(200),
    rpsNumber: number,
    lastRpsSent: number,
    rpsSerialNumber: text(10),
  },
});
