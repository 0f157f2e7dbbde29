import type { OperationId } from '../../contract/operations.js';
import {
  authorizers,
  municipalTaxEnvironments,
  specialTaxRegimes,
  stateTaxEnvironments,
  stateTaxTypes,
  switchAuthorizerStrategies,
  taxDeterminations,
} from '../../contract/tax-registration.js';
import { cursorLimit, object, readBody, text, whole, word } from '../core/checks.js';
import type { Core } from '../core/core.js';
import { isRecord, onlySet } from '../core/exact-json.js';
import type { Fields, RegistrationKind, StoredRegistration } from '../core/records.js';
import { Refusal, invalid } from '../core/refusal.js';
import { registrationsOf } from '../core/stores.js';
import type { Call, HandlersOf, Reply } from '../http/handler.js';
import type { StoredInvoice } from '../invoice/invoices.js';
import { canonicalValue, states, withCanonicalWords } from '../product/vocabulary.js';
import { companyOf } from './find-company.js';

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
  'municipalTax.update': (core, call) => update(core, call, { kind: 'municipal', id: call.path.municipalTaxId }),
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
  const companyId = companyOf(core, call);
  const limit = cursorLimit(call.query);
  const id = call.query.get('startingAfter');
  const cursor = id === null ? undefined : ({ side: 'after', id } as const);
  const found = core.taxRegistrations.page(registrationsOf(companyId, kind), limit, cursor);
  if (found === undefined) throw invalid('startingAfter', 'Must be the id of a registration of this company.');
  return { status: 200, body: { [lists[kind]]: found.map((each) => shown(each, call)) } };
}

function get(core: Core, call: RegistrationCall, named: Named): Reply {
  return { status: 200, body: { [envelopes[named.kind]]: shown(find(core, call, named), call) } };
}

function create(core: Core, call: RegistrationCall, kind: RegistrationKind): Reply {
  const companyId = companyOf(core, call);
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
      ...onlySet({ reason }),
      modifiedOn: new Date(modifiedOn).toISOString(),
    },
    effect: { switched: 'authorizer', id: before.id, to: authorizer },
  };
}

function find(core: Core, call: RegistrationCall, { kind, id }: Named): StoredRegistration {
  const companyId = companyOf(core, call);
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

const stateTaxCodes = [...states, 'NA'];

const stateTax = object({
  required: {
    stateTax: object({
      required: { code: word(stateTaxCodes), taxNumber: text(20), type: word(stateTaxTypes) },
      optional: {
        environmentType: word(stateTaxEnvironments),
        specialTaxRegime: word(specialTaxRegimes),
        serie: whole(0, 999),
        number: whole(0, 999_999_999),
        securityCredential: object({ optional: { id: whole(0, 999_999), code: text(50) } }),
        processingDetails: object({ optional: { switchAuthorizerStrategy: word(switchAuthorizerStrategies) } }),
      },
    }),
  },
});

/** The wrapped body of create and update, without its wrapper. Throws a 400 with all problems. */
export function readStateTax(body: unknown): Fields {
  const fields = readBody(body, stateTax, 'registration')['stateTax'];
  return isRecord(fields) ? withCanonicalWords(withoutNull(fields), stateTaxWords) : {};
}

const stateTaxWords = {
  ...{ code: stateTaxCodes, type: stateTaxTypes, environmentType: stateTaxEnvironments },
  ...{ specialTaxRegime: specialTaxRegimes, switchAuthorizerStrategy: switchAuthorizerStrategies },
};

const municipalTax = object({
  required: {
    municipalTax: object({
      optional: {
        city: object({ optional: { code: text(7, /^\d{7}$/), name: text(60), state: word(states) } }),
        taxNumber: text(20),
        environment: word(municipalTaxEnvironments),
        specialTaxRegime: word(specialTaxRegimes),
        federalTaxDetermination: word(taxDeterminations),
        municipalTaxDetermination: word(taxDeterminations),
      },
    }),
  },
});

/** The same for a municipal registration; no field is required (published). */
export function readMunicipalTax(body: unknown): Fields {
  const fields = readBody(body, municipalTax, 'registration')['municipalTax'];
  return isRecord(fields) ? withCanonicalWords(withoutNull(fields), municipalTaxWords) : {};
}

const municipalTaxWords = {
  ...{ state: states, environment: municipalTaxEnvironments, specialTaxRegime: specialTaxRegimes },
  ...{ federalTaxDetermination: taxDeterminations, municipalTaxDetermination: taxDeterminations },
};

const authorizer = object({ required: { authorizer: word(authorizers) }, optional: { reason: text(255) } });

export function readSwitch(body: unknown): { readonly authorizer: string; readonly reason?: string } {
  const { authorizer: to, reason } = readBody(body, authorizer, 'registration');
  return {
    authorizer: canonicalValue(authorizers, String(to)) ?? String(to),
    ...(typeof reason === 'string' ? { reason } : {}),
  };
}

function withoutNull(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

type Kind = 'nfe' | 'nfce';

const types = { nfe: 'NFe', nfce: 'NFCe' } as const;

/** The registration that the path names. Throws 404 for one of another company, 400 for one of the other model. */
export function namedRegistration(
  core: Core,
  { companyId, stateTaxId, kind }: { readonly companyId: string; readonly stateTaxId: string; readonly kind: Kind },
): StoredRegistration {
  const found = core.taxRegistrations.find(registrationsOf(companyId, 'state'), stateTaxId);
  if (found === undefined) {
    throw new Refusal('not_found', 'The company has no state registration with this id.');
  }
  if (found.content['type'] === types[kind] || found.content['type'] === 'Default') return found;
  throw invalid('stateTaxId', `Is a registration of type ${String(found.content['type'])}.`);
}

/** Without a named one: the first of the model, else the first of both models, else none (assumed). */
export function usualRegistration(core: Core, companyId: string, kind: Kind): StoredRegistration | undefined {
  const all = core.taxRegistrations.of(registrationsOf(companyId, 'state'));
  const ofType = (type: string) => all.find(({ content }) => content['type'] === type);
  return ofType(types[kind]) ?? ofType('Default');
}

export function registrationOf(
  core: Core,
  { companyId, stateTaxId }: Pick<StoredInvoice, 'companyId' | 'stateTaxId'>,
): StoredRegistration | undefined {
  return stateTaxId === null ? undefined : core.taxRegistrations.find(registrationsOf(companyId, 'state'), stateTaxId);
}

/** The next number moves on with each invoice of the registration's own serie. */
export function takeNumber(
  core: Core,
  registration: StoredRegistration,
  { serie, number, at }: { readonly serie: number; readonly number: number; readonly at: number },
): void {
  const { content } = registration;
  const next = typeof content['number'] === 'number' ? content['number'] : 0;
  if (serieOf(registration) !== serie || number < next) return;
  core.taxRegistrations.put({ ...registration, content: { ...content, number: number + 1 }, modifiedOn: at });
}

export function serieOf({ content }: StoredRegistration): number {
  return typeof content['serie'] === 'number' ? content['serie'] : 1;
}
