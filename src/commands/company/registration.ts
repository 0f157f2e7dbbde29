import { isSecretName } from '../../client/redact.js';
import type { Text } from '../../contract/text.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import type { InvoiceFinding } from '../../domain/invoice-rules.js';
import { inexactNumbers, parseKeepingNumbers } from '../../domain/json-numbers.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { KindFacts } from '../../jobs/kind.js';
import {
  type Change,
  changesBetween,
  changeText,
  type JsonObject,
  merge,
  notShown,
  shownOtherwise,
  takenFrom,
} from '../../services/calls/merge-fields.js';
import { requireArrived, runSingle } from '../../services/batch/single-job.js';
import type { DryRun } from '../../services/calls/one-call.js';
import { readJsonOrYaml } from '../../services/input/records.js';
import { openSource } from '../../services/input/source.js';
import type { Context } from '../../services/context.js';

/** State and municipal registrations of a company: what their commands have in common. */
export interface RegistrationForm {
  /** The field that wraps one of them in requests, answers and files. */
  readonly envelope: 'stateTax' | 'municipalTax';
  readonly name: Text;
  /** The fields that a write may have. */
  readonly fields: readonly string[];
  /** Paths of fields that are never shown. */
  readonly secrets: readonly string[];
  check(registration: unknown): readonly InvoiceFinding[];
}

/** The registration of a file, with or without its wrapper; the flags win. Errors: `usage.missing`, `input.*`. */
export async function readRegistrationFile(
  context: Context,
  form: RegistrationForm,
  { file, flags }: { readonly file: string | undefined; readonly flags: JsonObject },
): Promise<JsonObject> {
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
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
export function assertValid(
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

/** A registration as people and programs see it: secrets are masked. */
export function masked(form: RegistrationForm, registration: unknown): JsonObject {
  return isRecord(registration) ? maskedFields(registration, { form, path: '', isSecret: false }) : {};
}

/** The registrations of a list, masked, with the name and CNPJ of their company beside its id. */
export async function* shownRows(
  context: Context,
  form: RegistrationForm,
  { companyId, rows }: { readonly companyId: string; readonly rows: AsyncIterable<unknown> },
): AsyncGenerator<JsonObject> {
  const label = await (await context.scope()).labels();
  for await (const row of rows) yield { ...masked(form, row), ...label(companyId) };
}

interface Place {
  readonly form: RegistrationForm;
  readonly path: string;
  /** Inside a secret field. */
  readonly isSecret: boolean;
}

/** An object in a secret field keeps its `id`: that of a CSC is no secret. */
function maskedFields(fields: JsonObject, { form, path, isSecret }: Place): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const field = `${path}${name}`;
      if (isSecret && name === 'id' && typeof value !== 'object') return [name, value];
      const isHidden = isSecret || isSecretName(name) || form.secrets.includes(field);
      return [name, maskedValue(value, { form, path: `${field}.`, isSecret: isHidden })];
    }),
  );
}

function maskedValue(value: unknown, place: Place): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => maskedValue(entry, place));
  if (isRecord(value)) return maskedFields(value, place);
  return place.isSecret ? hidden(value) : value;
}

