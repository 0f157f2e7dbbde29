import type { Fields } from '../core/records.js';
import {
  authorizers,
  municipalTaxEnvironments,
  specialTaxRegimes,
  stateTaxEnvironments,
  stateTaxTypes,
  switchAuthorizerStrategies,
  taxDeterminations,
} from '../../contract/tax-registration.js';
import { Refusal } from '../core/refusal.js';
import { type Check, object, oneOf, type Report, text, whole } from '../invoice/checks.js';
import { isRecord } from '../product/read-product.js';
import { states } from '../product/vocabulary.js';

const stateTax = object({
  required: {
    stateTax: object({
      required: { code: oneOf([...states, 'NA']), taxNumber: text(20), type: oneOf(stateTaxTypes) },
      optional: {
        environmentType: oneOf(stateTaxEnvironments),
        specialTaxRegime: oneOf(specialTaxRegimes),
        serie: whole(0, 999),
        number: whole(0, 999_999_999),
        securityCredential: object({ optional: { id: whole(0, 999_999), code: text(50) } }),
        processingDetails: object({
          optional: { switchAuthorizerStrategy: oneOf(switchAuthorizerStrategies) },
        }),
      },
    }),
  },
});

/** The wrapped body of create and update, without its wrapper. Throws a 400 with all problems. */
export function readStateTax(body: unknown): Fields {
  const fields = read(body, stateTax)['stateTax'];
  return isRecord(fields) ? withoutNull(fields) : {};
}

const municipalTax = object({
  required: {
    municipalTax: object({
      optional: {
        city: object({ optional: { code: text(7, /^\d{7}$/), name: text(60), state: oneOf(states) } }),
        taxNumber: text(20),
        environment: oneOf(municipalTaxEnvironments),
        specialTaxRegime: oneOf(specialTaxRegimes),
        federalTaxDetermination: oneOf(taxDeterminations),
        municipalTaxDetermination: oneOf(taxDeterminations),
      },
    }),
  },
});

/** The same for a municipal registration; no field is required (published). */
export function readMunicipalTax(body: unknown): Fields {
  const fields = read(body, municipalTax)['municipalTax'];
  return isRecord(fields) ? withoutNull(fields) : {};
}

const authorizer = object({ required: { authorizer: oneOf(authorizers) }, optional: { reason: text(255) } });

export function readSwitch(body: unknown): { readonly authorizer: string; readonly reason?: string } {
  const { authorizer: to, reason } = read(body, authorizer);
  return { authorizer: String(to), ...(typeof reason === 'string' ? { reason } : {}) };
}

function read(body: unknown, check: Check): Fields {
  const report: Report = [];
  check(body, '', report);
  if (report.length > 0 || !isRecord(body)) {
    throw new Refusal('validation_error', 'The registration is not valid.', { details: report });
  }
  return body;
}

function withoutNull(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
