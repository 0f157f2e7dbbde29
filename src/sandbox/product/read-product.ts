import type { Fields } from '../core/records.js';
import type { ApiErrorDetail } from '../../contract/error-body.js';
import { issuerTaxProfiles, origins, recipientTaxProfiles, taxRegimes } from '../../contract/product.js';
import { Refusal } from '../core/refusal.js';
import { canonicalValue, join, states, withCanonicalNames } from './vocabulary.js';
import { type ExactNumber, isExactNumber } from '../core/exact-json.js';

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
  issuer: list({
    taxRegime: spelled(taxRegimes),
    taxProfile: spelled(issuerTaxProfiles),
    state: oneOf(states),
  }),
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

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
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
