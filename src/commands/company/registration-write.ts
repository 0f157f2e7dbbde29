import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import { counted, nouns } from '../../domain/counted.js';
import type { JsonObject } from '../../domain/field-changes.js';
import type { Outcome } from '../../domain/outcome.js';
import { sentenceOf } from '../../domain/sentence.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Io } from '../../io/io.js';
import {
  type Place,
  type RegistrationForm,
  registrationForms,
  registrationLine,
  registrationResource,
  shownRegistration,
} from '../../jobs/resources/registration.js';
import { planOf } from '../../jobs/resources/resource.js';
import type { BatchFamily } from '../../services/batch/run-batch.js';
import { requireArrived, runSingle } from '../../services/batch/single-job.js';
import { changeOne, planChange, requireValid, writePlan } from '../../services/calls/change.js';
import { previewOne } from '../../services/calls/one-call.js';
import type { Context } from '../../services/context.js';
import { companyOf } from '../../services/scope/companies.js';
import { companyNamed } from '../../services/scope/text.js';
import type { create, update } from './registration-commands.js';
import { readWritten } from './registration-input.js';
import { findRegistration } from './registration-read.js';

/** Never polled: the response contains the registration. */
const follow = { wait: false, timeout: 0, interval: 1_000, retryBillable: false };

/**
 * Creates a registration as a job of one item: those of the company are searched before the send, and again after an
 * unknown outcome. Its secrets are set afterwards by an update, so that they are stored nowhere on this machine.
 * Errors: `input.*`, `company.registration_exists`, `company.registration_unclear`, `outcome.unknown`.
 */
export async function createRegistration(context: Context, options: Given<typeof create>, io: Io): Promise<Outcome> {
  const { form, written, file } = await readWritten(context, io, { options });
  const resource = registrationResource(form, { companyId: '', id: '' });
  requireValid({ ...resource, name: form.name }, planOf(resource, undefined, written), { file });
  const companyId = await companyOf(context);
  const isSecret = ([name]: readonly [string, unknown]) => form.secrets.includes(name);
  const secrets = Object.fromEntries(Object.entries(written).filter(isSecret));
  const registration = Object.fromEntries(Object.entries(written).filter((each) => !isSecret(each)));
  const hasSecrets = Object.keys(secrets).length > 0;
  const { dryRun, storeNamespace: profile } = await context.settings();
  if (dryRun) {
    const { operation, input } = form.create(companyId, registration);
    const data = await previewOne(context, operation, input);
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
  const { registration: data } = await findRegistration(context, place, form.kind);
  return {
    data: { ...shownRegistration(form, data), jobId },
    sentence: sentenceOf('good', doneTo(form, place.id, 'created')),
  };
}

/** `state registration 7a01… created`. */
function doneTo({ name }: RegistrationForm, id: string, verb: 'created' | 'updated'): Text {
  const pt = verb === 'created' ? 'criada' : 'alterada';
  return { en: `${name.en} ${id} ${verb}`, pt: `${name.pt} ${id} ${pt}` };
}

async function setSecrets(
  context: Context,
  form: RegistrationForm,
  { place, secrets: written }: { readonly place: Place; readonly secrets: JsonObject },
): Promise<void> {
  try {
    const resource = registrationResource(form, place);
    await writePlan(context, { resource, plan: await planChange(context, { resource, written }) });
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    const line = `${registrationLine(form, 'update', place)} ${form.secretsOption}`;
    const hint = {
      en: `the registration ${place.id} exists, without its secrets; to set them: ${line}`,
      pt: `a inscrição ${place.id} existe, sem os segredos; para gravá-los: ${line}`,
    };
    throw error.with({ hint });
  }
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
  const line = registrationLine(form, 'get', place);
  const hint = { en: `see it: ${line}`, pt: `veja: ${line}` };
  return new FiscalError(code, { id: place.id }, { sent: 'no', hint });
}

/** Changes a registration. Errors: `input.*`, those of `changeOne`. */
export async function updateRegistration(
  context: Context,
  { registrationId: id, ...options }: Given<typeof update>,
  io: Io,
): Promise<Outcome> {
  const place = { companyId: await companyOf(context), id };
  const standing = async () => (await findRegistration(context, place, undefined)).form;
  const { form, written, file } = await readWritten(context, io, { options, standing });
  const { name } = form;
  return await changeOne(context, {
    resource: registrationResource(form, place),
    ...{ written, file },
    async question({ changes }) {
      const { storeNamespace } = await context.settings();
      const company = await companyNamed(context, place.companyId);
      const fields = counted(changes.length, nouns.field);
      return {
        what: {
          en: `changing ${fields.en} of ${name.en} ${id} of company ${company} (profile ${storeNamespace})`,
          pt: `alterar ${fields.pt} d${name.pt} ${id} da empresa ${company} (perfil ${storeNamespace})`,
        },
      };
    },
    shown: (registration) => shownRegistration(form, registration),
    done: () => ({ text: doneTo(form, id, 'updated') }),
  });
}

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
  return { label, idField, fields: ({ resourceId }) => (resourceId === undefined ? {} : { [idField]: resourceId }) };
}
