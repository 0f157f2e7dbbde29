import { isRecord } from '../core/exact-json.js';
import type { Fields } from '../core/records.js';
import { companyTaxRegimes } from '../../contract/company.js';
import { isCnpj } from '../core/identity.js';
import { invalid, Refusal } from '../core/refusal.js';
import { type Check, object, type Report, text } from '../invoice/checks.js';
import { canonicalValue, states } from '../product/vocabulary.js';

/** The fields of a company in a request. */
interface GivenCompany {
  readonly name: string;
  /** CNPJ of 14 characters. */
  readonly federalTaxNumber: string;
  /** Trade name, tax regime, address and the other fields of the request. */
  readonly details: Fields;
}

/** facts §8: a CEP, with or without hyphen. */
const postalCodeForm = /^\d{5}-?\d{3}$/;
/** Fields that only the service sets. A lenient service ignores them. */
const notTaken = ['id', 'status', 'stateTaxes', 'municipalTaxes', 'createdOn', 'modifiedOn'];
/** The published words; `None` is one of them. */
const taxRegimes = [...companyTaxRegimes, 'None'];

/** An integer, which has lost its leading zeros (published); text only reaches this far in a lenient service. */
function cnpjOf(value: unknown): string {
  return typeof value === 'number' ? String(value).padStart(14, '0') : String(value);
}

/** Letters, which only text carries: the alphanumeric CNPJ is law since July 2026 (facts §1). */
const cnpj: Check = (value, path, report) => {
  if (!isCnpj(cnpjOf(value), typeof value === 'string')) {
    report.push({ field: path, message: 'Is not a valid CNPJ.' });
  }
};

const address = object({
  required: {
    state: oneWordOf(states),
    city: object({ required: { code: text(7, /^\d{7}$/), name: text(60) } }),
    district: text(60),
    street: text(125),
    number: text(10),
    postalCode: text(9, postalCodeForm),
    country: text(3),
  },
  optional: { additionalInformation: text(60) },
});

const company = object({
  required: {
    name: text(115),
    federalTaxNumber: cnpj,
    taxRegime: oneWordOf(taxRegimes),
    address,
  },
  optional: { tradeName: text(60), accountId: text(255), municipalTaxNumber: text(255) },
});

/** Checks the wrapped body of create and update (published). Throws a 400 with all problems. */
export function readCompany(body: unknown): GivenCompany {
  if (!isRecord(body) || !isRecord(body['company'])) {
    throw invalid('company', 'Is required: the body is {"company": {…}}.');
  }
  const report: Report = [];
  company(body['company'], 'company', report);
  if (report.length > 0)
    throw new Refusal('validation_error', 'The company is not valid.', { details: report });
  return given(body['company']);
}

/** One of these values, in any letter case (§2, convention 2). */
function oneWordOf(words: readonly string[]): Check {
  return (value, path, report) => {
    if (typeof value === 'string' && canonicalValue(words, value) !== undefined) return;
    report.push({ field: path, message: `Must be one of: ${words.join(', ')}.` });
  };
}

/** Normalizes values: canonical names, a CEP without hyphen, no null (§2, conventions 2 and 4). */
function given({ name, federalTaxNumber, ...others }: Fields): GivenCompany {
  const details = Object.entries(others).filter(
    ([field, value]) => value !== null && !notTaken.includes(field),
  );
  return {
    name: String(name).trim(),
    federalTaxNumber: cnpjOf(federalTaxNumber),
    details: Object.fromEntries(details.map(([field, value]) => [field, canonical(field, value)])),
  };
}

function canonical(field: string, value: unknown): unknown {
  if (field === 'taxRegime' && typeof value === 'string') return canonicalValue(taxRegimes, value) ?? value;
  if (field !== 'address' || !isRecord(value)) return value;
  const { state, postalCode } = value;
  return {
    ...value,
    ...(typeof state === 'string' ? { state: state.toUpperCase() } : {}),
    ...(typeof postalCode === 'string' ? { postalCode: postalCode.replace('-', '') } : {}),
  };
}
