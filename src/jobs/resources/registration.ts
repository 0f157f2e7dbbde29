import type { CallInput, CallOptions, Client } from '../../client/client.js';
import { cursorRows } from '../../client/list-rows.js';
import { isSecretName } from '../../client/redact.js';
import type { MunicipalTaxInput, StateTaxInput } from '../../contract/tax-registration.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { Change, JsonObject } from '../../domain/field-changes.js';
import type { InvoiceFinding } from '../../domain/invoice-rules.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { SETTLE_MS } from '../../domain/settle-time.js';
import {
  checkMunicipalTax,
  checkStateTax,
  municipalTaxFields,
  stateTaxFields,
} from '../../domain/tax-registration-check.js';
import { hintWhenAbsent } from '../../errors/hint-when-absent.js';
import type { AdmitContext, JobKind, JobRequest, KindFacts, Observation } from '../kind.js';
import { textField } from '../kinds/answer-fields.js';
import { enveloped, recordIn } from './enveloped.js';
import type { Resource, Write } from './resource.js';

export const registrationKinds = ['state', 'municipal'] as const;
export type RegistrationKind = (typeof registrationKinds)[number];

/** Where a registration stands. */
export interface Place {
  readonly companyId: string;
  readonly id: string;
}

/** What differs between the registrations of a state and of a city. */
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
  create(companyId: string, registration: JsonObject): JobRequest<Submit>;
  update(place: Place, registration: JsonObject): Write;
  /** What to say before an update, which replaces the whole, where it may drop a secret that the service hides. */
  lossOfSecrets(standing: JsonObject, merged: JsonObject): Text | undefined;
}

/** What opens the system of the city hall. */
export const credentialNames = ['loginName', 'loginPassword', 'authIssueValue'] as const;

/** A registration that exists. The number of its next invoice moves by itself: a repeat could put it back. */
export function registrationResource(form: RegistrationForm, place: Place): Resource {
  const { envelope, fields, name } = form;
  return {
    name: { en: `${name.en} ${place.id}`, pt: `${name.pt} ${place.id}` },
    see: registrationLine(form, 'get', place),
    replay: 'unsafe',
    read: async (client, options) => await readRegistration(client, form, { place, options }),
    sendable: (standing) => sendable(fields, standing),
    problems({ merged, written }) {
      const isOwn = (first: string): boolean => !(first in merged) || first in written;
      return form.check(merged).filter(({ field }) => isOwn(field.split('.')[0] ?? ''));
    },
    loss: ({ standing = {}, merged }) => form.lossOfSecrets(standing, merged),
    request: ({ merged }) => form.update(place, merged),
    answered: (body) => recordIn(body, envelope),
    isSecret: isSecretField,
    moves: (field) => ['number', 'rpsNumber', 'lastRpsSent'].includes(field),
    masked: maskedChange,
    idOf: (standing) => textField(standing, 'id'),
  };
}

export function registrationLine({ kind }: RegistrationForm, verb: 'get' | 'update', place: Place): string {
  const { companyId: company, id } = place;
  const flags = [['--kind', kind]] as const;
  return fiscalLine({ command: `company registration ${verb}`, positionals: [id], flags, company });
}

/** One registration, without its envelope. Errors: `service.not_found`, with the command that lists them; `service.unreadable`. */
export async function readRegistration(
  client: Client,
  { envelope }: RegistrationForm,
  { place: { companyId, id }, options }: { readonly place: Place; readonly options: CallOptions },
): Promise<JsonObject> {
  const answer = await hintWhenAbsent(registrationsHint(companyId), async () =>
    envelope === 'stateTax'
      ? await client.call('stateTax.get', { path: { companyId, stateTaxId: id } }, options)
      : await client.call('municipalTax.get', { path: { companyId, municipalTaxId: id } }, options),
  );
  const reason = { en: 'it holds no registration', pt: 'não contém uma inscrição' };
  return enveloped(answer, { envelope, operation: `${envelope}.get`, reason });
}

/** Names the command that lists the registrations of the company. */
export function registrationsHint(company: string): Text {
  const line = fiscalLine({ command: 'company registration list', company });
  return { en: `those of the company: ${line}`, pt: `as da empresa: ${line}` };
}

/** The checks have shown that these are its fields. */
export function stateTaxInput({ code, taxNumber, type, ...others }: JsonObject): StateTaxInput {
  return { ...others, code: String(code), taxNumber: String(taxNumber), type: String(type) };
}

/** A path of a field at or below a secret name, other than the `id` of a CSC. */
function isSecretField(field: string): boolean {
  const names = field.split('.');
  return names.at(-1) !== 'id' && names.some(isSecretName);
}

