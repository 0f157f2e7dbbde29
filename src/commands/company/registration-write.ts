import type { Text } from '../../contract/text.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import { fiscalLine } from '../../domain/command-words.js';
import { counted, nouns } from '../../domain/counted.js';
import { changesBetween, type JsonObject, merge, takenFrom } from '../../domain/field-changes.js';
import type { InvoiceFinding } from '../../domain/invoice-rules.js';
import { inexactNumbers, parseKeepingNumbers } from '../../domain/json-numbers.js';
import type { Outcome } from '../../domain/outcome.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { KindFacts } from '../../jobs/kind.js';
import { isSecretField, sendable } from '../../jobs/kinds/registration-body.js';
import type { BatchFamily } from '../../services/batch/run-batch.js';
import { requireArrived, runSingle } from '../../services/batch/single-job.js';
import { changeText, notShown, shownOtherwise } from '../../services/calls/merge-fields.js';
import type { Context } from '../../services/context.js';
import { readJsonOrYaml } from '../../services/input/records.js';
import { openSource } from '../../services/input/source.js';
import { companyOf } from '../../services/scope/companies.js';
import { companyNamed } from '../../services/scope/text.js';
import {
  calls,
  type Make,
  type Place,
  previews,
  readRegistration,
  type RegistrationReads,
} from './registration-read.js';
import { masked, maskedChange } from './registration-secrets.js';
import { sentenceOf } from '../../domain/sentence.js';

/** How the state or the municipal registrations of a company are written. */
export interface RegistrationForm extends RegistrationReads {
  /** With its article. */
  readonly name: Text;
  /** The fields that a write may have. */
  readonly fields: readonly string[];
  /** Sets the secrets of one that exists. */
  readonly secretsOption: string;
  check(registration: unknown): readonly InvoiceFinding[];
  create(make: Make, companyId: string, registration: JsonObject): Promise<unknown>;
  update(make: Make, place: Place, registration: JsonObject): Promise<unknown>;
  /** What to say before an update that may drop a secret which the service hides. */
  lossOfSecrets(standing: JsonObject, merged: JsonObject): Text | undefined;
}

/** The input of a registration: a file, fields that override it, or both. */
export interface WrittenRegistration {
  readonly file: string | undefined;
  /** By the names of the service; `undefined`: not given. */
  readonly fields: JsonObject;
}

/** The registration of a file, with or without its wrapper; the fields win. Errors: `usage.missing`, `input.*`. */
async function readWritten(
  context: Context,
  form: RegistrationForm,
  { file, fields }: WrittenRegistration,
): Promise<JsonObject> {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if (file === undefined && Object.keys(given).length === 0) {
    const hint = { en: 'give a file, or fields as flags', pt: 'informe um arquivo, ou campos como opções' };
    throw new FiscalError('usage.missing', { names: '--file' }, { sent: 'no', hint });
  }
  if (file === undefined) return given;
  const source = await openSource(context, file, { again: false });
  const value = await readJsonOrYaml(source, parseKeepingNumbers);
  const problems = inexactNumbers(value);
  const inner = isRecord(value) && isRecord(value[form.envelope]) ? value[form.envelope] : value;
  if (isRecord(inner) && problems.length === 0) return merge(inner, given);
  const message = { en: 'must be an object', pt: 'deve ser um objeto' };
  const details = problems.length > 0 ? problems : [{ field: '.', message }];
  throw new FiscalError('input.invalid', { what: whatOf(form, file) }, { details, sent: 'no' });
}

/**
 * Checks what is sent. In an update only what was written, not what the service has stored. Error: `input.invalid` with
 * every problem.
 */
function assertValid(
  form: RegistrationForm,
  registration: JsonObject,
  { written, file }: { readonly written: JsonObject; readonly file: string | undefined },
): void {
  const problems = form.check(registration).filter(({ field }) => {
    const [first = ''] = field.split('.');
    return !(first in registration) || first in written;
  });
  if (problems.length === 0) return;
  const details = problems.map(({ field, message }) => ({ field, message }));
  throw new FiscalError('input.invalid', { what: whatOf(form, file) }, { details, sent: 'no' });
}

function whatOf(form: RegistrationForm, file: string | undefined): Text | string {
  return file === undefined || file === '-' ? form.name : file;
}

