import { cursorRows } from '../../client/list-rows.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { JsonObject } from '../../domain/field-changes.js';
import type { Outcome } from '../../domain/outcome.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { andThen, hintWhenAbsent, previewOne } from '../../services/calls/one-call.js';
import type { Context } from '../../services/context.js';
import { companyOf } from '../../services/scope/companies.js';
import {
  calls,
  type Place,
  previews,
  type RegistrationForm,
  registrationForms,
  type RegistrationKind,
} from './registration-forms.js';
import { masked } from './registration-secrets.js';

const PAGE = 50;

/** A registration for people and programs: with its kind, and without its secrets. */
export function shown({ kind }: RegistrationForm, registration: unknown): JsonObject {
  return { kind, ...masked(registration) };
}

/** The registrations of a company, of one kind or of both, each once. */
export async function listRegistrations(
  context: Context,
  kind: RegistrationKind | undefined,
): Promise<Outcome> {
  const companyId = await companyOf(context);
  const { state, municipal } = registrationForms;
  const forms = kind === undefined ? [state, municipal] : [registrationForms[kind]];
  if (!(await context.settings()).dryRun) return { data: rows(context, companyId, forms) };
  const [first, ...others] = forms.map(({ envelope }) => `${envelope}.list` as const);
  const input = { path: { companyId }, query: { limit: PAGE } };
  return {
    data: await previewOne(context, first ?? 'stateTax.list', input),
    notices: others.map((operation) => andThen(operation)),
  };
}

/** With the name and CNPJ of their company beside its id. */
async function* rows(
  context: Context,
  companyId: string,
  forms: readonly RegistrationForm[],
): AsyncGenerator<JsonObject> {
  const label = await (await context.scope()).labels();
  const client = await context.client();
  const input = { path: { companyId }, query: { limit: PAGE } };
  for (const form of forms) {
    const list = `${form.envelope}.list` as const;
    for await (const row of cursorRows(client, list, input, { signal: context.interruption }))
      yield { ...shown(form, row), ...label(companyId) };
  }
}

/** One registration. Error: `service.not_found`. */
export async function getRegistration(
  context: Context,
  id: string,
  kind: RegistrationKind | undefined,
): Promise<Outcome> {
  const place = { companyId: await companyOf(context), id };
  if ((await context.settings()).dryRun) {
    const data = await registrationForms[kind ?? 'state'].get(previews(context), place);
    return { data, notices: kind === undefined ? [thenMunicipal] : [] };
  }
  const { form, registration } = await findRegistration(context, place, kind);
  return { data: shown(form, registration) };
}

const thenMunicipal: Text = {
  en: 'where no state registration has this id, the municipal one is read',
  pt: 'se nenhuma inscrição estadual tiver este id, é lida a municipal',
};

/** A registration of which perhaps only the id is known. Error: `service.not_found`. */
export async function findRegistration(
  context: Context,
  place: Place,
  kind: RegistrationKind | undefined,
): Promise<{ readonly form: RegistrationForm; readonly registration: JsonObject }> {
  const form = registrationForms[kind ?? 'state'];
  try {
    return { form, registration: await readRegistration(context, form, place) };
  } catch (error) {
    const isAbsent = error instanceof FiscalError && error.code === 'service.not_found';
    if (!isAbsent || kind !== undefined) throw error;
    return await findRegistration(context, place, 'municipal');
  }
}

export async function readRegistration(
  context: Context,
  form: RegistrationForm,
  place: Place,
): Promise<JsonObject> {
  const body = await withListHint(place.companyId, () => form.get(calls(context), place));
  const registration = fieldOf(body, form.envelope);
  return isRecord(registration) ? registration : {};
}

/** Names the command that lists the registrations of the company where one is not found. */
export async function withListHint<Result>(companyId: string, call: () => Promise<Result>): Promise<Result> {
  const line = fiscalLine({ command: 'company registration list', company: companyId });
  const hint = { en: `those of the company: ${line}`, pt: `as da empresa: ${line}` };
  return await hintWhenAbsent(async () => await Promise.resolve(hint), call);
}
