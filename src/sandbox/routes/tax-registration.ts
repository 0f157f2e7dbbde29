import { registrationsOf } from '../core/stores.js';
import type { RegistrationKind, StoredRegistration } from '../core/records.js';
import type { OperationId } from '../../contract/operations.js';
import type { Core } from '../core/core.js';
import { invalid, Refusal } from '../core/refusal.js';
import { whole } from '../inbound/nfse-page.js';
import { requireCompany } from '../manifestation/find-company.js';
import { readMunicipalTax, readStateTax, readSwitch } from '../registry/read-registration.js';
import type { Call, HandlersOf, Reply } from './handler.js';

type RegistrationOperation = Extract<OperationId, `${'stateTax' | 'municipalTax'}.${string}`>;

/**
 * State and municipal registrations of a company (public). A second one with the same number is not refused: nothing is
 * published of it.
 */
export const taxRegistrationHandlers: HandlersOf<RegistrationOperation> = {
  'stateTax.list': (core, call) => list(core, call, 'state'),
  'stateTax.get': (core, call) => get(core, call, { kind: 'state', id: call.path.stateTaxId }),
  'stateTax.create': (core, call) => create(core, call, 'state'),
  'stateTax.update': (core, call) => update(core, call, { kind: 'state', id: call.path.stateTaxId }),
  'stateTax.switchAuthorizer': switchAuthorizer,
  'municipalTax.list': (core, call) => list(core, call, 'municipal'),
  'municipalTax.get': (core, call) => get(core, call, { kind: 'municipal', id: call.path.municipalTaxId }),
  'municipalTax.create': (core, call) => create(core, call, 'municipal'),
  'municipalTax.update': (core, call) =>
    update(core, call, { kind: 'municipal', id: call.path.municipalTaxId }),
};

interface Named {
  readonly kind: RegistrationKind;
  readonly id: string;
}

type RegistrationCall = Pick<Call<'stateTax.list'>, 'caller' | 'path' | 'query' | 'body'>;

const envelopes = { state: 'stateTax', municipal: 'municipalTax' } as const;
const lists = { state: 'stateTaxes', municipal: 'municipalTaxes' } as const;
const readers = { state: readStateTax, municipal: readMunicipalTax } as const;

/** Published without `hasMore`; for municipal ones the name of the list is assumed. */
function list(core: Core, call: RegistrationCall, kind: RegistrationKind): Reply {
  const companyId = requireCompany(core, call.caller.tenantId, call.path.companyId);
  const limit = whole(call.query, 'limit', { from: 1, to: 50, otherwise: 10 });
  const id = call.query.get('startingAfter');
  const cursor = id === null ? undefined : ({ side: 'after', id } as const);
  const found = core.taxRegistrations.page(registrationsOf(companyId, kind), limit, cursor);
  if (found === undefined)
    throw invalid('startingAfter', 'Must be the id of a registration of this company.');
  return { status: 200, body: { [lists[kind]]: found.map((each) => shown(each, call)) } };
}

function get(core: Core, call: RegistrationCall, named: Named): Reply {
  return { status: 200, body: { [envelopes[named.kind]]: shown(find(core, call, named), call) } };
}

function create(core: Core, call: RegistrationCall, kind: RegistrationKind): Reply {
  const companyId = requireCompany(core, call.caller.tenantId, call.path.companyId);
  const content = readers[kind](call.body);
  const at = core.clock.now();
  const registration: StoredRegistration = {
    ...{ id: core.chance.uuid(), companyId, kind, content },
    ...{ authorizer: 'Normal', createdOn: at, modifiedOn: at },
  };
  core.taxRegistrations.put(registration);
  const effect = { created: `${kind}-tax`, id: registration.id, companyId };
  return { status: 200, body: { [envelopes[kind]]: shown(registration, call) }, effect };
}

/** Replaces the whole registration. */
function update(core: Core, call: RegistrationCall, named: Named): Reply {
  const before = find(core, call, named);
  const content = readers[named.kind](call.body);
  const registration = { ...before, content, modifiedOn: core.clock.now() };
  core.taxRegistrations.put(registration);
  const effect = { updated: `${named.kind}-tax`, id: before.id };
  return { status: 200, body: { [envelopes[named.kind]]: shown(registration, call) }, effect };
}

function switchAuthorizer(core: Core, call: Call<'stateTax.switchAuthorizer'>): Reply {
  const before = find(core, call, { kind: 'state', id: call.path.stateTaxId });
  const { authorizer, reason } = readSwitch(call.body);
  const modifiedOn = core.clock.now();
  core.taxRegistrations.put({ ...before, authorizer, modifiedOn });
  return {
    status: 200,
    body: {
      ...{ fromAuthorizer: before.authorizer, toAuthorizer: authorizer },
      ...(reason === undefined ? {} : { reason }),
      modifiedOn: new Date(modifiedOn).toISOString(),
    },
    effect: { switched: 'authorizer', id: before.id, to: authorizer },
  };
}

function find(core: Core, call: RegistrationCall, { kind, id }: Named): StoredRegistration {
  const companyId = requireCompany(core, call.caller.tenantId, call.path.companyId);
  const found = core.taxRegistrations.find(registrationsOf(companyId, kind), id);
  if (found !== undefined) return found;
  throw new Refusal('not_found', `The company has no ${kind} registration with this id.`);
}

function shown(registration: StoredRegistration, { caller }: RegistrationCall): object {
  const { id, companyId, content } = registration;
  const common = { ...content, id, companyId, accountId: caller.tenantId, status: 'Active' };
  return { ...common, ...ownFields[registration.kind](registration) };
}

const ownFields: Readonly<Record<RegistrationKind, (registration: StoredRegistration) => object>> = {
  state: ({ content: { serie }, createdOn, modifiedOn }) => ({
    series: typeof serie === 'number' ? [serie] : [],
    createdOn: new Date(createdOn).toISOString(),
    modifiedOn: new Date(modifiedOn).toISOString(),
  }),
  // Published without times.
  municipal: ({ content: { rpsSerialNumber } }) => ({
    fiscalStatus: 'Active',
    rpsSerialNumbers: typeof rpsSerialNumber === 'string' ? [rpsSerialNumber] : [],
  }),
};