/** A registration that is created by a job of one item. */
export interface Creation<Input> {
  /** `stateTaxCreate` or `municipalTaxCreate`. */
  readonly kind: KindFacts<Input>;
  /** The same as a body. */
  readonly registration: JsonObject;
  /** Without secrets: it is stored. */
  readonly input: Input;
  /** State or city, and number. */
  readonly label: string;
  /** Set by an update after the creation. */
  readonly secrets: JsonObject;
}

/** Never polled: the response contains the registration. */
const follow = { wait: false, timeoutMs: 0, intervalMs: 1_000, retryBillable: false };

/**
 * Creates a registration as a job of one item: those of the company are searched before the send, and again after an
 * unknown outcome. Its secrets are set afterwards by an update, so that they are stored nowhere on this machine.
 * Errors: `input.*`, `company.registration_exists`, `company.registration_unclear`, `outcome.unknown`.
 */
export async function createRegistration<Input>(
  context: Context,
  form: RegistrationForm,
  request: WrittenRegistration & { creation(companyId: string, written: JsonObject): Creation<Input> },
): Promise<Outcome> {
  const written = await readWritten(context, form, request);
  assertValid(form, written, { written, file: request.file });
  const companyId = await companyOf(context);
  const { kind, registration, input, label, secrets } = request.creation(companyId, written);
  const hasSecrets = Object.keys(secrets).length > 0;
  const { dryRun, storeNamespace: profile } = await context.settings();
  if (dryRun) {
    const data = await form.create(previews(context), companyId, registration);
    return { data, notices: hasSecrets ? [secretsFollow] : [] };
  }
  const dedupeKey = `${companyId} ${label}`;
  const single = await runSingle(
    context,
    {
      ...{ kind, profile, inputDigest: `${form.envelope} ${canonicalJson(input)}`, scope: { companyId } },
      items: [{ ordinal: 1, label, dedupeKey, input }],
    },
    follow,
  );
  const { state, errorCode, resourceId: found = '?' } = single.item;
  const existing = { companyId, id: found };
  if (state === 'skipped') throw thereBefore(form, 'company.registration_exists', existing);
  if (errorCode === 'company.registration_unclear') throw thereBefore(form, errorCode, existing);
  const { resourceId = '', jobId } = requireArrived(single);
  const place = { companyId, id: resourceId };
  if (hasSecrets) await setSecrets(context, form, { place, secrets });
  const data = { ...masked(await readRegistration(context, form, place)), jobId };
  return { data, sentence: sentenceOf('good', doneTo(form, place.id, 'created')) };
}

/** `state registration 7a01… created`. */
function doneTo({ name }: RegistrationForm, id: string, verb: 'created' | 'updated'): Text {
  const pt = verb === 'created' ? 'criada' : 'alterada';
  return { en: `${name.en} ${id} ${verb}`, pt: `${name.pt} ${id} ${pt}` };
}

async function setSecrets(
  context: Context,
  form: RegistrationForm,
  { place, secrets }: { readonly place: Place; readonly secrets: JsonObject },
): Promise<void> {
  try {
    const standing = await readRegistration(context, form, place);
    await form.update(calls(context), place, merge(sendable(form.fields, standing), secrets));
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    const line = `${commandFor(form, 'update', place)} ${form.secretsOption}`;
    const hint = {
      en: `the registration ${place.id} exists, without its secrets; to set them: ${line}`,
      pt: `a inscrição ${place.id} existe, sem os segredos; para gravá-los: ${line}`,
    };
    throw error.with({ hint });
  }
}

function commandFor({ noun }: RegistrationForm, verb: 'get' | 'update', place: Place): string {
  const { companyId: company, id } = place;
  return fiscalLine({ command: `company ${noun} ${verb}`, positionals: [id], company });
}

const secretsFollow: Text = {
  en: 'the secrets are not part of this request: an update sets them after the creation',
  pt: 'os segredos não vão nesta requisição: uma alteração os grava depois da criação',
};

function thereBefore(
  form: RegistrationForm,
  code: 'company.registration_exists' | 'company.registration_unclear',
  place: Place,
): FiscalError {
  const line = commandFor(form, 'get', place);
  const hint = { en: `see it: ${line}`, pt: `veja: ${line}` };
  return new FiscalError(code, { id: place.id }, { sent: 'no', hint });
}

/**
 * Reads the registration, merges the input into it (null removes a field), shows the difference, asks, and sends the
 * whole; without a difference nothing is sent. Errors: `input.*`, `company.registration_changed`, `outcome.unknown`.
 */
