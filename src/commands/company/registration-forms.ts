import type { CallInput } from '../../client/client.js';
import type { OperationId } from '../../contract/operations.js';
import type { StateTaxInput } from '../../contract/tax-registration.js';
import type { Text } from '../../contract/text.js';
import type { JsonObject } from '../../domain/field-changes.js';
import type { InvoiceFinding } from '../../domain/invoice-rules.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import {
  checkMunicipalTax,
  checkStateTax,
  municipalTaxFields,
  stateTaxFields,
} from '../../domain/tax-registration-check.js';
import type { KindFacts } from '../../jobs/kind.js';
import { municipalTaxCreate, stateTaxCreate } from '../../jobs/kinds/tax-registration.js';
import { previewOne } from '../../services/calls/one-call.js';
import type { Context } from '../../services/context.js';

/** Makes a call and returns its body, or shows the request (`--dry-run`). */
export type Make = <Id extends OperationId>(operation: Id, input: CallInput<Id>) => Promise<unknown>;

export function calls(context: Context): Make {
  return async (operation, input) => {
    const client = await context.client();
    return (await client.call(operation, input, { signal: context.interruption })).body;
  };
}

export function previews(context: Context): Make {
  return async (operation, input) => await previewOne(context, operation, input);
}

export interface Place {
  readonly companyId: string;
  /** Of the registration. */
  readonly id: string;
}

export const registrationKinds = ['state', 'municipal'] as const;
export type RegistrationKind = (typeof registrationKinds)[number];

/** One kind of registration: how it is read, checked and written. */
export interface RegistrationForm {
  readonly kind: RegistrationKind;
  /** With its article. */
  readonly name: Text;
  /** The field that wraps one of them in requests, answers and files. */
  readonly envelope: 'stateTax' | 'municipalTax';
  /** The fields that a write may have. */
  readonly fields: readonly string[];
  /** Those of them that only an update sends. */
  readonly secrets: readonly string[];
  /** Sets the secrets of one that exists. */
  readonly secretsOption: string;
  /** The job of one item that creates it. */
  readonly creation: KindFacts<object>;
  /** Its place and number, by which people know it. */
  label(registration: JsonObject): string;
  check(registration: unknown): readonly InvoiceFinding[];
  get(make: Make, place: Place): Promise<unknown>;
  create(make: Make, companyId: string, registration: JsonObject): Promise<unknown>;
  update(make: Make, place: Place, registration: JsonObject): Promise<unknown>;
  /** What to say before an update, which replaces the whole, where it may drop a secret that the service hides. */
  lossOfSecrets(standing: JsonObject, merged: JsonObject): Text | undefined;
}

const state: RegistrationForm = {
  ...{ kind: 'state', envelope: 'stateTax', fields: stateTaxFields, creation: stateTaxCreate },
  name: { en: 'the state registration', pt: 'a inscrição estadual' },
  ...{ secrets: ['securityCredential'], secretsOption: '--csc-id <id>' },
  label: (stateTax) =>
    `${String(stateTax['code'])} ${String(stateTax['taxNumber'])} ${String(stateTax['type'])}`,
  check: checkStateTax,
  get: (make, { companyId, id }) => make('stateTax.get', { path: { companyId, stateTaxId: id } }),
  create: (make, companyId, stateTax) =>
    make('stateTax.create', { path: { companyId }, body: { stateTax: stateTaxOf(stateTax) } }),
  update: (make, { companyId, id }, stateTax) =>
    make('stateTax.update', {
      path: { companyId, stateTaxId: id },
      body: { stateTax: stateTaxOf(stateTax) },
    }),
  lossOfSecrets(standing, merged) {
    const credential = merged['securityCredential'];
    const isShown = fieldOf(credential, 'code') !== undefined;
    if (isShown || !isRecord(standing['securityCredential']) || !isRecord(credential)) return undefined;
    return {
      en: 'the service does not show the code of the CSC: if the update drops it, set it again (--csc-id, --csc-file)',
      pt: 'o serviço não mostra o código do CSC: se a alteração o apagar, grave-o de novo (--csc-id, --csc-file)',
    };
  },
};

/** The checks have shown that these are its fields. */
function stateTaxOf({ code, taxNumber, type, ...others }: JsonObject): StateTaxInput {
  return { ...others, code: String(code), taxNumber: String(taxNumber), type: String(type) };
}

/** What opens the system of the city hall. */
export const credentialNames = ['loginName', 'loginPassword', 'authIssueValue'] as const;

const municipal: RegistrationForm = {
  ...{ kind: 'municipal', envelope: 'municipalTax', fields: municipalTaxFields },
  creation: municipalTaxCreate,
  name: { en: 'the municipal registration', pt: 'a inscrição municipal' },
  ...{ secrets: credentialNames, secretsOption: '--ask-credentials' },
  label: ({ city, taxNumber }) => `${String(fieldOf(city, 'code'))} ${String(taxNumber)}`,
  check: checkMunicipalTax,
  get: (make, { companyId, id }) => make('municipalTax.get', { path: { companyId, municipalTaxId: id } }),
  create: (make, companyId, municipalTax) =>
    make('municipalTax.create', { path: { companyId }, body: { municipalTax } }),
  update: (make, { companyId, id }, municipalTax) =>
    make('municipalTax.update', { path: { companyId, municipalTaxId: id }, body: { municipalTax } }),
  lossOfSecrets(standing, merged) {
    if (!credentialNames.some((name) => isText(standing[name]) && !isText(merged[name]))) return undefined;
    return {
      en: 'the service does not show the credentials of the city hall: if the update drops them, set them again (--ask-credentials, --credentials-file)',
      pt: 'o serviço não mostra as credenciais da prefeitura: se a alteração as apagar, grave-as de novo (--ask-credentials, --credentials-file)',
    };
  },
};

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

export const registrationForms: Readonly<Record<RegistrationKind, RegistrationForm>> = { state, municipal };
