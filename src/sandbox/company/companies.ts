import { type Company, type CompanyDetails, type CompanyEnvelope, companyTaxRegimes } from '../../contract/company.js';
import type { OperationId } from '../../contract/operations.js';
import { type Check, cursorLimit, object, readBody, text, word } from '../core/checks.js';
import type { Core } from '../core/core.js';
import { isRecord } from '../core/exact-json.js';
import { isCnpj, shownNumber } from '../core/identity.js';
import {
  type Fields,
  type KnownCompany,
  type RegistrationKind,
  type StoredCompany,
  families,
} from '../core/records.js';
import { Refusal, invalid } from '../core/refusal.js';
import type { Cursor } from '../core/resources.js';
import { registrationsOf } from '../core/stores.js';
import type { Call, HandlersOf, Reply } from '../http/handler.js';
import { states, withCanonicalWords } from '../product/vocabulary.js';

/** Companies of the account: §4 documents the list; the rest is public. */
export const companyHandlers: HandlersOf<Extract<OperationId, `company.${string}`>> = {
  'company.list': list,
  'company.get': (core, call) => ({ status: 200, body: shown(core, find(core, call)) }),
  'company.create': create,
  'company.update': update,
  'company.delete': remove,
};

/** Reads one extra row, to know whether there are more. */
function list(core: Core, call: Call<'company.list'>): Reply {
  const limit = cursorLimit(call.query);
  const cursor = cursorOf(call.query);
  const found = core.companies.page(call.caller.tenantId, limit + 1, cursor);
  if (found === undefined) {
    const field = cursor?.side === 'before' ? 'endingBefore' : 'startingAfter';
    throw invalid(field, 'Must be the id of a company of this account.');
  }
  // The extra row is on the far side of the cursor.
  const rows = cursor?.side === 'before' ? found.slice(-limit) : found.slice(0, limit);
  return { status: 200, body: { companies: rows.map(withNumber), hasMore: found.length > limit } };
}

function cursorOf(query: URLSearchParams): Cursor | undefined {
  const [after, before] = [query.get('startingAfter'), query.get('endingBefore')];
  if (before === null) return after === null ? undefined : { side: 'after', id: after };
  if (after !== null) throw invalid('endingBefore', 'Is not taken together with startingAfter.');
  return { side: 'before', id: before };
}

function withNumber({ id, name, federalTaxNumber, status }: KnownCompany): Company {
  return { ...{ id, name, status }, federalTaxNumber: shownNumber(federalTaxNumber) };
}

/** One company per CNPJ and account: a second one is a conflict (assumed). */
function create(core: Core, call: Call<'company.create'>): Reply {
  const { tenantId } = call.caller;
  const { name, federalTaxNumber, details } = readCompany(call.body);
  const before = core.companies.withTaxNumber(tenantId, federalTaxNumber);
  if (before !== undefined) {
    throw new Refusal('conflict', `The account has a company with this CNPJ already: ${before.id}.`);
  }
  const at = core.clock.now();
  const company: StoredCompany = {
    id: core.chance.uuid(),
    tenantId,
    name,
    federalTaxNumber,
    status: 'Active',
    details,
    createdOn: at,
    modifiedOn: at,
  };
  core.companies.put(company);
  core.certificates.withhold(company, at);
  const effect = { created: 'company', id: company.id, federalTaxNumber };
  return { status: 200, body: shown(core, company), effect };
}

/** Replaces the whole company; the CNPJ does not change (assumed). */
function update(core: Core, call: Call<'company.update'>): Reply {
  const before = find(core, call);
  const { name, federalTaxNumber, details } = readCompany(call.body);
  if (federalTaxNumber !== before.federalTaxNumber) {
    throw invalid('company.federalTaxNumber', 'The CNPJ of a company does not change.');
  }
  const company = { ...before, name, details, modifiedOn: core.clock.now() };
  core.companies.put(company);
  return { status: 200, body: shown(core, company), effect: { updated: 'company', id: company.id } };
}

/** Soft delete: the row stays, every route answers 404, and captures stop. */
function remove(core: Core, call: Call<'company.delete'>): Reply {
  const { id } = find(core, call);
  for (const family of families) core.captures.set(id, family, false);
  core.companies.remove(id, core.clock.now());
  return { status: 204, effect: { deleted: 'company', id } };
}

function find(core: Core, call: Call<'company.get'> | Call<'company.update'> | Call<'company.delete'>): StoredCompany {
  const company = core.companies.find(call.caller.tenantId, call.path.companyId);
  if (company !== undefined) return company;
  throw new Refusal('not_found', 'There is no company with this id.');
}

/** The times of the account's first company are unknown. */
function shown(core: Core, company: StoredCompany): CompanyEnvelope<CompanyDetails> {
  const { id, name, federalTaxNumber, status, details, createdOn, modifiedOn } = company;
  return {
    company: {
      ...details,
      ...withNumber({ id, name, federalTaxNumber, status }),
      stateTaxes: registrationIds(core, id, 'state'),
      municipalTaxes: registrationIds(core, id, 'municipal'),
      ...(createdOn === 0 ? {} : { createdOn: new Date(createdOn).toISOString() }),
      ...(modifiedOn === 0 ? {} : { modifiedOn: new Date(modifiedOn).toISOString() }),
    },
  };
}

/** A company shows its registrations as ids (published). */
function registrationIds(core: Core, companyId: string, kind: RegistrationKind): readonly string[] {
  return core.taxRegistrations.of(registrationsOf(companyId, kind)).map(({ id }) => id);
}

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
    state: word(states),
    city: object({ required: { code: text(7, /^\d{7}$/), name: text(60) } }),
    district: text(60),
    street: text(125),
    number: text(10),
    postalCode: text(9, postalCodeForm),
    country: text(3),
  },
  optional: { additionalInformation: text(60) },
});

const companyBody = object({
  required: {
    company: object({
      required: { name: text(115), federalTaxNumber: cnpj },
      // One of the published descriptions requires the regime and the address, another one neither.
      optional: {
        ...{ taxRegime: word(taxRegimes), address },
        ...{ tradeName: text(60), accountId: text(255), municipalTaxNumber: text(255) },
      },
    }),
  },
});

/** Checks the wrapped body of create and update (published). Throws a 400 with all problems. */
export function readCompany(body: unknown): GivenCompany {
  if (!isRecord(body) || !isRecord(body['company'])) {
    throw invalid('company', 'Is required: the body is {"company": {…}}.');
  }
  readBody(body, companyBody, 'company');
  return given(body['company']);
}

/** Normalizes values: canonical names, a CEP without hyphen, no null (§2, conventions 2 and 4). */
function given({ name, federalTaxNumber, ...others }: Fields): GivenCompany {
  const details = Object.entries(others).filter(([field, value]) => value !== null && !notTaken.includes(field));
  return {
    name: String(name).trim(),
    federalTaxNumber: cnpjOf(federalTaxNumber),
    details: withCanonicalWords(
      Object.fromEntries(details.map(([field, value]) => [field, field === 'address' ? plainAddress(value) : value])),
      { taxRegime: taxRegimes, state: states },
    ),
  };
}

function plainAddress(value: unknown): unknown {
  if (!isRecord(value) || typeof value['postalCode'] !== 'string') return value;
  return { ...value, postalCode: value['postalCode'].replace('-', '') };
}