export async function updateRegistration(
  context: Context,
  form: RegistrationForm,
  request: WrittenRegistration & { readonly id: string },
): Promise<Outcome> {
  const written = await readWritten(context, form, request);
  const place = { companyId: await companyOf(context), id: request.id };
  const standing = await readRegistration(context, form, place);
  const before = sendable(form.fields, standing);
  const merged = merge(before, written);
  assertValid(form, merged, { written, file: request.file });
  const loss = form.lossOfSecrets(standing, merged);
  if (loss !== undefined) await context.notice(loss);
  const changes = changesBetween(before, merged);
  if (changes.length === 0) return { data: masked(standing), notices: [nothingDiffers] };
  if (!(await context.settings()).dryRun) return await replace(context, form, { place, before, merged });
  const preview = await form.update(previews(context), place, merged);
  return { data: { ...(isRecord(preview) ? preview : {}), changes: changes.map(maskedChange) } };
}

interface Replacement {
  readonly place: Place;
  /** What a write may send of what stands, and of what is to stand. */
  readonly before: JsonObject;
  readonly merged: JsonObject;
}

/**
 * The service replaces the whole, so what stands is read again right before. Errors: `company.registration_changed`,
 * `outcome.unknown` for a field that reads back differently, those of a call.
 */
async function replace(
  context: Context,
  form: RegistrationForm,
  { place, before, merged }: Replacement,
): Promise<Outcome> {
  const changes = changesBetween(before, merged);
  for (const change of changes) await context.notice(changeText(maskedChange(change)));
  const { storeNamespace } = await context.settings();
  const company = await companyNamed(context, place.companyId);
  await context.consent({
    what: changing(form, { id: place.id, company, count: changes.length, storeNamespace }),
  });
  const now = await readRegistration(context, form, place);
  if (canonicalJson(sendable(form.fields, now)) !== canonicalJson(before))
    throw new FiscalError('company.registration_changed', { name: form.name }, { sent: 'no' });
  const showCommand = commandFor(form, 'get', place);
  const body = await sendOnce(showCommand, () => form.update(calls(context), place, merged));
  const answer = fieldOf(body, form.envelope);
  const plain = changes.filter(({ field }) => !isSecretField(field));
  const isWhole = isRecord(answer) && takenFrom(plain, answer).unseen.length === 0;
  const data = isWhole ? answer : await readRegistration(context, form, place);
  const { otherwise, unseen } = takenFrom(plain, data);
  if (otherwise.length > 0) throw shownOtherwise(otherwise.map(maskedChange), showCommand);
  const isProven = unseen.length === 0;
  const sentence = sentenceOf(isProven ? 'good' : 'warn', doneTo(form, place.id, 'updated'));
  return { data: masked(data), sentence, ...(isProven ? {} : { notices: [notShown(unseen)] }) };
}

interface Changing {
  readonly id: string;
  readonly company: string;
  readonly count: number;
  readonly storeNamespace: string;
}

function changing({ name }: RegistrationForm, { id, company, count, storeNamespace }: Changing): Text {
  const fields = counted(count, nouns.field);
  return {
    en: `changing ${fields.en} of ${name.en} ${id} of company ${company} (profile ${storeNamespace})`,
    pt: `alterar ${fields.pt} d${name.pt} ${id} da empresa ${company} (perfil ${storeNamespace})`,
  };
}

/** It is not repeated by itself: the number of the next invoice moves on, and a repeat could put it back. */
async function sendOnce(showCommand: string, send: () => Promise<unknown>): Promise<unknown> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof FiscalError) || error.facts.sent !== 'unknown') throw error;
    const hint = { en: `check its state: ${showCommand}`, pt: `veja a situação: ${showCommand}` };
    const facts = { ...error.facts, retryable: false, hint };
    throw new FiscalError('outcome.unknown', { reason: error.text }, facts);
  }
}

const nothingDiffers: Text = {
  en: 'the registration already has these values; nothing was sent',
  pt: 'a inscrição já está assim; nada foi enviado',
};

/** The batch family of a creation, for `job resume` of an interrupted one. */
export function creationFamily({ envelope }: RegistrationForm, label: Text): BatchFamily {
  const idField = `${envelope}Id`;
  return {
    label,
    idField,
    fields: ({ resourceId }) => (resourceId === undefined ? {} : { [idField]: resourceId }),
  };
}
