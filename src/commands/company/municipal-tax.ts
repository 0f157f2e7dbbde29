import { parseKeepingNumbers } from '../../domain/json-numbers.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { checkMunicipalTax, municipalTaxFields } from '../../domain/tax-registration-check.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Io } from '../../io/io.js';
import { municipalTaxCreate } from '../../jobs/kinds/tax-registration.js';
import type { JsonObject } from '../../domain/field-changes.js';
import type { Context } from '../../services/context.js';
import { readJsonOrYaml } from '../../services/input/records.js';
import { openSource } from '../../services/input/source.js';
import type { RegistrationReads } from './registration-read.js';
import {
  createRegistration,
  creationFamily,
  type RegistrationForm,
  updateRegistration,
  type WrittenRegistration,
} from './registration-write.js';

/** What opens the system of the city hall. */
const credentialNames = ['loginName', 'loginPassword', 'authIssueValue'] as const;

export const municipalTaxReads: RegistrationReads = {
  ...{ noun: 'municipal-tax', envelope: 'municipalTax' },
  get: (make, { companyId, id }) => make('municipalTax.get', { path: { companyId, municipalTaxId: id } }),
};

const municipalTaxForm: RegistrationForm = {
  ...municipalTaxReads,
  name: { en: 'the municipal registration', pt: 'a inscrição municipal' },
  fields: municipalTaxFields,
  secretsOption: '--ask-credentials',
  check: checkMunicipalTax,
  create: (make, companyId, municipalTax) =>
    make('municipalTax.create', { path: { companyId }, body: { municipalTax } }),
  update: (make, { companyId, id }, municipalTax) =>
    make('municipalTax.update', { path: { companyId, municipalTaxId: id }, body: { municipalTax } }),
  lossOfSecrets: lossOfCredentials,
};

/** An update replaces the whole; what the service hides cannot be sent back. */
function lossOfCredentials(standing: JsonObject, merged: JsonObject): Text | undefined {
  if (!credentialNames.some((name) => isText(standing[name]) && !isText(merged[name]))) return undefined;
  return {
    en: 'the service does not show the credentials of the city hall: if the update drops them, set them again (--ask-credentials, --credentials-file)',
    pt: 'o serviço não mostra as credenciais da prefeitura: se a alteração as apagar, grave-as de novo (--ask-credentials, --credentials-file)',
  };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** Creates a municipal registration. Errors: those of `createRegistration`. */
export async function createMunicipalTax(context: Context, written: WrittenRegistration): Promise<Outcome> {
  return await createRegistration(context, municipalTaxForm, {
    ...written,
    creation(companyId, { loginName, loginPassword, authIssueValue, ...municipalTax }) {
      const secrets = Object.entries({ loginName, loginPassword, authIssueValue });
      const city = String(fieldOf(municipalTax['city'], 'code'));
      return {
        ...{ kind: municipalTaxCreate, registration: municipalTax, input: { companyId, municipalTax } },
        label: `${city} ${String(municipalTax['taxNumber'])}`,
        secrets: Object.fromEntries(secrets.filter(([, value]) => value !== undefined)),
      };
    },
  });
}

/** Changes a municipal registration. Errors: those of `updateRegistration`. */
export async function updateMunicipalTax(
  context: Context,
  id: string,
  written: WrittenRegistration,
): Promise<Outcome> {
  return await updateRegistration(context, municipalTaxForm, { ...written, id });
}

export interface CredentialSource {
  readonly file: string | undefined;
  readonly ask: boolean;
}

/**
 * The credentials of the city hall, from a file, stdin (`-`) or a prompt, never from an argument. Errors: `usage.missing`,
 * `usage.invalid`, `input.*`.
 */
export async function gatherCredentials(
  context: Context,
  io: Io,
  { file, ask }: CredentialSource,
): Promise<JsonObject> {
  if (file !== undefined) return await readCredentials(context, file);
  if (!ask) return {};
  if (io.mayAsk) {
    const isPt = io.language === 'pt';
    const loginName = await io.prompts.secret(isPt ? 'Usuário na prefeitura' : 'User at the city hall');
    const loginPassword = await io.prompts.secret(isPt ? 'Senha na prefeitura' : 'Password at the city hall');
    return { loginName, loginPassword };
  }
  const hint = {
    en: 'without a terminal, the credentials are read from a file or from stdin: --credentials-file -',
    pt: 'sem terminal as credenciais vêm de um arquivo ou do stdin: --credentials-file -',
  };
  throw new FiscalError('usage.missing', { names: '--credentials-file' }, { sent: 'no', hint });
}

async function readCredentials(context: Context, file: string): Promise<JsonObject> {
  const source = await openSource(context, file, { again: false });
  const value = await readJsonOrYaml(source, parseKeepingNumbers);
  const given = Object.entries(isRecord(value) ? value : {});
  const isFit = ([name, text]: readonly [string, unknown]) =>
    credentialNames.some((each) => each === name) && isText(text);
  if (given.length > 0 && given.every(isFit)) return Object.fromEntries(given);
  const names = credentialNames.join(', ');
  const message = {
    en: `${file} must hold some of these as text, and nothing else: ${names}`,
    pt: `${file} deve conter alguns destes como texto, e nada mais: ${names}`,
  };
  throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

/** For `job resume` of an interrupted creation. */
export const municipalTaxFamily = creationFamily(municipalTaxForm, {
  en: 'creating municipal registrations',
  pt: 'criando inscrições municipais',
});
