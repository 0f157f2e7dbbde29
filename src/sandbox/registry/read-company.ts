import { isCnpj } from '../core/identity.js';
import { all, type Check, type Fields, object, type Report, text } from '../invoice/checks.js';
import { isRecord } from '../product/read-product.js';
import { taxRegimes } from '../../contract/product.js';
import { canonicalValue, states } from '../product/vocabulary.js';
import { invalid, Refusal } from '../core/refusal.js';

/** The fields of a company in a request. */
interface GivenCompany {
  readonly name: string;
  /** Absent in an update without it. */
  readonly federalTaxNumber: string | undefined;
  /** Trade name, tax regime, address and the other fields of the request. */
  readonly details: Fields;
}

/** facts §8: a CEP, with or without hyphen. */
const postalCodeForm = /^\d{5}-?\d{3}$/;
/** Fields that only the service sets. */
const notTaken = ['id', 'status', 'createdOn', 'modifiedOn'];

/** Accepts letters: the alphanumeric CNPJ is law since July 2026 (facts §1). */
const cnpj: Check = (value, path, report) => {
  if (typeof value === 'string' && !isCnpj(value, true)) {
    report.push({ field: path, message: 'Is not a valid CNPJ.' });
  }
};

const address = object({
  optional: {
    state: oneWordOf(states),
    city: object({ optional: { code: text(7, /^\d{7}$/), name: text(60) } }),
    district: text(60),
    additionalInformation: text(60),
    street: text(125),
    number: text(10),
    postalCode: text(9, postalCodeForm),
    country: text(3),
  },
});

/** Checks the wrapped body of create and update (public). Throws a 400 with all problems. */
export function readCompany(body: unknown): GivenCompany {
  if (!isRecord(body) || !isRecord(body['company'])) {
    throw invalid('company', 'Is required: the body is {"company": {…}}.');
  }
  const report: Report = [];
  const check = object({
    required: { name: text(115) },
    optional: {
      federalTaxNumber: all(text(14), cnpj),
      tradeName: text(60),
      taxRegime: oneWordOf(taxRegimes),
      address,
    },
  });
  check(body['company'], 'company', report);
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
    federalTaxNumber: typeof federalTaxNumber === 'string' ? federalTaxNumber : undefined,
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
