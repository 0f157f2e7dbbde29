import type { CertificateEnvelope } from '../../contract/certificate.js';
import type { Company, CompanyDetails, CompanyEnvelope } from '../../contract/company.js';
import type { OperationId } from '../../contract/operations.js';
import {
  certificateTrouble,
  noteMissing,
  receiveCertificate,
  showCertificate,
} from '../company/certificates.js';
import { requireCompany } from '../company/find-company.js';
import type { Core } from '../core/core.js';
import {
  type KnownCompany,
  type RegistrationKind,
  type StoredCertificate,
  type StoredCompany,
  families,
} from '../core/records.js';
import { Refusal, invalid } from '../core/refusal.js';
import type { Cursor } from '../core/resources.js';
import { registrationsOf } from '../core/stores.js';
import type { Call, HandlersOf, Reply } from '../http/handler.js';
import { readCompany } from '../registry/read-company.js';

/** Companies of the account: §4 documents the list; the rest is public. */
export const companyHandlers: HandlersOf<Extract<OperationId, `company.${string}`>> = {
  'company.list': list,
  'company.get': (core, call) => ({ status: 200, body: shown(core, find(core, call)) }),
  'company.create': create,
  'company.update': update,
  'company.delete': remove,
};

const defaultLimit = 10;
const highestLimit = 50;

/** Reads one extra row, to know whether there are more. */
function list(core: Core, call: Call<'company.list'>): Reply {
  const limit = limitOf(call.query.get('limit'));
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

/** A CNPJ of digits is an integer (published). */
function withNumber({ id, name, federalTaxNumber, status }: KnownCompany): Company {
  return {
    ...{ id, name, status },
    federalTaxNumber: /^\d+$/.test(federalTaxNumber) ? Number(federalTaxNumber) : federalTaxNumber,
  };
}

function limitOf(text: string | null): number {
  if (text === null) return defaultLimit;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > highestLimit) throw invalid('limit', `Must be from 1 to ${highestLimit}.`);
  return limit;
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

function find(
  core: Core,
  call: Call<'company.get'> | Call<'company.update'> | Call<'company.delete'>,
): StoredCompany {
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

/** The certificates of a company (§1 names them; paths and bodies public). */
export const certificateHandlers: HandlersOf<Extract<OperationId, `certificate.${string}`>> = {
  'certificate.list': listCertificates,
  'certificate.get': getCertificate,
  'certificate.upload': uploadCertificate,
  'certificate.delete': removeCertificate,
};

function listCertificates(core: Core, call: Call<'certificate.list'>): Reply {
  const companyId = requireCompany(core, call.caller.tenantId, call.path.companyId);
  const status = call.query.get('status')?.toLowerCase();
  const certificates = core.certificates
    .list(companyId)
    .map((each) => showCertificate(core, each))
    .filter((each) => status === undefined || each.status?.toLowerCase() === status);
  return { status: 200, body: { certificates } };
}

function getCertificate(core: Core, call: Call<'certificate.get'>): Reply {
  const body: CertificateEnvelope = { certificate: showCertificate(core, findCertificate(core, call)) };
  return { status: 200, body };
}

/** Stores neither the file nor its password. */
function uploadCertificate(core: Core, call: Call<'certificate.upload'>): Reply {
  const { companyId } = call.path;
  const company = core.companies.find(call.caller.tenantId, companyId);
  if (company === undefined) throw new Refusal('not_found', 'There is no company with this id.');
  const received = receiveCertificate(call.prepared.upload, company, core.clock.now());
  core.certificates.install({ companyId, ...received });
  const { thumbprint } = received;
  const certificate = showCertificate(core, { companyId, ...received, standing: 'installed' });
  const body: CertificateEnvelope = { certificate };
  return { status: 200, body, effect: { uploaded: 'certificate', companyId, thumbprint } };
}

/** Without a usable certificate every capture is spaced (§2). */
function removeCertificate(core: Core, call: Call<'certificate.delete'>): Reply {
  const found = findCertificate(core, call);
  const { companyId, thumbprint } = found;
  core.certificates.put({ ...found, standing: 'removed' });
  if (certificateTrouble(core, companyId) === 'CertificateMissing') noteMissing(core, companyId);
  return { status: 204, effect: { deleted: 'certificate', companyId, thumbprint } };
}

/** The case of the thumbprint does not matter. */
function findCertificate(
  core: Core,
  call: Call<'certificate.get'> | Call<'certificate.delete'>,
): StoredCertificate {
  const companyId = requireCompany(core, call.caller.tenantId, call.path.companyId);
  const thumbprint = call.path.thumbprint.toUpperCase();
  const found = core.certificates.list(companyId).find((each) => each.thumbprint === thumbprint);
  if (found !== undefined) return found;
  throw new Refusal('not_found', 'The company has no certificate with this thumbprint.');
}