/** What a write may send of a registration: no field of the service, and none that is empty or masked. */
export function sendable(fields: readonly string[], registration: JsonObject): JsonObject {
  const own = Object.entries(registration).filter(([name, value]) => fields.includes(name) && isGiven(value));
  return withoutMasks(Object.fromEntries(own), '');
}

function withoutMasks(fields: JsonObject, path: string): JsonObject {
  const kept = Object.entries(fields).flatMap(([name, value]) => {
    const field = `${path}${name}`;
    if (isRecord(value)) return [[name, withoutMasks(value, `${field}.`)] as const];
    return isSecretField(field) && !isReadable(value) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(kept);
}

/** A service may show stars or nothing instead of a secret. */
function isReadable(value: unknown): boolean {
  return typeof value === 'string' && !/^[*•x]*$/i.test(value);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** A registration for people and programs: with its kind, and with its secrets masked, wherever they stand. */
export function shownRegistration({ kind }: RegistrationForm, registration: unknown): JsonObject {
  return { kind, ...(isRecord(registration) ? maskedFields(registration, false) : {}) };
}

/** An object in a secret field keeps its `id`: that of a CSC is no secret. */
function maskedFields(fields: JsonObject, isSecret: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (isSecret && name === 'id' && typeof value !== 'object') return [name, value];
      return [name, maskedValue(value, isSecret || isSecretName(name))];
    }),
  );
}

function maskedValue(value: unknown, isSecret: boolean): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => maskedValue(entry, isSecret));
  if (isRecord(value)) return maskedFields(value, isSecret);
  return isSecret && isGiven(value) ? '***' : value;
}

/** An object that contains a secret is masked as well. */
function maskedChange({ field, from, to }: Change): Change {
  const isSecret = isSecretField(field);
  return { field, from: maskedValue(from, isSecret), to: maskedValue(to, isSecret) };
}

/** The input of a `state-tax-create` item. The CSC is a secret and never part of it. */
export interface StateTaxCreateItem {
  readonly companyId: string;
  readonly stateTax: Omit<StateTaxInput, 'securityCredential'>;
}

/** The input of a `municipal-tax-create` item. The credentials of the city hall are never part of it. */
export interface MunicipalTaxCreateItem {
  readonly companyId: string;
  readonly municipalTax: Omit<MunicipalTaxInput, 'loginName' | 'loginPassword' | 'authIssueValue'>;
}

type Submit = 'stateTax.create' | 'municipalTax.create';

/** How a registration is created, and known again. */
interface Registration<Input, Id extends Submit> {
  readonly name: string;
  readonly submit: Id;
  readonly list: 'stateTax.list' | 'municipalTax.list';
  readonly envelope: string;
  submitInput(input: Input): CallInput<Id>;
  /** The words by which a registration is known again, of an input or of a row. */
  wordsOf(registration: unknown): readonly (string | undefined)[];
  registrationOf(input: Input): unknown;
}

const PAGE = 50;

/**
 * It is not published that the service rejects a second registration with the same number, so the registrations of the
 * company are searched before the send, and again after an unknown outcome.
 */
function creationOf<Input extends { readonly companyId: string }, Id extends Submit>(
  registration: Registration<Input, Id>,
): JobKind<Input, Id, never> {
  const { name, submit, envelope } = registration;
  const find = async ({ client, signal }: Pick<AdmitContext, 'client' | 'signal'>, input: Input) =>
    await findRow(client, signal, { registration, input });
  return {
    ...{ name, submit, poll: null, replay: 'unsafe', rejectedStays: false, onceOnly: false },
    billed: () => false,
    submitInput: (input) => registration.submitInput(input),
    pollInput: () => {
      throw new Error(`${name} has no read: its answer is the registration`);
    },
    observeSubmit: ({ body }) => observed(fieldOf(body, envelope)),
    observeConflict: () => ({ state: 'skipped' }),
    observePoll: () => ({ state: 'pending' }),
    async findBefore(context, input) {
      const found = await find(context, input);
      if (found === 'absent') return found;
      return 'mayBe' in found ? unclear(found.mayBe) : { ...found, state: 'skipped' };
    },
    async lookup(client, input, { signal }) {
      const found = await find({ client, signal }, input);
      return found !== 'absent' && 'mayBe' in found ? 'cannot tell' : found;
    },
    settleMs: SETTLE_MS,
  };
}

export const stateTaxCreate = creationOf<StateTaxCreateItem, 'stateTax.create'>({
  ...{ name: 'state-tax-create', submit: 'stateTax.create', list: 'stateTax.list', envelope: 'stateTax' },
  submitInput: ({ companyId, stateTax }) => ({ path: { companyId }, body: { stateTax } }),
  wordsOf: (row) => ['code', 'taxNumber', 'type'].map((field) => textField(row, field)),
  registrationOf: ({ stateTax }) => stateTax,
});

