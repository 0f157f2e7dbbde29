import { commonRow } from './common-row.js';
import type { Operation } from './operation.js';
import type {
  MunicipalTax,
  MunicipalTaxEnvelope,
  MunicipalTaxInput,
  MunicipalTaxList,
  StateTax,
  StateTaxEnvelope,
  StateTaxInput,
  StateTaxList,
  SwitchAuthorizerInput,
  SwitchedAuthorizer,
} from './tax-registration.js';

const row = { ...commonRow, mark: 'public' } as const;

/** The tax registrations of a company, without which it issues nothing (public). Their deletion is left out: it is final. */
export const taxRegistrationOperations = {
  'stateTax.list': {
    ...row,
    summary: { en: 'List the state registrations of a company', pt: 'Lista as inscrições estaduais' },
    method: 'GET',
    path: '/v2/companies/{companyId}/statetaxes',
  },
  'stateTax.get': {
    ...row,
    summary: { en: 'Read a state registration', pt: 'Lê uma inscrição estadual' },
    method: 'GET',
    path: '/v2/companies/{companyId}/statetaxes/{stateTaxId}',
  },
  // It is not published that the service rejects a second registration with the same number.
  'stateTax.create': {
    ...row,
    summary: { en: 'Create a state registration', pt: 'Cria uma inscrição estadual' },
    method: 'POST',
    path: '/v2/companies/{companyId}/statetaxes',
    success: [200, 201],
    replay: 'unsafe',
  },
  // The number of its next invoice moves by itself: a repeat could put it back.
  'stateTax.update': {
    ...row,
    summary: { en: 'Replace a state registration', pt: 'Substitui uma inscrição estadual' },
    method: 'PUT',
    path: '/v2/companies/{companyId}/statetaxes/{stateTaxId}',
    success: [200, 204],
    replay: 'unsafe',
  },
  'stateTax.switchAuthorizer': {
    ...row,
    summary: { en: 'Switch to contingency (EPEC), or back', pt: 'Entra em contingência (EPEC), ou sai dela' },
    method: 'POST',
    path: '/v2/companies/{companyId}/statetaxes/{stateTaxId}/switch-authorizer',
    success: [200, 204],
    replay: 'unsafe',
  },
  'municipalTax.list': {
    ...row,
    summary: { en: 'List the municipal registrations of a company', pt: 'Lista as inscrições municipais' },
    method: 'GET',
    path: '/v2/companies/{companyId}/municipaltaxes',
  },
  'municipalTax.get': {
    ...row,
    summary: { en: 'Read a municipal registration', pt: 'Lê uma inscrição municipal' },
    method: 'GET',
    path: '/v2/companies/{companyId}/municipaltaxes/{municipalTaxId}',
  },
  'municipalTax.create': {
    ...row,
    summary: { en: 'Create a municipal registration', pt: 'Cria uma inscrição municipal' },
    method: 'POST',
    path: '/v2/companies/{companyId}/municipaltaxes',
    success: [200, 201],
    replay: 'unsafe',
  },
  // The number of its next RPS moves by itself: a repeat could put it back.
  'municipalTax.update': {
    ...row,
    summary: { en: 'Replace a municipal registration', pt: 'Substitui uma inscrição municipal' },
    method: 'PUT',
    path: '/v2/companies/{companyId}/municipaltaxes/{municipalTaxId}',
    success: [200, 204],
    replay: 'unsafe',
  },
} as const satisfies Record<string, Operation>;

export interface TaxRegistrationBodies {
  'stateTax.list': { request: undefined; response: StateTaxList };
  'stateTax.get': { request: undefined; response: StateTaxEnvelope<StateTax> };
  'stateTax.create': { request: StateTaxEnvelope<StateTaxInput>; response: StateTaxEnvelope<StateTax> };
  'stateTax.update': { request: StateTaxEnvelope<StateTaxInput>; response: StateTaxEnvelope<StateTax> | undefined };
  'municipalTax.list': { request: undefined; response: MunicipalTaxList };
  'municipalTax.get': { request: undefined; response: MunicipalTaxEnvelope<MunicipalTax> };
  'municipalTax.create': {
    request: MunicipalTaxEnvelope<MunicipalTaxInput>;
    response: MunicipalTaxEnvelope<MunicipalTax>;
  };
  'municipalTax.update': {
    request: MunicipalTaxEnvelope<MunicipalTaxInput>;
    response: MunicipalTaxEnvelope<MunicipalTax> | undefined;
  };
  'stateTax.switchAuthorizer': { request: SwitchAuthorizerInput; response: SwitchedAuthorizer | undefined };
}