function hidden(value: unknown): unknown {
  return isGiven(value) ? '***' : value;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** What a write may send of a registration: no field of the service, and none that is empty or masked. */
export function sendable(form: RegistrationForm, registration: JsonObject): JsonObject {
  const own = Object.entries(registration).filter(
    ([name, value]) => form.fields.includes(name) && isGiven(value),
  );
  return withoutMasks(Object.fromEntries(own), '', form.secrets);
}

function withoutMasks(fields: JsonObject, path: string, secrets: readonly string[]): JsonObject {
  const kept = Object.entries(fields).flatMap(([name, value]) => {
    const field = `${path}${name}`;
    if (secrets.includes(field) && !isReadable(value)) return [];
    return [[name, isRecord(value) ? withoutMasks(value, `${field}.`, secrets) : value] as const];
  });
  return Object.fromEntries(kept);
}

/** A service may show stars or nothing instead of a secret. */
function isReadable(value: unknown): boolean {
  return typeof value === 'string' && !/^[*•x]*$/i.test(value);
}

export interface Creation<Input> {
  readonly form: RegistrationForm;
  /** `stateTaxCreate` or `municipalTaxCreate`. */
  readonly kind: KindFacts<Input>;
  readonly companyId: string;
  /** Without secrets: it is stored. */
  readonly input: Input;
  /** State or city, and number. */
  readonly label: string;
  /** Set by an update after the creation. */
  readonly secrets: JsonObject;
  preview(): Promise<DryRun>;
  read(id: string): Promise<JsonObject>;
  replace(id: string, registration: JsonObject): Promise<void>;
  /** The command that shows or changes the registration with this id. */
  command(verb: 'get' | 'update', id: string): string;
}

/** Never polled: the response contains the registration. */
const follow = { wait: false, timeoutMs: 0, intervalMs: 1_000, retryBillable: false };

/**
 * Creates a registration as a job of one item: those of the company are searched before the send, and again after an
 * unknown outcome. Errors: `company.registration_exists`, `company.registration_unclear`, `outcome.unknown`.
 */
export async function createRegistration<Input>(
  context: Context,
  request: Creation<Input>,
): Promise<Outcome> {
  const { form, kind, companyId, input, label, secrets } = request;
  const hasSecrets = Object.keys(secrets).length > 0;
  const { dryRun, storeNamespace: profile } = await context.settings();
  if (dryRun) return { data: await request.preview(), notices: hasSecrets ? [secretsFollow] : [] };
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
  if (state === 'skipped') throw thereBefore(request, 'company.registration_exists', found);
  if (errorCode === 'company.registration_unclear') throw thereBefore(request, errorCode, found);
  const { resourceId = '', jobId } = requireArrived(single);
  if (hasSecrets) await setSecrets(request, resourceId);
  return { data: { ...masked(form, await request.read(resourceId)), jobId } };
}

async function setSecrets<Input>(request: Creation<Input>, id: string): Promise<void> {
  const { form, secrets } = request;
  try {
    await request.replace(id, merge(sendable(form, await request.read(id)), secrets));
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    const line = request.command('update', id);
    const hint = {
      en: `the registration ${id} exists, without its secrets; to set them: ${line}`,
      pt: `a inscrição ${id} existe, sem os segredos; para gravá-los: ${line}`,
    };
    throw error.with({ hint });
  }
}

const secretsFollow: Text = {
  en: 'the secrets are not part of this request: an update sets them after the creation',
  pt: 'os segredos não vão nesta requisição: uma alteração os grava depois da criação',
};

function thereBefore<Input>(
  { command }: Creation<Input>,
  code: 'company.registration_exists' | 'company.registration_unclear',
  id: string,
): FiscalError {
  const line = command('get', id);
  const hint = { en: `see it: ${line}`, pt: `veja: ${line}` };
  return new FiscalError(code, { id }, { sent: 'no', hint });
}

export interface Replacement {
  readonly form: RegistrationForm;
  /** What stands, and what is to stand. */
  readonly standing: JsonObject;
  readonly merged: JsonObject;
  /** The question that is asked. */
  readonly what: (fields: number) => Text;
  /** Prints the command that shows the registration. */
  readonly showCommand: string;
  preview(): Promise<DryRun>;
  read(): Promise<JsonObject>;
  /** The registration of the answer; `undefined` where it has none. */
  send(): Promise<unknown>;
}

/**
 * Replaces a registration after it shows the difference and asks; without a difference nothing is sent. The service
 * replaces the whole, so what stands is read again right before. Errors: `company.registration_changed`,
 * `outcome.unknown` for a field that reads back differently, those of a call.
 */
export async function replaceRegistration(context: Context, request: Replacement): Promise<Outcome> {
  const { form, standing, merged } = request;
  const changes = changesBetween(sendable(form, standing), merged);
  if (changes.length === 0) return { data: masked(form, standing), notices: [nothingDiffers] };
  const shown = changes.map((change) => withoutSecret(form, change));
  if ((await context.settings()).dryRun) return { data: { ...(await request.preview()), changes: shown } };
  for (const change of shown) await context.notice(changeText(change));
  await context.consent({ what: request.what(changes.length) });
  const now = await request.read();
  if (canonicalJson(sendable(form, now)) !== canonicalJson(sendable(form, standing)))
    throw changedMeanwhile(form);
  const answer = await sendOnce(request);
  const plain = changes.filter(({ field }) => !isSecretField(form, field));
  const isWhole = isRecord(answer) && takenFrom(plain, answer).unseen.length === 0;
  const data = isWhole ? answer : await request.read();
  const { otherwise, unseen } = takenFrom(plain, data);
  if (otherwise.length > 0) {
    const differing = otherwise.map((change) => withoutSecret(form, change));
    throw shownOtherwise(differing, request.showCommand);
  }
  return { data: masked(form, data), ...(unseen.length === 0 ? {} : { notices: [notShown(unseen)] }) };
}

/** It is not repeated by itself: the number of the next invoice moves on, and a repeat could put it back. */
async function sendOnce({ send, showCommand }: Replacement): Promise<unknown> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof FiscalError) || error.facts.sent !== 'unknown') throw error;
    const hint = { en: `check its state: ${showCommand}`, pt: `veja a situação: ${showCommand}` };
    throw new FiscalError(
      'outcome.unknown',
      { reason: error.text },
      { ...error.facts, retryable: false, hint },
    );
  }
}

function isSecretField({ secrets }: RegistrationForm, field: string): boolean {
  return secrets.some((secret) => secret === field || secret.startsWith(`${field}.`));
}

/** A field below a secret name, other than the `id` of a CSC. */
function isInSecret(field: string): boolean {
  const names = field.split('.');
  return names.at(-1) !== 'id' && names.some(isSecretName);
}

/** A whole object that contains a secret is masked as well. */
function withoutSecret(form: RegistrationForm, change: Change): Change {
  const { field, from, to } = change;
  if (isSecretField(form, field)) return { ...change, from: hidden(from), to: hidden(to) };
  const place = { form, path: `${field}.`, isSecret: isInSecret(field) };
  return { ...change, from: maskedValue(from, place), to: maskedValue(to, place) };
}

function changedMeanwhile({ name }: RegistrationForm): FiscalError {
  return new FiscalError('company.registration_changed', { name }, { sent: 'no' });
}

const nothingDiffers: Text = {
  en: 'the registration already has these values; nothing was sent',
  pt: 'a inscrição já está assim; nada foi enviado',
};