export const municipalTaxCreate = creationOf<MunicipalTaxCreateItem, 'municipalTax.create'>({
  ...{ name: 'municipal-tax-create', submit: 'municipalTax.create' },
  ...{ list: 'municipalTax.list', envelope: 'municipalTax' },
  submitInput: ({ companyId, municipalTax }) => ({ path: { companyId }, body: { municipalTax } }),
  wordsOf: (row) => [textField(fieldOf(row, 'city'), 'code'), textField(row, 'taxNumber')],
  registrationOf: ({ municipalTax }) => municipalTax,
});

function observed(registration: unknown): Observation {
  const resourceId = textField(registration, 'id');
  const remoteStatus = textField(registration, 'status');
  if (resourceId === undefined) return { state: 'uncertain', reason: { is: 'nameless-company' } };
  return { state: 'succeeded', resourceId, ...(remoteStatus === undefined ? {} : { remoteStatus }) };
}

/** Nothing is sent beside a registration that may be this one: the service could have both. */
function unclear(row: unknown): Observation {
  const resourceId = textField(row, 'id');
  return {
    ...{ state: 'failed', errorCode: 'company.registration_unclear' },
    reason: { is: 'registration-unseen' },
    ...(resourceId === undefined ? {} : { resourceId }),
  };
}

interface Wanted<Input> {
  readonly registration: Registration<Input, Submit>;
  readonly input: Input;
}

/** `mayBe`: no row shows it, and this one contradicts nothing and leaves a word out. */
async function findRow<Input extends { readonly companyId: string }>(
  client: Client,
  signal: AbortSignal,
  { registration: { list, wordsOf, registrationOf }, input }: Wanted<Input>,
): Promise<Observation | 'absent' | { readonly mayBe: unknown }> {
  const wanted = wordsOf(registrationOf(input)).map(bare);
  const page = { path: { companyId: input.companyId }, query: { limit: PAGE } };
  let unseen: { readonly mayBe: unknown } | undefined;
  for await (const row of cursorRows(client, list, page, { signal })) {
    const words = wordsOf(row).map(bare);
    if (words.some((word, at) => word !== undefined && word !== wanted[at])) continue;
    if (!words.includes(undefined)) return observed(row);
    unseen ??= { mayBe: row };
  }
  return unseen ?? 'absent';
}

/** Some deployments show numbers with punctuation, or as JSON numbers without their leading zeros. */
function bare(text: string | undefined): string | undefined {
  return text
    ?.replaceAll(/[^0-9A-Z]/gi, '')
    .replace(/^0+/, '')
    .toUpperCase();
}

/** The registrations of a company: the state's, and the city's. */
export const registrationForms: Readonly<Record<RegistrationKind, RegistrationForm>> = {
  state: {
    ...{ kind: 'state', envelope: 'stateTax', fields: stateTaxFields, creation: stateTaxCreate },
    name: { en: 'the state registration', pt: 'a inscrição estadual' },
    ...{ secrets: ['securityCredential'], secretsOption: '--csc-id <id>' },
    label: ({ code, taxNumber, type }) => `${String(code)} ${String(taxNumber)} ${String(type)}`,
    check: checkStateTax,
    create: (companyId, fields) => ({
      operation: 'stateTax.create',
      input: { path: { companyId }, body: { stateTax: stateTaxInput(fields) } },
    }),
    update: ({ companyId, id }, fields) => ({
      operation: 'stateTax.update',
      input: { path: { companyId, stateTaxId: id }, body: { stateTax: stateTaxInput(fields) } },
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
  },
  municipal: {
    ...{ kind: 'municipal', envelope: 'municipalTax', fields: municipalTaxFields },
    creation: municipalTaxCreate,
    name: { en: 'the municipal registration', pt: 'a inscrição municipal' },
    ...{ secrets: credentialNames, secretsOption: '--ask-credentials' },
    label: ({ city, taxNumber }) => `${String(fieldOf(city, 'code'))} ${String(taxNumber)}`,
    check: checkMunicipalTax,
    create: (companyId, municipalTax) => ({
      operation: 'municipalTax.create',
      input: { path: { companyId }, body: { municipalTax } },
    }),
    update: ({ companyId, id }, municipalTax) => ({
      operation: 'municipalTax.update',
      input: { path: { companyId, municipalTaxId: id }, body: { municipalTax } },
    }),
    lossOfSecrets(standing, merged) {
      if (!credentialNames.some((name) => isGiven(standing[name]) && !isGiven(merged[name]))) return undefined;
      return {
        en: 'the service does not show the credentials of the city hall: if the update drops them, set them again (--ask-credentials, --credentials-file)',
        pt: 'o serviço não mostra as credenciais da prefeitura: se a alteração as apagar, grave-as de novo (--ask-credentials, --credentials-file)',
      };
    },
  },
};
