import type { Given } from '../../cli/command.js';
import type { get, list } from './registration-commands.js';
import { cursorRows } from '../../client/list-rows.js';
import type { Text } from '../../contract/text.js';
import type { JsonObject } from '../../domain/field-changes.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import {
  type Place,
  readRegistration,
  type RegistrationForm,
  registrationForms,
  type RegistrationKind,
  shownRegistration,
} from '../../jobs/resources/registration.js';
import { andThen, previewOne } from '../../services/calls/one-call.js';
import type { Context } from '../../services/context.js';
import { companyOf } from '../../services/scope/companies.js';

const PAGE = 50;

/** The registrations of a company, of one kind or of both, each once. */
export async function listRegistrations(context: Context, { kind }: Given<typeof list>): Promise<Outcome> {
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
      yield { ...shownRegistration(form, row), ...label(companyId) };
  }
}

/** One registration. Error: `service.not_found`. */
export async function getRegistration(
  context: Context,
  { registrationId: id, kind }: Given<typeof get>,
): Promise<Outcome> {
  const place = { companyId: await companyOf(context), id };
  if ((await context.settings()).dryRun) {
    const { companyId } = place;
    const data =
      kind === 'municipal'
        ? await previewOne(context, 'municipalTax.get', { path: { companyId, municipalTaxId: id } })
        : await previewOne(context, 'stateTax.get', { path: { companyId, stateTaxId: id } });
    return { data, notices: kind === undefined ? [thenMunicipal] : [] };
  }
  const { form, registration } = await findRegistration(context, place, kind);
  return { data: shownRegistration(form, registration) };
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
    const how = { place, options: { signal: context.interruption } };
    return { form, registration: await readRegistration(await context.client(), form, how) };
  } catch (error) {
    const isAbsent = error instanceof FiscalError && error.code === 'service.not_found';
    if (!isAbsent || kind !== undefined) throw error;
    return await findRegistration(context, place, 'municipal');
  }
}
