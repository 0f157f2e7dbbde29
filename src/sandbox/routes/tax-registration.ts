import type { OperationId } from '../../contract/operations.js';
import type { Core } from '../core/core.js';
import { invalid, Refusal } from '../core/refusal.js';
import { whole } from '../inbound/nfse-page.js';
import { type CompanyLookupService, requireCompany } from '../manifestation/find-company.js';
import { readStateTax, readSwitch } from '../registry/read-registration.js';
import type { StoredRegistration } from '../registry/tax-registrations.js';
import type { Call, HandlersOf, Reply } from './handler.js';

type RegistrationService = Pick<Core, 'chance' | 'clock' | 'companies' | 'taxRegistrations'> &
  CompanyLookupService;

type StateTaxOperation = Extract<OperationId, `stateTax.${string}`>;

/** State registrations of a company (public). A second one with the same number is not refused: nothing is published of it. */
export const taxRegistrationHandlers: HandlersOf<StateTaxOperation> = {
  'stateTax.list': list,
  'stateTax.get': (core, call) => ({ status: 200, body: { stateTax: shown(find(core, call), call) } }),
  'stateTax.create': create,
  'stateTax.update': update,
  'stateTax.switchAuthorizer': switchAuthorizer,
};

/** Published without `hasMore`. */
function list(core: RegistrationService, call: Call<'stateTax.list'>): Reply {
  const companyId = requireCompany(core, call.caller.tenantId, call.path.companyId);
  const limit = whole(call.query, 'limit', { from: 1, to: 50, otherwise: 10 });
  const startingAfter = call.query.get('startingAfter') ?? undefined;
  const found = core.taxRegistrations.page(companyId, 'state', { limit, startingAfter });
  if (found === undefined)
    throw invalid('startingAfter', 'Must be the id of a registration of this company.');
  return { status: 200, body: { stateTaxes: found.map((each) => shown(each, call)) } };
}

function create(core: RegistrationService, call: Call<'stateTax.create'>): Reply {
  const companyId = requireCompany(core, call.caller.tenantId, call.path.companyId);
  const content = readStateTax(call.body);
  const at = core.clock.now();
  const registration: StoredRegistration = {
    ...{ id: core.chance.uuid(), companyId, kind: 'state', content },
    ...{ authorizer: 'Normal', createdOn: at, modifiedOn: at },
  };
  core.taxRegistrations.insert(registration);
  const effect = { created: 'state-tax', id: registration.id, companyId };
  return { status: 200, body: { stateTax: shown(registration, call) }, effect };
}

/** Replaces the whole registration. */
function update(core: RegistrationService, call: Call<'stateTax.update'>): Reply {
  const before = find(core, call);
  const registration = { ...before, content: readStateTax(call.body), modifiedOn: core.clock.now() };
  core.taxRegistrations.replace(registration);
  const effect = { updated: 'state-tax', id: before.id };
  return { status: 200, body: { stateTax: shown(registration, call) }, effect };
}

function switchAuthorizer(core: RegistrationService, call: Call<'stateTax.switchAuthorizer'>): Reply {
  const before = find(core, call);
  const { authorizer, reason } = readSwitch(call.body);
  const modifiedOn = core.clock.now();
  core.taxRegistrations.replace({ ...before, authorizer, modifiedOn });
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

function find(
  core: RegistrationService,
  call: Call<Exclude<StateTaxOperation, 'stateTax.list' | 'stateTax.create'>>,
): StoredRegistration {
  const companyId = requireCompany(core, call.caller.tenantId, call.path.companyId);
  const found = core.taxRegistrations.get(companyId, 'state', call.path.stateTaxId);
  if (found === undefined)
    throw new Refusal('not_found', 'The company has no state registration with this id.');
  return found;
}

function shown(registration: StoredRegistration, { caller }: Pick<Call<OperationId>, 'caller'>): object {
  const { id, companyId, content, createdOn, modifiedOn } = registration;
  const { serie } = content;
  return {
    ...content,
    ...{ id, companyId, accountId: caller.tenantId, status: 'Active' },
    series: typeof serie === 'number' ? [serie] : [],
    createdOn: new Date(createdOn).toISOString(),
    modifiedOn: new Date(modifiedOn).toISOString(),
  };
}
