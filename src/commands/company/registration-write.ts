import type { Text } from '../../contract/text.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import { fiscalLine } from '../../domain/command-words.js';
import { counted, nouns } from '../../domain/counted.js';
import { changesBetween, type JsonObject, merge, takenFrom } from '../../domain/field-changes.js';
import type { Outcome } from '../../domain/outcome.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Io } from '../../io/io.js';
import { isSecretField, sendable } from '../../jobs/kinds/registration-body.js';
import type { BatchFamily } from '../../services/batch/run-batch.js';
import { requireArrived, runSingle } from '../../services/batch/single-job.js';
import { changeText, notShown, shownOtherwise } from '../../services/calls/merge-fields.js';
import type { Context } from '../../services/context.js';
import { companyOf } from '../../services/scope/companies.js';
import { companyNamed } from '../../services/scope/text.js';
import {
  calls,
  type Place,
  previews,
  type RegistrationForm,
  registrationForms,
} from './registration-forms.js';
import type { RegistrationOptions } from './registration-commands.js';
import { readWritten, type WrittenRegistration } from './registration-input.js';
import { findRegistration, readRegistration, shown } from './registration-read.js';
import { maskedChange } from './registration-secrets.js';
import { sentenceOf } from '../../domain/sentence.js';

/**
 * Checks what is sent. In an update only what was written, not what the service has stored. Error: `input.invalid` with
 * every problem.
 */
function assertValid({ form, written, file }: WrittenRegistration, registration: JsonObject): void {
  const problems = form.check(registration).filter(({ field }) => {
    const [first = ''] = field.split('.');
    return !(first in registration) || first in written;
  });
  if (problems.length === 0) return;
  const details = problems.map(({ field, message }) => ({ field, message }));
  const what = file === undefined || file === '-' ? form.name : file;
  throw new FiscalError('input.invalid', { what }, { details, sent: 'no' });
}

/** Never polled: the response contains the registration. */
const follow = { wait: false, timeout: 0, interval: 1_000, retryBillable: false };

/**
 * Creates a registration as a job of one item: those of the company are searched before the send, and again after an
 * unknown outcome. Its secrets are set afterwards by an update, so that they are stored nowhere on this machine.
 * Errors: `input.*`, `company.registration_exists`, `company.registration_unclear`, `outcome.unknown`.
 */
export async function createRegistration(
  context: Context,
  io: Io,
  options: RegistrationOptions,
): Promise<Outcome> {
  const given = await readWritten(context, io, { options });
  const { form, written } = given;
  assertValid(given, written);
  const companyId = await companyOf(context);
  const isSecret = ([name]: readonly [string, unknown]) => form.secrets.includes(name);
  const secrets = Object.fromEntries(Object.entries(written).filter(isSecret));
  const registration = Object.fromEntries(Object.entries(written).filter((each) => !isSecret(each)));
  const hasSecrets = Object.keys(secrets).length > 0;
  const { dryRun, storeNamespace: profile } = await context.settings();
  if (dryRun) {
    const data = await form.create(previews(context), companyId, registration);
    return { data, notices: hasSecrets ? [secretsFollow] : [] };
  }
  const label = form.label(registration);
  const dedupeKey = `${companyId} ${label}`;
  const input = { companyId, [form.envelope]: registration };
  const single = await runSingle(
    context,
    {
      ...{
        kind: form.creation,
        profile,
        inputDigest: `${form.envelope} ${canonicalJson(input)}`,
        scope: { companyId },
      },
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
  const data = { ...shown(form, await readRegistration(context, form, place)), jobId };
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

function commandFor({ kind }: RegistrationForm, verb: 'get' | 'update', place: Place): string {
  const { companyId: company, id } = place;
  const flags = [['--kind', kind]] as const;
  return fiscalLine({ command: `company registration ${verb}`, positionals: [id], flags, company });
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
  io: Io,
  { id, options }: { readonly id: string; readonly options: RegistrationOptions },
): Promise<Outcome> {
  const place = { companyId: await companyOf(context), id };
  const given = await readWritten(context, io, {
    options,
    standing: async () => (await findRegistration(context, place, undefined)).form,
  });
  const { form, written } = given;
  const standing = await readRegistration(context, form, place);
  const before = sendable(form.fields, standing);
  const merged = merge(before, written);
  assertValid(given, merged);
  const loss = form.lossOfSecrets(standing, merged);
  if (loss !== undefined) await context.notice(loss);
  const changes = changesBetween(before, merged);
  if (changes.length === 0) return { data: shown(form, standing), notices: [nothingDiffers] };
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
  return { data: shown(form, data), sentence, ...(isProven ? {} : { notices: [notShown(unseen)] }) };
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

/** For `job resume` of an interrupted creation. */
export const stateTaxFamily = creationFamily(registrationForms.state, {
  en: 'creating state registrations',
  pt: 'criando inscrições estaduais',
});

export const municipalTaxFamily = creationFamily(registrationForms.municipal, {
  en: 'creating municipal registrations',
  pt: 'criando inscrições municipais',
});

function creationFamily({ envelope }: RegistrationForm, label: Text): BatchFamily {
  const idField = `${envelope}Id`;
  return {
    label,
    idField,
    fields: ({ resourceId }) => (resourceId === undefined ? {} : { [idField]: resourceId }),
  };
}
